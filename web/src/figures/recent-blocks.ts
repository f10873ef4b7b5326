import type { Block } from '../../../src/client/gen/operations.ts'

export const KEPT_BLOCKS = 100

/** Newest first. A block at a height that is known replaces it and what was above: the chain went another way. */
export function withBlock(known: readonly Block[], block: Block): Block[] {
  return [block, ...known.filter(({ height }) => height < block.height)].slice(0, KEPT_BLOCKS)
}

/** A list in the place of what is known at its heights. Blocks above it were pushed while it was on its way, and stay unless it contradicts them. */
export function withList(known: readonly Block[], listed: readonly Block[]): Block[] {
  const [top, bottom] = [listed[0], listed.at(-1)]
  if (!top || !bottom) return [...known]
  const above = known.filter(({ height }) => height > top.height)
  const same = known.find(({ height }) => height === top.height)
  const isContradicted = (same !== undefined && same.hash !== top.hash) || hasGap([...above.slice(-1), top], 'links')
  const below = known.filter(({ height }) => height < bottom.height)
  return [...(isContradicted ? [] : above), ...listed, ...below].slice(0, KEPT_BLOCKS)
}

/** Whether heights are missing between these blocks, or one does not follow from the one below it. `links`: the latter alone. */
export function hasGap(blocks: readonly Block[], what: 'any' | 'links' = 'any'): boolean {
  return blocks.some((block, i) => {
    const below = blocks[i + 1]
    if (!below) return false
    if (below.height + 1 !== block.height) return what === 'any'
    return block.parent_hash !== '' && block.parent_hash !== below.hash
  })
}
