import type pg from 'pg'
import { AstrolabeError } from '../../lib/errors.ts'
import type { ObjectStore } from '../../lib/object-store/object-store.ts'
import type { Reader } from '../db.ts'
import { UNSEALED_KINDS } from '../pack/unsealed-kind.ts'
import { encodeSegment, type SegmentRecord, sha256 } from './format.ts'
import { type HeightRange, keyOf } from './seal.ts'
import type { SegmentRow } from './segment-reader.ts'

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

export type BadSegment = SegmentRow & { detail: string }

/** Segments that are missing or not what was written. Every one of them is read. */
export async function* findBadSegments(sql: Reader, store: ObjectStore): AsyncGenerator<BadSegment> {
  const rows = await sql<(SegmentRow & { sha256: Buffer })[]>`
    select first_height, last_height, key, bytes, index_at, sha256 from segment order by first_height`
  for (const { sha256: expected, ...row } of rows) {
    const problem = await findProblem(store, row, expected)
    if (problem !== undefined) yield { ...row, detail: `segment ${row.key} ${problem}` }
  }
}

type SegmentFile = { key: string; bytes: number }

async function findProblem(store: ObjectStore, { key, bytes }: SegmentFile, expected: Buffer): Promise<string | undefined> {
  try {
    // A byte more, by which one that has grown differs.
    const found = await store.getRange(key, 0, bytes + 1)
    if (!found) return 'is missing'
    return sha256(found).equals(expected) ? undefined : 'is damaged'
  } catch (error) {
    if (error instanceof AstrolabeError && error.code === 'file_unreadable') return `is damaged: ${error.message}`
    throw error
  }
}

/** I16: a row without its bytes lies in a segment, and segments follow each other without gaps. */
export async function findUncovered(sql: Reader): Promise<string[]> {
  const rows = await sql<{ detail: string }[]>`
    select format('after the segment up to %s comes one from %s', last_height, next) as detail
    from (select last_height, lead(first_height) over (order by first_height) as next from segment) s where next <> last_height + 1
    union all
    select format('block %s has no events and lies in no segment', height)
    from block b
    where events is null and height > coalesce((select max(last_height) from segment), -1)
      and not exists (select from unsealed u where u.height = b.height and u.kind = ${UNSEALED_KINDS.block})
    limit 20`
  return rows.map(({ detail }) => detail)
}
