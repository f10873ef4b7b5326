import type pg from 'pg'
import { announceRegistry, readVerified } from '../families/rollups.ts'
import { firstId } from '../pack/id.ts'
import { inTransaction } from '../servers/transaction.ts'
import { addFilledTotals, endOfSlice, linkBlobs, NO_BOUND } from './links.ts'
import { type RollupRows, readRollupRows, rewriteUndo } from './undo.ts'

/** A slice takes some tenths of a second. */
const BLOBS_PER_SLICE = 5000

/**
 * Links every rollup that waits for it to the blobs that are indexed already, then shows them all at once. The heights that cannot be
 * taken back any more are filled in slices, each in its own transaction that blocks nobody: a run that was ended continues where
 * it stopped. Only the last step, which is short, holds the head row. The session holds the lock of the registry.
 */
export async function fillRollups(client: pg.ClientBase, schema: string, sliceBlobs = BLOBS_PER_SLICE): Promise<void> {
  const { rows } = await client.query<{ rollup_id: number }>('select rollup_id from rollup_fill order by rollup_id')
  const ids = rows.map(({ rollup_id: id }) => id)
  if (ids.length === 0) return
  for (const id of ids) while (await fillSlice(client, id, sliceBlobs));
  await inTransaction(client, () => showRollups(client, schema, ids))
}

/** False: nothing is left below the heights that can be taken back. */
function fillSlice(client: pg.ClientBase, id: number, blobs: number): Promise<boolean> {
  return inTransaction(client, async () => {
    const below = await endOfFinal(client)
    const from = await filledTo(client, id)
    if (from >= below) return false
    const end = await endOfSlice(client, id, { from, below }, blobs)
    await fillTo(client, id, from, end)
    return end < below
  })
}

async function showRollups(client: pg.ClientBase, schema: string, ids: readonly number[]): Promise<void> {
  await client.query('select last_height from head for update')
  const final = await endOfFinal(client)
  const before = new Map<number, RollupRows>()
  for (const id of ids) await fillTo(client, id, await filledTo(client, id), final)
  for (const id of ids) before.set(id, await readRollupRows(client, id))
  for (const id of ids) await fillTo(client, id, await filledTo(client, id), NO_BOUND)
  await addFilledTotals(client)
  await client.query('update rollup set verified = true where id = any($1)', [ids])
  await client.query('delete from rollup_fill where rollup_id = any($1)', [ids])
  await rewriteUndo(client, await readVerified(client), before)
  await announceRegistry(client, schema)
}

async function fillTo(client: pg.ClientBase, id: number, from: number, below: number): Promise<void> {
  if (from >= below) return
  await linkBlobs(client, id, { from, below })
  await client.query('update rollup_fill set next_id = $2 where rollup_id = $1', [id, below])
}

async function filledTo(client: pg.ClientBase, id: number): Promise<number> {
  const { rows } = await client.query<{ next: string }>('select next_id as next from rollup_fill where rollup_id = $1', [id])
  return Number(rows[0]!.next)
}

/** The first id of the heights that can still be taken back, or of the next height. */
async function endOfFinal(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ height: number }>(
    'select coalesce((select min(height) from undo), (select last_height + 1 from head), 0) as height',
  )
  return firstId(rows[0]!.height)
}
