import type pg from 'pg'
import { Transient } from '../../lib/errors.ts'
import type { ObjectStore } from '../../lib/object-store/object-store.ts'
import type { SealedKind } from '../db.ts'
import { toPlainEvents } from '../pack/event-pack.ts'
import { positionInHeight } from '../pack/id.ts'
import { UNSEALED_KINDS, type UnsealedKind } from '../pack/unsealed-kind.ts'
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
 * Moves the bulky bytes of the next heights into a segment. Only heights that cannot be taken back one by one any more are moved, so a
 * fork never meets a segment; what is taken back further cuts it off. The object is durable before the transaction that clears the rows and names it: whenever this is cut off, the
 * bytes are in the rows or in the segment, and an object that no row names is an orphan. Undefined: there is nothing to move yet.
 */
export async function sealNext(client: pg.ClientBase, { store, prefix, heights }: SealOptions): Promise<HeightRange | undefined> {
  const range = await nextRange(client, heights)
  if (!range) return undefined
  const before = await readVersions(client, range)
  const segment = await encodeSegment(await readRecords(client, range))
  const key = keyOf(prefix, range, segment)
  await store.put(key, segment.bytes)
  await client.query('begin')
  try {
    // Heights that were taken back while the object was written may be there again with other bytes.
    await client.query('select from head for share')
    if ((await readVersions(client, range)) !== before)
      throw new Transient('heights_reverted', `heights from ${range.first} on were taken back while they were moved`)
    await client.query(
      'insert into segment (first_height, last_height, key, bytes, index_at, sha256) values ($1, $2, $3, $4, $5, $6)',
      [range.first, range.last, key, segment.bytes.length, segment.indexAt, segment.sha256],
    )
    const bounds = [range.first, range.last]
    for (const { clear } of SOURCES) await client.query(clear, bounds)
    await client.query(`delete from unsealed where ${IN_RANGE}`, bounds)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
  return range
}

/** Which versions of the rows at both ends of a range there are: rows that were written again are others. */
async function readVersions(client: pg.ClientBase, { first, last }: HeightRange): Promise<string> {
  const { rows } = await client.query<{ versions: string | null }>(
    `select string_agg(xmin::text, ' ' order by height) as versions from block where height in ($1, $2)`,
    [first, last],
  )
  return rows[0]!.versions ?? ''
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
    `select height, sum(octet_length(bytes)) as bytes from (${SOURCES.map(({ select }) => select).join(' union all ')}) s group by 1 order by 1`,
    [first, Math.min(last, final)],
  )
  let bytes = 0
  for (const row of sizes.rows) {
    bytes += Number(row.bytes)
    if (bytes >= MAX_BYTES) return { first, last: row.height }
  }
  return last <= final ? { first, last } : undefined
}

const IN_RANGE = 'height between $1 and $2'

type Source = { kind: SealedKind; select: string; clear: string }

/**
 * Bytes beside their rows, or in them: the index had no segments then, or the program that wrote them knew no other place. Only such rows are
 * changed: the new version of a row needs an entry in every index of its table.
 */
function bulkyColumn(kind: UnsealedKind, column: string, id = 'id'): Source {
  const isHeld = `${column} is not null and ${IN_RANGE}`
  return {
    kind,
    select: `select height, ${id} as id, ${column} as bytes from ${kind} where ${isHeld}
             union all select height, id, bytes from unsealed where kind = ${UNSEALED_KINDS[kind]} and ${IN_RANGE}`,
    clear: `update ${kind} set ${column} = null where ${isHeld}`,
  }
}

const SOURCES: Source[] = [
  bulkyColumn('block', 'events', '0'),
  bulkyColumn('tx', 'events'),
  bulkyColumn('message', 'value'),
  {
    kind: 'txs',
    select: `select height, 0 as id, txs as bytes from block_txs where ${IN_RANGE}`,
    clear: `delete from block_txs where ${IN_RANGE}`,
  },
]

async function readRecords(client: pg.ClientBase, { first, last }: HeightRange): Promise<SegmentRecord[]> {
  const records: SegmentRecord[] = []
  for (const { kind, select } of SOURCES) {
    const { rows } = await client.query<{ height: number; id: string; bytes: Buffer }>(`${select} order by 1, 2`, [first, last])
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
