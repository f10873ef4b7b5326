import type { Reader } from '../../db.ts'
import type { Fragment } from '../../sql/fragment.ts'

/** Ids of the txs with a hash: none when it is unknown, and more than one when the same tx was included again. */
export async function findTxIds(sql: Reader, hash: Uint8Array): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`select id from ${hashTable(sql)} where hash = ${hash} order by id`
  return rows.map(({ id }) => id)
}

/** The hashes of txs with their ids and heights; genesis txs, which have none, may be missing. A plain table in any case: it may be joined. */
export function hashTable(sql: Reader): Fragment {
  return sql.context.partitions.layout ? sql`tx_hash` : sql`tx`
}
