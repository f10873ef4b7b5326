import type { Reader } from '../db.ts'

/** Ids of the txs with a hash: none when it is unknown, and more than one when the same tx was included again. */
export async function findTxIds(sql: Reader, hash: Uint8Array): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`select id from tx where hash = ${hash} order by id`
  return rows.map(({ id }) => id)
}
