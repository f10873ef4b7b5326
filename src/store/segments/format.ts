import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { SealedKind } from '../db.ts'

/**
 * A segment holds the bulky bytes of a range of heights: a mark, compressed chunks, and an index of them at the end. A chunk holds the
 * records of whole heights, so that reading one record needs one chunk; txs, which are large and seldom read, have chunks of their own.
 * Brotli, because every Node.js that we run on has it (zstd came with 22.15); chunks of many rows make a preset dictionary needless.
 */
export type SegmentRecord = { kind: SealedKind; height: number; position: number; bytes: Uint8Array }

export type Chunk = { part: 'rows' | 'txs'; first: number; last: number; at: number; size: number; sha256: string }

export type EncodedSegment = { bytes: Buffer; indexAt: number; sha256: Buffer }

const MARK = Buffer.from('astseg1\n')
const CHUNK_BYTES = 256 * 1024
const KINDS: readonly SealedKind[] = ['block', 'tx', 'message', 'txs']
/** kind, height, position, length */
const RECORD_HEAD = 13
const SHA256_DIGITS = 32

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)
const QUALITY = 5

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
const chunkHash = (bytes: Uint8Array) => sha256(bytes).toString('hex').slice(0, SHA256_DIGITS)

const pack = (bytes: Uint8Array): Promise<Buffer> =>
  compress(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })

/** Records in the order of their heights. The same records give the same bytes. */
export async function encodeSegment(records: readonly SegmentRecord[]): Promise<EncodedSegment> {
  const parts: Buffer[] = [MARK]
  const chunks: Chunk[] = []
  let at = MARK.length
  const add = (bytes: Buffer) => {
    parts.push(bytes)
    at += bytes.length
  }
  for (const part of ['rows', 'txs'] as const)
    for (const group of groupByHeights(records.filter(({ kind }) => (kind === 'txs') === (part === 'txs')))) {
      const bytes = await pack(Buffer.concat(group.flatMap(encodeRecord)))
      const heights = { first: group[0]!.height, last: group.at(-1)!.height }
      chunks.push({ part, ...heights, at, size: bytes.length, sha256: chunkHash(bytes) })
      add(bytes)
    }
  const indexAt = at
  add(await pack(Buffer.from(JSON.stringify(chunks))))
  const bytes = Buffer.concat(parts)
  return { bytes, indexAt, sha256: sha256(bytes) }
}

export async function decodeIndex(bytes: Uint8Array): Promise<Chunk[]> {
  return JSON.parse((await decompress(bytes)).toString()) as Chunk[]
}

/** The records of a chunk by their names, and their size; undefined when the bytes are not those that were written. */
export async function decodeChunk(
  bytes: Uint8Array,
  { sha256: expected }: Chunk,
): Promise<{ records: Map<string, Buffer>; size: number } | undefined> {
  if (chunkHash(bytes) !== expected) return undefined
  const raw = await decompress(bytes)
  const records = new Map<string, Buffer>()
  for (let at = 0; at < raw.length; ) {
    const end = at + RECORD_HEAD + raw.readUInt32BE(at + 9)
    const name = recordName(KINDS[raw[at]!]!, raw.readUInt32BE(at + 1), raw.readUInt32BE(at + 5))
    records.set(name, raw.subarray(at + RECORD_HEAD, end))
    at = end
  }
  return { records, size: raw.length }
}

export const recordName = (kind: SealedKind, height: number, position: number) => `${kind} ${height} ${position}`

function encodeRecord({ kind, height, position, bytes }: SegmentRecord): Uint8Array[] {
  const head = Buffer.allocUnsafe(RECORD_HEAD)
  head[0] = KINDS.indexOf(kind)
  head.writeUInt32BE(height, 1)
  head.writeUInt32BE(position, 5)
  head.writeUInt32BE(bytes.length, 9)
  return [head, bytes]
}

/** About a chunk each; a height is never divided. */
function* groupByHeights(records: readonly SegmentRecord[]): Generator<SegmentRecord[]> {
  let group: SegmentRecord[] = []
  let size = 0
  for (const record of records) {
    if (size >= CHUNK_BYTES && record.height !== group.at(-1)!.height) {
      yield group
      group = []
      size = 0
    }
    group.push(record)
    size += RECORD_HEAD + record.bytes.length
  }
  if (group.length > 0) yield group
}
