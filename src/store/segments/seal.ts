import type pg from 'pg'
import type { ObjectStore } from '../../lib/object-store/object-store.ts'
import type { SealedKind } from '../db.ts'
import { toPlainEvents } from '../pack/event-pack.ts'
import { positionInHeight } from '../pack/id.ts'
import { type EncodedSegment, encodeSegment, type SegmentRecord } from './format.ts'

export type HeightRange = { first: number; last: number }

export type SealOptions = {
  store: ObjectStore
  /** stands before the keys; one for each index */
  prefix: string
  /** heights of a segment */
  heights: number
}

/** A segment is made in memory: it ends early when the bytes of its heights are more. */
const MAX_BYTES = 32 * 2 ** 20

/**
 * Moves the bulky bytes of the next heights into a segment. Only heights that cannot be taken back any more are moved, so a fork never
 * meets a segment. The object is durable before the transaction that clears the rows and names it: whenever this is cut off, the
 * bytes are in the rows or in the segment, and an object that no row names is an orphan. Undefined: there is nothing to move yet.
 */
export async function sealNext(client: pg.ClientBase, { store, prefix, heights }: SealOptions): Promise<HeightRange | undefined> {
  const range = await nextRange(client, heights)
  if (!range) return undefined
  const segment = await encodeSegment(await readRecords(client, range))
  const key = keyOf(prefix, range, segment)
  await store.put(key, segment.bytes)
  await client.query('begin')
  try {
    await client.query(
      'insert into segment (first_height, last_height, key, bytes, index_at, sha256) values ($1, $2, $3, $4, $5, $6)',
      [range.first, range.last, key, segment.bytes.length, segment.indexAt, segment.sha256],
    )
    const bounds = [range.first, range.last]
    await client.query('update block set events = null where height between $1 and $2', bounds)
    await client.query('update tx set events = null where height between $1 and $2', bounds)
    await client.query('update message set value = null where height between $1 and $2', bounds)
    await client.query('delete from block_txs where height between $1 and $2', bounds)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
  return range
}

/** Deletes objects that no row names: a run was cut off between object and row. Nobody else may write segments meanwhile. */
export async function removeOrphans(client: pg.ClientBase, store: ObjectStore, prefix: string): Promise<number> {
  const { rows } = await client.query<{ key: string }>('select key from segment')
  const named = new Set(rows.map(({ key }) => key))
  let removed = 0
  for await (const { key } of store.list(`${prefix}/`)) {
    if (named.has(key)) continue
    await store.delete(key)
    removed++
  }
  return removed
}

/** By heights and content: a segment that is made again gets another key only when its bytes are others. */
export function keyOf(prefix: string, { first, last }: HeightRange, { sha256 }: EncodedSegment): string {
  const height = (value: number) => String(value).padStart(10, '0')
  return `${prefix}/${height(first)}-${height(last)}-${sha256.toString('hex').slice(0, 16)}.segment`
}

/** The genesis stays in its rows: no node gives it as a block when a segment has to be made again. */
async function nextRange(client: pg.ClientBase, heights: number): Promise<HeightRange | undefined> {
  const { rows } = await client.query<{ first: number | null; final: number | null }>(
    `select coalesce((select max(last_height) from segment), (select min(height) from block)) + 1 as first,
            coalesce((select min(height) - 1 from undo), (select last_height from head)) as final`,
  )
  const { first, final } = rows[0]!
  if (first === null || final === null) return undefined
  const last = first + heights - 1
  const sizes = await client.query<{ height: number; bytes: string }>(
    `select height, sum(bytes) as bytes
     from (
       select height, octet_length(events) as bytes from block where height between $1 and $2
       union all select height, octet_length(events) from tx where height between $1 and $2
       union all select height, octet_length(value) from message where height between $1 and $2
       union all select height, octet_length(txs) from block_txs where height between $1 and $2
     ) s group by 1 order by 1`,
    [first, Math.min(last, final)],
  )
  let bytes = 0
  for (const row of sizes.rows) {
    bytes += Number(row.bytes)
    if (bytes >= MAX_BYTES) return { first, last: row.height }
  }
  return last <= final ? { first, last } : undefined
}

const SOURCES: { kind: SealedKind; sql: string }[] = [
  { kind: 'block', sql: 'select height, 0 as id, events as bytes from block where height between $1 and $2' },
  { kind: 'tx', sql: 'select height, id, events as bytes from tx where height between $1 and $2' },
  { kind: 'message', sql: 'select height, id, value as bytes from message where height between $1 and $2' },
  { kind: 'txs', sql: 'select height, 0 as id, txs as bytes from block_txs where height between $1 and $2' },
]

async function readRecords(client: pg.ClientBase, { first, last }: HeightRange): Promise<SegmentRecord[]> {
  const records: SegmentRecord[] = []
  for (const { kind, sql } of SOURCES) {
    const { rows } = await client.query<{ height: number; id: string; bytes: Buffer }>(`${sql} order by 1, 2`, [first, last])
    for (const { height, id, bytes } of rows) records.push(toRecord(kind, height, positionInHeight(Number(id)), bytes))
  }
  return records.sort(inOrder)
}

/** Events are not compressed on their own in a segment: together they take half the space. */
export function toRecord(kind: SealedKind, height: number, position: number, bytes: Buffer): SegmentRecord {
  return { kind, height, position, bytes: kind === 'block' || kind === 'tx' ? toPlainEvents(bytes) : bytes }
}

/** By height, then by kind and position: the sort keeps the order in which they came. */
export const inOrder = (a: SegmentRecord, b: SegmentRecord): number => a.height - b.height
