import type pg from 'pg'
import { OperatorError } from '../../lib/errors.ts'
import { countCommit } from '../servers/head-notice.ts'
import { inTransaction } from '../servers/transaction.ts'
import { lockPartitions } from '../servers/writer-lock.ts'
import { type Layout, type LayoutRow, PARTITIONED, partitionName, partitionsOf, readLayout } from './layout.ts'

/**
 * Detaches all partitions that hold only heights below `height`, and returns their tables, which stay as they are. Servers are told first:
 * they answer that these heights are gone. A run that was ended is completed by the next one.
 */
export async function detachBelow(client: pg.ClientBase, schema: string, height: number): Promise<string[]> {
  await lockPartitions(client, schema)
  const layout = await readLayout(client)
  if (!layout?.is_active)
    throw new OperatorError('not_partitioned', 'this index is not partitioned: `astrolabe partitions make` does it')
  const keptFrom = Math.max(lastBoundary(layout, height), layout.kept_from)
  await demandFinal(client, keptFrom)
  await inTransaction(client, async () => {
    await client.query('update partitioning set kept_from = $1', [keptFrom])
    // Heights without their rows cannot be taken back.
    await client.query('delete from undo_step where first_height < $1', [keptFrom])
    await countCommit(client, schema)
  })
  const detached: string[] = []
  for (const first of partitionsOf(layout)) {
    if (first >= keptFrom) break
    for (const table of PARTITIONED)
      if (await detach(client, table, partitionName(table, first))) detached.push(partitionName(table, first))
  }
  return detached
}

/** The highest height not above `height` at which a partition begins. */
function lastBoundary(layout: Layout, height: number): number {
  let boundary = 0
  for (const first of partitionsOf(layout)) if (first <= height) boundary = first
  return boundary
}

/** What can be taken back, or has still to be moved into a segment, is needed. */
async function demandFinal(client: pg.ClientBase, keptFrom: number): Promise<void> {
  const { rows } = await client.query<{ final: number | null; sealed: number | null }>(
    `select coalesce((select min(height) from undo), (select last_height + 1 from head)) as final,
            (select max(last_height) + 1 from segment) as sealed`,
  )
  const { final, sealed } = rows[0]!
  const limit = Math.min(final ?? 0, sealed ?? Number.MAX_SAFE_INTEGER)
  if (keptFrom <= limit) return
  throw new OperatorError(
    'heights_in_use',
    `heights from ${limit} on can still be taken back or are not in a segment yet: their partitions cannot be detached`,
    { limit },
  )
}

/** Beside all readers and writers. False: it was detached before. */
async function detach(client: pg.ClientBase, table: string, partition: string): Promise<boolean> {
  const { rows } = await client.query<{ is_pending: boolean }>(
    'select inhdetachpending as is_pending from pg_inherits where inhrelid = to_regclass($1)',
    [`"${partition}"`],
  )
  if (!rows[0]) return false
  await client.query(`alter table "${table}" detach partition "${partition}" ${rows[0].is_pending ? 'finalize' : 'concurrently'}`)
  return true
}

export type PartitionRow = { first: number; end: number; size: string; tables: string }

/** Partitions that are attached, with the size of their tables and indexes. */
export async function listPartitions(client: pg.ClientBase, layout: LayoutRow): Promise<PartitionRow[]> {
  const rows: PartitionRow[] = []
  const firsts = [...partitionsOf(layout)]
  for (const [i, first] of firsts.entries()) {
    if (first < layout.kept_from) continue
    const names = PARTITIONED.map((table) => partitionName(table, first))
    const { rows: sizes } = await client.query<{ size: string }>(
      'select pg_size_pretty(sum(pg_total_relation_size(to_regclass(quote_ident(name))))) as size from unnest($1::text[]) as t (name)',
      [names],
    )
    rows.push({ first, end: firsts[i + 1] ?? layout.made_to, size: sizes[0]!.size, tables: names.join(', ') })
  }
  return rows
}
