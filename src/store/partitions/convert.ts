import type pg from 'pg'
import { OperatorError } from '../../lib/errors.ts'
import { announceRegistry } from '../families/rollups.ts'
import { inTransaction } from '../servers/transaction.ts'
import { lockPartitions } from '../servers/writer-lock.ts'
import { type LayoutRow, PARTITIONED, type PartitionedTable, partitionName, readLayout } from './layout.ts'
import { dropLimits, hasLimit, LIMIT } from './limit.ts'
import { inLockedTransaction } from './locked.ts'
import { makePartitions } from './make.ts'

export type ConvertOptions = {
  schema: string
  /** of a partition */
  heights: number
  signal: AbortSignal
  onStep?: (step: string) => void
}

/** Heights whose hashes are copied at once. */
const SLICE = 1000

/**
 * Cuts the tables of an index into partitions while it is written and read. No row moves: each table becomes the first partition of a
 * new one. That its rows are below the end of that partition is checked beforehand, beside everything else; only the exchange itself, some
 * hundredths of a second, locks the tables. What a run that was ended has done is not done again.
 */
export async function partitionTables(client: pg.ClientBase, options: ConvertOptions): Promise<LayoutRow> {
  const { schema, signal, onStep = () => {} } = options
  const begin = (step: string) => {
    signal.throwIfAborted()
    onStep(step)
  }
  await lockPartitions(client, schema)
  const layout = (await readLayout(client)) ?? (await plan(client, options))
  if (layout.is_active) return layout
  for (const table of PARTITIONED) {
    begin(`checking ${table}`)
    await limit(client, table, layout, options)
  }
  begin('copying hashes')
  while (await copyHashes(client)) signal.throwIfAborted()
  begin('exchanging the tables')
  await inLockedTransaction(client, () => exchange(client, schema), { signal })
  await makePartitions(client, layout.first_end)
  return (await readLayout(client))!
}

/** The first partition has room for a whole partition above the head: checking the rows may take a while. */
async function plan(client: pg.ClientBase, { heights }: ConvertOptions): Promise<LayoutRow> {
  const { rows } = await client.query<{ height: number }>('select coalesce((select last_height + 1 from head), 0) as height')
  const next = rows[0]!.height
  const end = next === 0 ? heights : (Math.floor(next / heights) + 2) * heights
  await client.query(
    `insert into partitioning (is_active, heights, first_end, made_to, kept_from, hashed_to) values (false, $1, $2, $2, 0, 0)`,
    [heights, end],
  )
  return (await readLayout(client))!
}

async function limit(client: pg.ClientBase, table: PartitionedTable, { first_end }: LayoutRow, { signal }: ConvertOptions) {
  if (!(await hasLimit(client, table)))
    await inLockedTransaction(
      client,
      () => client.query(`alter table "${table}" add constraint ${LIMIT} check (height < ${first_end}) not valid`),
      { signal },
    )
  await client.query(`alter table "${table}" validate constraint ${LIMIT}`)
}

/** Only heights that cannot be taken back; the exchange adds the others. False: there are none left. */
function copyHashes(client: pg.ClientBase): Promise<boolean> {
  return inTransaction(client, async () => {
    const { rows } = await client.query<{ final: number }>(
      'select coalesce((select min(height) from undo), (select last_height + 1 from head), 0) as final',
    )
    const layout = await lockUnfinished(client)
    const end = Math.min(rows[0]!.final, layout.hashed_to + SLICE)
    if (end <= layout.hashed_to) return false
    await insertHashes(client, layout.hashed_to, end)
    await client.query('update partitioning set hashed_to = $1', [end])
    return end < rows[0]!.final
  })
}

async function insertHashes(client: pg.ClientBase, from: number, end: number): Promise<void> {
  await client.query(
    `insert into tx_hash (id, height, hash)
     select id, height, hash from tx where height >= $1 and height < $2 and hash is not null order by id`,
    [from, end],
  )
}

async function lockUnfinished(client: pg.ClientBase): Promise<LayoutRow> {
  const layout = await readLayout(client, { lock: true })
  if (!layout)
    throw new OperatorError(
      'partitioning_overtaken',
      'the index grew beyond the first partition before it was ready: run the command again, with more heights',
    )
  return layout
}

/** The writer starts over with its next commit (the version of the registry moves) and then writes hashes too. */
async function exchange(client: pg.ClientBase, schema: string): Promise<void> {
  await client.query(`lock table ${PARTITIONED.map((table) => `"${table}"`).join(', ')} in access exclusive mode`)
  const layout = await lockUnfinished(client)
  await insertHashes(client, layout.hashed_to, layout.first_end)
  // Every partition would have one and every lookup ask all of them: hashes have a table of their own now.
  await client.query('drop index tx_hash_idx')
  for (const table of PARTITIONED) await wrap(client, table, layout)
  await dropLimits(client, (table) => partitionName(table, 0))
  await client.query('update partitioning set is_active = true, hashed_to = first_end')
  await announceRegistry(client, schema)
}

type Index = { name: string; definition: string; is_primary: boolean; columns: string }

/** Puts a partitioned table in the place of a plain one, which becomes its first partition with all of its indexes. */
async function wrap(client: pg.ClientBase, table: PartitionedTable, { first_end }: LayoutRow): Promise<void> {
  const first = partitionName(table, 0)
  const { rows: indexes } = await client.query<Index>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition, i.indisprimary as is_primary,
            (select string_agg(quote_ident(a.attname), ', ' order by k.position)
             from unnest(i.indkey) with ordinality as k (attnum, position)
             join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum) as columns
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = $1::regclass
     order by 1`,
    [`"${table}"`],
  )
  await client.query(`alter table "${table}" rename to "${first}"`)
  for (const { name } of indexes) await client.query(`alter index "${name}" rename to "${name.replace(table, first)}"`)
  await client.query(
    `create table "${table}" (like "${first}" including defaults including storage including comments) partition by range (height)`,
  )
  for (const { definition, is_primary, columns } of indexes)
    await client.query(is_primary ? `alter table "${table}" add primary key (${columns})` : definition)
  await client.query(`alter table "${table}" attach partition "${first}" for values from (minvalue) to (${first_end})`)
}
