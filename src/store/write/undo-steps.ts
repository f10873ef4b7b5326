import type pg from 'pg'
import { decodeUndo, type Undo } from './undo.ts'

/** Heights below the head to which the index can be taken back, if not one by one. */
const REACH = 10_000
/** Where txs are not verified yet, it can be taken back further: a height that is refuted is among them. */
const UNVERIFIED_REACH = 100_000
/** Heights that were followed one by one share a row after so many, and that is when old rows go. */
const FOLDED = 100

export type StepOptions = {
  undoDepth: number
  from: number
  to: number
  step?: { from: number; to: number; payload: Buffer } | undefined
}

/**
 * Keeps the records of heights that cannot be taken back one by one any more, and forgets those that are too old. Records stay as they are:
 * they are read only when heights are taken back.
 */
export async function keepSteps(client: pg.ClientBase, { undoDepth, from, to: last, step }: StepOptions): Promise<void> {
  await client.query(
    `with old as (delete from undo where height <= $1 returning height, payload)
     insert into undo_step (first_height, last_height, payloads)
     select min(height), max(height), array_agg(payload order by height desc)
     from old where height > (select base_height from index_start)
     having count(*) > 0`,
    [last - undoDepth],
  )
  if (step)
    await client.query('insert into undo_step (first_height, last_height, payloads) values ($1, $2, array[$3::bytea])', [
      step.from,
      step.to,
      step.payload,
    ])
  if (Math.floor(last / FOLDED) === Math.floor((from - 1) / FOLDED)) return
  await foldSingles(client)
  await client.query(
    `delete from undo_step
     where last_height <= greatest(least($1::integer, (select min(first_height) - 1 from unverified)), $2::integer)`,
    [last - REACH, last - UNVERIFIED_REACH],
  )
}

/** Steps of one height become one, as far as they lie side by side. */
async function foldSingles(client: pg.ClientBase): Promise<void> {
  await client.query(
    `with single as (delete from undo_step where first_height = last_height returning last_height as height, payloads),
          numbered as (select height, payloads[1] as payload, height - row_number() over (order by height) as run from single)
     insert into undo_step (first_height, last_height, payloads)
     select min(height), max(height), array_agg(payload order by height desc) from numbered group by run`,
  )
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
      ? 'select unnest(payloads) as payload from undo_step where last_height = $1'
      : 'select payload from undo where height = $1'
    const found = await client.query<{ payload: Buffer }>(statement, [last])
    for (const { payload } of found.rows) yield decodeUndo(payload)
  }
}
