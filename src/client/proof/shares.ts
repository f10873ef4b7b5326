import type { ShareProof } from '../gen/operations.ts'
import { type Bytes, concat, equal, fromBase64, fromHex, readVarint, toHex } from './encoding.ts'
import { demand } from './failure.ts'
import { climb, isInTree, sha256 } from './trees.ts'

const NAMESPACE_SIZE = 29
const SHARE_SIZE = 512
/** Behind namespace and info byte. */
const CONTENT = NAMESPACE_SIZE + 1
const LENGTH_SIZE = 4
const RESERVED_SIZE = 4
const SIGNER_SIZE = 20
const PAY_FOR_BLOB = Uint8Array.from({ length: NAMESPACE_SIZE }, (_, i) => (i === NAMESPACE_SIZE - 1 ? 4 : 0))

/** The shares of a proof, after every step from them to `dataHash` (hex, of a verified header) was done. */
export async function verifyShares(proof: ShareProof, dataHash: string): Promise<Bytes[]> {
  const { square_size: size, start, end, rows } = proof
  const shares = proof.shares.map(fromBase64)
  const namespace = fromBase64(proof.namespace)
  demand(Number.isInteger(Math.log2(size)) && start >= 0 && start < end && end <= size * size, 'the range is not in the square')
  demand(namespace.length === NAMESPACE_SIZE && shares.every(({ length }) => length === SHARE_SIZE), 'a share has a wrong size')
  demand(shares.length === end - start, 'the number of shares is not that of the range')
  const root = fromHex(dataHash)
  let taken = 0
  for (const [i, { row, ...part }] of rows.entries()) {
    const from = start + taken
    demand(row === Math.floor(from / size) && part.start === from % size, `row ${i} of the proof is not the next one`)
    demand(part.end === Math.min(size, part.start + shares.length - taken), `row ${row} does not cover its shares`)
    const count = part.end - part.start
    const range = { start: part.start, end: part.end, nodes: part.nodes.map(fromBase64) }
    const rowRoot = fromBase64(part.root)
    const isIn = await isInTree(rowRoot, 2 * size, range, namespace, shares.slice(taken, taken + count))
    demand(isIn, `shares are not in the tree of row ${row}`)
    const reached = await climb(rowRoot, row, 4 * size, part.aunts.map(fromBase64))
    demand(reached && equal(reached, root), `the root of row ${row} does not lead to the data hash`)
    taken += count
  }
  demand(taken === shares.length, 'some shares are in no row')
  return shares
}

/** The bytes of the tx with this hash (hex) in shares of txs: of one that pays for blobs, without the blobs. */
export async function findTx(shares: readonly Uint8Array[], hash: string): Promise<Bytes | undefined> {
  const isPayForBlob = equal(shares[0]!.subarray(0, NAMESPACE_SIZE), PAY_FOR_BLOB)
  for (const unit of listUnits(shares)) {
    const tx = isPayForBlob ? unwrap(unit) : unit
    if (tx && toHex(await sha256(tx)) === hash.toLowerCase()) return tx
  }
  return undefined
}

/** Every whole unit that starts in these shares: its length, then its bytes. */
function* listUnits(shares: readonly Uint8Array[]): Generator<Bytes> {
  const reservedAt = contentStart(shares[0]!)
  const firstUnit = new DataView(shares[0]!.buffer, shares[0]!.byteOffset).getUint32(reservedAt)
  if (firstUnit < reservedAt + RESERVED_SIZE || firstUnit >= SHARE_SIZE) return
  const stream = concat(
    shares[0]!.subarray(firstUnit),
    ...shares.slice(1).map((share) => share.subarray(contentStart(share) + RESERVED_SIZE)),
  )
  for (let at = 0; at < stream.length; ) {
    const length = readVarint(stream, at)
    if (!length || length.value === 0 || length.end + length.value > stream.length) return
    at = length.end + length.value
    yield stream.slice(length.end, at)
  }
}

/** Only the first share of a sequence tells its length. */
function contentStart(share: Uint8Array): number {
  return isFirst(share) ? CONTENT + LENGTH_SIZE : CONTENT
}

function isFirst(share: Uint8Array): boolean {
  return (share[NAMESPACE_SIZE]! & 1) === 1
}

/** IndexWrapper {1 tx, 2 share indexes, 3 "INDX"}. */
function unwrap(unit: Uint8Array): Bytes | undefined {
  const length = unit[0] === 0x0a ? readVarint(unit, 1) : undefined
  return length && length.end + length.value <= unit.length
    ? Uint8Array.from(unit.subarray(length.end, length.end + length.value))
    : undefined
}

/** `signer` is there from share version 1 on. */
export type ProvenBlob = { namespace: Bytes; shareVersion: number; data: Bytes; signer?: Bytes }

/** The blob that these shares, all of them, are. */
export function readBlob(shares: readonly Uint8Array[]): ProvenBlob {
  const first = shares[0]!
  demand(isFirst(first) && shares.slice(1).every((share) => !isFirst(share)), 'the shares are not those of one blob')
  const shareVersion = first[NAMESPACE_SIZE]! >> 1
  const size = new DataView(first.buffer, first.byteOffset).getUint32(CONTENT)
  const signerAt = CONTENT + LENGTH_SIZE
  const dataAt = shareVersion === 0 ? signerAt : signerAt + SIGNER_SIZE
  const content = concat(first.subarray(dataAt), ...shares.slice(1).map((share) => share.subarray(CONTENT)))
  demand(size <= content.length && content.length - size < SHARE_SIZE, 'the shares are not as many as the blob needs')
  return {
    namespace: Uint8Array.from(first.subarray(0, NAMESPACE_SIZE)),
    shareVersion,
    data: content.slice(0, size),
    ...(shareVersion > 0 && { signer: Uint8Array.from(first.subarray(signerAt, dataAt)) }),
  }
}
