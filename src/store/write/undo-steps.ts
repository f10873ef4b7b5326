import type pg from 'pg'
import { decodeUndo, mergeUndos, packUndo, type Undo } from './undo.ts'

/** Heights below the head to which the index can be taken back, if not one by one. */
const REACH = 100_000
/** Where txs are not verified yet, it can be taken back further: a height that is refuted is among them. */
const UNVERIFIED_REACH = 1_000_000
/** Heights that were followed one by one share a record after a while. */
const FOLDED = 100

export type StepOptions = { last: number; undoDepth: number; step?: { from: number; to: number; payload: Buffer } | undefined }

/** Keeps the records of heights that cannot be taken back one by one any more, and forgets those that are too old. */
export async function keepSteps(client: pg.ClientBase, { last, undoDepth, step }: StepOptions): Promise<void> {
  await client.query(
    `with old as (delete from undo where height <= $1 returning height, payload)
     insert into undo_step (first_height, last_height, payload)
     select height, height, payload from old where height > (select base_height from index_start)`,
    [last - undoDepth],
  )
  if (step)
    await client.query('insert into undo_step (first_height, last_height, payload) values ($1, $2, $3)', [
      step.from,
      step.to,
      step.payload,
    ])
  const { rows } = await client.query<{ singles: string }>(
    'select count(*) as singles from undo_step where first_height = last_height',
  )
  if (Number(rows[0]!.singles) >= FOLDED) await foldSingles(client)
  await client.query(
    `delete from undo_step
     where last_height <= greatest(least($1::integer, (select min(first_height) - 1 from unverified)), $2::integer)`,
    [last - REACH, last - UNVERIFIED_REACH],
  )
}

/** Steps of one height become one, as far as they lie side by side. */
async function foldSingles(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ height: number; payload: Buffer }>(
    'delete from undo_step where first_height = last_height returning last_height as height, payload',
  )
  rows.sort((a, b) => b.height - a.height)
  for (let from = 0; from < rows.length; ) {
    let to = from
    while (to + 1 < rows.length && rows[to + 1]!.height === rows[to]!.height - 1) to++
    const part = rows.slice(from, to + 1)
    const payload = packUndo(mergeUndos(part.map((row) => decodeUndo(row.payload))))
    await client.query('insert into undo_step (first_height, last_height, payload) values ($1, $2, $3)', [
      part.at(-1)!.height,
      part[0]!.height,
      payload,
    ])
    from = to + 1
  }
}

/** Heights below the head to which the index can be taken back, in ascending order. */
export async function listReach(client: pg.ClientBase, baseHeight: number): Promise<number[]> {
  const { rows } = await client.query<{ first: number; last: number }>(
    `select height as first, height as last from undo
     union all select first_height, last_height from undo_step
     order by last desc`,
  )
  const reach: number[] = []
  for (const { first, last } of rows) {
    if (first <= baseHeight || (reach.length > 0 && last !== reach.at(-1))) break
    reach.push(first - 1)
  }
  return reach.reverse()
}

/** Records of everything above a height, the newest first. */
export async function* readUndosAbove(client: pg.ClientBase, height: number): AsyncGenerator<Undo> {
  const { rows } = await client.query<{ last: number; is_step: boolean }>(
    `select height as last, false as is_step from undo where height > $1
     union all select last_height, true from undo_step where last_height > $1
     order by last desc`,
    [height],
  )
  for (const { last, is_step } of rows) {
    const statement = is_step
      ? 'select payload from undo_step where last_height = $1'
      : 'select payload from undo where height = $1'
    const found = await client.query<{ payload: Buffer }>(statement, [last])
    yield decodeUndo(found.rows[0]!.payload)
  }
}
