import type pg from 'pg'
import type { ObjectStore } from '../../lib/object-store/object-store.ts'
import { encodeSegment, type SegmentRecord } from './format.ts'
import { type HeightRange, keyOf } from './seal.ts'

/** Puts a segment in its place once more, from records that were made again. Returns its key. */
export async function replaceSegment(
  client: pg.ClientBase,
  { store, prefix }: { store: ObjectStore; prefix: string },
  range: HeightRange,
  records: readonly SegmentRecord[],
): Promise<string> {
  const segment = await encodeSegment(records)
  const key = keyOf(prefix, range, segment)
  await store.put(key, segment.bytes)
  await client.query('update segment set key = $2, bytes = $3, index_at = $4, sha256 = $5 where first_height = $1', [
    range.first,
    key,
    segment.bytes.length,
    segment.indexAt,
    segment.sha256,
  ])
  return key
}

/** Hash of an indexed block, lower-case hex. */
export async function hashAt(client: pg.ClientBase, height: number): Promise<string | undefined> {
  const { rows } = await client.query<{ hash: Buffer }>('select hash from block where height = $1', [height])
  return rows[0]?.hash.toString('hex')
}
