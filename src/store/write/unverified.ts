import type pg from 'pg'

export type HeightRange = { from: number; to: number }

/** Heights that are written before their txs were compared with the data root of their header. */
export async function addUnverified(client: pg.ClientBase, { from, to }: HeightRange): Promise<void> {
  const grown = await client.query(
    'update unverified set last_height = $2 where last_height = $1 - 1 and trouble is null and first_height = (select max(first_height) from unverified)',
    [from, to],
  )
  if (grown.rowCount === 0) await client.query('insert into unverified (first_height, last_height) values ($1, $2)', [from, to])
}

/** Rows that came from somebody else: no height is verified. */
export async function markAllUnverified(client: pg.ClientBase): Promise<void> {
  await client.query('delete from unverified')
  await client.query(
    `insert into unverified (first_height, last_height)
     select s.base_height + 1, h.last_height from head h cross join index_start s where h.last_height > s.base_height`,
  )
}

/** The header above a height seals its results: the head has to wait for one. */
export async function findUnverified(client: pg.ClientBase): Promise<HeightRange | undefined> {
  const { rows } = await client.query<{ from: number; to: number }>(
    `select u.first_height as from, least(u.last_height, h.last_height - 1) as to from unverified u cross join head h
     where u.trouble is null and u.first_height < h.last_height order by u.first_height limit 1`,
  )
  return rows[0]
}

/** Heights that were taken back meanwhile, and are there again, have a row of their own. */
export async function removeUnverified(client: pg.ClientBase, { from, to }: HeightRange): Promise<void> {
  await client.query(
    `with gone as (delete from unverified where first_height = $1 and last_height <= $2)
     update unverified set first_height = $2 + 1 where first_height = $1 and last_height > $2`,
    [from, to],
  )
}

export async function markRefuted(client: pg.ClientBase, height: number, trouble: string): Promise<void> {
  await client.query(
    `with found as (delete from unverified where first_height <= $1 and last_height >= $1 returning first_height, last_height)
     insert into unverified (first_height, last_height, trouble)
     select first_height, $1 - 1, null from found where first_height < $1
     union all select $1::integer, $1, $2::text from found
     union all select $1 + 1, last_height, null from found where last_height > $1`,
    [height, trouble],
  )
}

/** Heights above `height` are taken back. */
export async function trimUnverified(client: pg.ClientBase, height: number): Promise<void> {
  await client.query('delete from unverified where first_height > $1', [height])
  await client.query('update unverified set last_height = $1 where last_height > $1', [height])
}
