import { hash } from 'node:crypto'
import type { InclusionProof } from '../../decode/square/inclusion.ts'
import { SHARE_SIZE } from '../../decode/square/share-counts.ts'
import { openWindow } from '../../decode/square/shares.ts'
import { viewOf } from '../../lib/encoding/bytes.ts'
import { writeJson } from '../http/write-json.ts'
import { toShareProof } from '../view/proof.ts'
import type { BlockRef } from './block-ref.ts'

/** Shares that are encoded at once: base64 of more than a megabyte does not go through the heap. */
const CHUNK = 2048
/** A share and four bytes of padding are a whole number of base64 groups; the last five characters of them become `END`. */
const STRIDE = SHARE_SIZE + 4
const TEXT = (STRIDE / 3) * 4
/** Padding of the base64 of 512 bytes, and what stands between two texts of a list. */
const END = Buffer.from('=", "')
const NO_SHARES = '"shares":[]'

/**
 * The JSON of a proof with many shares, in memory of its own. The digest names it: the hashes that the rest of it holds seal its shares.
 * Shares go from the square into base64 in large pieces, which takes a tenth of the time of one text for each.
 */
export function writeShareProof(block: BlockRef, proof: InclusionProof): { bytes: Uint8Array; digest: string } {
  const { square, start, end } = proof
  const rest = writeJson(toShareProof(block, proof, []))
  const [before, behind] = rest.split(NO_SHARES) as [string, string]
  const head = `${before}"shares":["`
  const tail = `]${behind}`
  // Only a quote stands behind the last share.
  const last = head.length + (end - start) * TEXT - 3
  const bytes = new Uint8Array(last + tail.length)
  const text = viewOf(bytes)
  text.write(head, 'latin1')
  const { bytes: piece } = openWindow(0, Math.min(CHUNK, end - start), STRIDE)
  for (let from = start; from < end; from += CHUNK) {
    const to = Math.min(end, from + CHUNK)
    square.write({ bytes: piece.fill(0), from, to, stride: STRIDE })
    const encoded = viewOf(piece.subarray(0, (to - from) * STRIDE)).toString('base64')
    text.write(encoded, head.length + (from - start) * TEXT, 'latin1')
    for (let share = from; share < to; share++) text.set(END, head.length + (share - start + 1) * TEXT - END.length)
  }
  text.write(tail, last, 'latin1')
  return { bytes, digest: hash('sha1', rest, 'base64url') }
}
