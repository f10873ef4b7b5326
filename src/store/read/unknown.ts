import type { Reader } from '../db.ts'

/** Messages of unknown types and undecodable txs of the whole chain. */
export async function countUnknown(sql: Reader): Promise<{ messages: number; txs: number }> {
  const [row] = await sql<{ messages: number; txs: number }[]>`
    select total_unknown_messages as messages, total_undecodable_txs as txs from head`
  return row ?? { messages: 0, txs: 0 }
}

/** Types that no codec knows, between two heights. */
export function listUnknownTypes(sql: Reader, after: number, upTo: number): Promise<{ type: string; count: number }[]> {
  return sql<{ type: string; count: number }[]>`
    select coalesce(type_url, 'unknown') as type, count(*) as count
    from message
    where height > ${after} and height <= ${upTo} and type = 0
    group by 1
    order by 1`
}

/** Reading connections of all processes, by what they do. */
export function countConnections(sql: Reader): Promise<{ state: string; count: number }[]> {
  return sql<{ state: string; count: number }[]>`
    select coalesce(state, 'other') as state, count(*) as count
    from pg_stat_activity
    where application_name like 'astrolabe read %'
    group by 1`
}
