import assert from 'node:assert/strict'
import type { Notice } from './ws-client.ts'

/**
 * Checks that a client of `head` and `blocks` can make: every block has the parent that was sent before it, and heights only fall
 * after a head with the lower height. Gives the hashes of the branch it ended up on.
 */
export function followBranches(notices: readonly Notice[]): Map<number, string> {
  const chain = new Map<number, string>()
  let top = -1
  let lowest = Number.POSITIVE_INFINITY
  for (const { channel, body } of notices) {
    if (channel === 'head') lowest = Math.min(lowest, body.last_height as number)
    if (channel !== 'blocks') continue
    const height = body.height as number
    if (height <= top) assert.ok(lowest < height, `block ${height} came again without a notice`)
    else if (top >= 0) assert.equal(height, top + 1, 'a gap')
    const parent = chain.get(height - 1)
    if (parent !== undefined) assert.equal(body.parent_hash, parent, `the parent of ${height}`)
    chain.set(height, body.hash as string)
    top = height
    lowest = Number.POSITIVE_INFINITY
  }
  for (const height of chain.keys()) if (height > top) chain.delete(height)
  return chain
}

/** Hashes by height that a client holds which applies messages in order: a height that comes again replaces it and all above. */
export function holdBlocks(notices: readonly Notice[]): Map<number, string> {
  const held = new Map<number, string>()
  const dropAbove = (last: number) => {
    for (const height of held.keys()) if (height > last) held.delete(height)
  }
  for (const { channel, body } of notices) {
    if (channel === 'reverted') dropAbove(body.height as number)
    if (channel !== 'blocks') continue
    dropAbove((body.height as number) - 1)
    held.set(body.height as number, body.hash as string)
  }
  return held
}
