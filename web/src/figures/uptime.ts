/** Heights that one cell of a strip stands for; `missedPart` is how much of the cell is drawn as missed. */
export type UptimeCell = { from: number; to: number; count: number; missedPart: number }

/** More cells would be thinner than what the eye tells apart. */
export const MOST_CELLS = 100

/** A cell for each block or, of many, for a few in a row, oldest first. */
export function uptimeCells(last: number, blocks: number, missed: readonly number[]): UptimeCell[] {
  const size = Math.max(1, Math.ceil(blocks / MOST_CELLS))
  const first = last - blocks + 1
  const cells = Array.from({ length: Math.ceil(blocks / size) }, (_, i): UptimeCell => {
    const from = first + i * size
    return { from, to: Math.min(last, from + size - 1), count: 0, missedPart: 0 }
  })
  for (const height of missed) cells[Math.floor((height - first) / size)]!.count++
  return cells.map((cell) => ({ ...cell, missedPart: cell.count / (cell.to - cell.from + 1) }))
}

/**
 * Part of the blocks that were signed, of those that had to be. Rounded down to what is shown: a validator that missed a block did not sign
 * 100 %.
 */
export function signedPart({ signed = 0, expected = 0 }: { signed?: number; expected?: number }): number {
  return expected === 0 ? 0 : Math.floor((signed * SHOWN) / expected) / SHOWN
}

/** Percentages have two digits behind the point. */
const SHOWN = 10_000
