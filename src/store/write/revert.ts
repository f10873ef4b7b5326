import type pg from 'pg'
import { OperatorError, Transient } from '../../lib/errors.ts'
import { APPEND_ONLY } from '../pack/append-only.ts'
import type { Link } from '../pack/copy-table.ts'
import { firstId } from '../pack/id.ts'
import { countCommit } from '../servers/head-notice.ts'
import { inTransaction } from '../servers/transaction.ts'
import type { State } from '../state/state.ts'
import type { TableChanges } from '../state/table.ts'
import { writeRows } from './commit.ts'
import { decodeUndo, mergeUndos, type Undo } from './undo.ts'
import { trimUnverified } from './unverified.ts'

/**
 * Takes back every height above `height`: state rows get the values they had, appended rows go. Heights that share a record go together, also when
 * `height` is among them. The writer's memory is stale afterwards and has to be loaded again.
 */
export async function revertTo(client: pg.Client, state: State, schema: string, height: number): Promise<void> {
  const steps = await listSteps(client, height)
  const singles = Math.max(height, steps[0]?.last_height ?? height)
  await inTransaction(client, () => revertSingles(client, state, schema, singles))
  // Each in its own transaction, after which the index is whole: together they may be too much for one.
  for (const { first_height } of steps) await inTransaction(client, () => revertStep(client, state, schema, first_height - 1))
}

type Step = { first_height: number; last_height: number }

/** Steps that have to be taken back, the newest first. Throws before anything is changed where they do not reach. */
async function listSteps(client: pg.Client, height: number): Promise<Step[]> {
  const { rows: found } = await client.query<{ last: number; single: number | null }>(
    'select last_height as last, (select min(height) from undo) as single from head',
  )
  const { last = -1, single } = found[0] ?? {}
  const lowest = single ?? last + 1
  if (height >= lowest - 1) return []
  const { rows } = await client.query<Step>(
    'select first_height, last_height from undo_step where last_height > $1 order by last_height desc',
    [height],
  )
  let reached = lowest - 1
  for (const step of rows) {
    if (step.last_height !== reached) break
    reached = step.first_height - 1
  }
  if (reached > height)
    throw new OperatorError('undo_missing', `cannot roll back from ${last} to ${height}: undo records reach back to ${reached}`, {
      lastHeight: last,
      height,
      reached,
    })
  const filling = await client.query('select from rollup_fill')
  if (filling.rowCount !== 0)
    throw new Transient('rollups_filled', 'blobs of a new rollup are being linked: heights are taken back when that is done')
  return rows
}

async function revertSingles(client: pg.Client, state: State, schema: string, height: number): Promise<void> {
  // First of all: a change of the rollup registry rewrites undo records under this lock.
  const head = await client.query<{ last_height: number }>('select last_height from head for update')
  const { rows } = await client.query<{ payload: Buffer }>('select payload from undo where height > $1 order by height desc', [
    height,
  ])
  const lastHeight = head.rows[0]?.last_height ?? -1
  if (lastHeight - height !== rows.length)
    throw new OperatorError(
      'undo_missing',
      `cannot roll back from ${lastHeight} to ${height}: undo records reach back ${rows.length} heights`,
      { lastHeight, height },
    )
  await takeBack(client, state, mergeUndos(rows.map(({ payload }) => decodeUndo(payload))), height)
  await client.query('delete from undo where height > $1', [height])
  await countCommit(client, schema)
}

async function revertStep(client: pg.Client, state: State, schema: string, height: number): Promise<void> {
  await client.query('select from head for update')
  const { rows } = await client.query<{ payload: Buffer }>(
    'select unnest(payloads) as payload from undo_step where first_height = $1',
    [height + 1],
  )
  // An edit of the rollup registry drops all steps.
  if (rows.length === 0)
    throw new Transient('undo_missing', `the record of the heights from ${height + 1} on is gone`, { height })
  await takeBack(client, state, mergeUndos(rows.map(({ payload }) => decodeUndo(payload))), height)
  await client.query('delete from undo_step where first_height > $1', [height])
  // Only these heights may be in a segment, or copied for partitions.
  await client.query('delete from segment where first_height > $1', [height])
  await client.query('update segment set last_height = $1 where last_height > $1', [height])
  await client.query('update partitioning set hashed_to = least(hashed_to, $1 + 1) where not is_active', [height])
  await countCommit(client, schema)
}

/** An index as it was before its first block; rollups and what came from outside the chain stay. */
export async function clearIndex(client: pg.Client, state: State): Promise<void> {
  const tables = [...[...state.tables()].map(({ def }) => def.name), ...Object.keys(APPEND_ONLY), ...BESIDE]
  await inTransaction(client, async () => {
    await client.query(`truncate ${tables.map((name) => `"${name}"`).join(', ')}`)
    // Rollups that were verified are linked from the first block on; none waits for blobs that are gone.
    await client.query('update rollup set verified = true where id in (select rollup_id from rollup_fill)')
    await client.query('delete from rollup_fill')
  })
}

/** Tables about the heights that are indexed, beside those that blocks fill. */
const BESIDE = ['undo', 'undo_step', 'unverified', 'segment', 'state_proof']

async function takeBack(client: pg.Client, state: State, undo: Undo, height: number): Promise<void> {
  for (const table of state.tables())
    await writeRows(client, table, previousRows(table.def.name, undo, table.columnNames.length, table.def.key.length))
  for (const [table, { link }] of Object.entries(APPEND_ONLY)) {
    if (link) await deleteLinks(client, table, link, undo, height)
    else await client.query(`delete from "${table}" where height > $1`, [height])
  }
  await trimUnverified(client, height)
}

function previousRows(table: string, { state }: Undo, columns: number, keyColumns: number): TableChanges {
  const upserts: (string | null)[][] = Array.from({ length: columns }, () => [])
  const deletes: (string | null)[][] = Array.from({ length: keyColumns }, () => [])
  for (const [key, before] of state[table] ?? []) {
    if (before) for (let i = 0; i < columns; i++) upserts[i]!.push(before[i] ?? null)
    else for (let i = 0; i < keyColumns; i++) deletes[i]!.push(key[i]!)
  }
  return { upserts, deletes }
}

async function deleteLinks(
  client: pg.Client,
  table: string,
  { owner, id, owners, within }: Link,
  undo: Undo,
  height: number,
): Promise<void> {
  const values = [undo[owners] ?? [], firstId(height + 1), ...(within ? [undo[within.values] ?? []] : [])]
  const narrowed = within ? `and ${within.column} = any($3)` : ''
  await client.query(`delete from "${table}" where ${owner} = any($1) ${narrowed} and ${id} >= $2`, values)
}
