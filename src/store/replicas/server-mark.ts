import type { Reader } from '../db.ts'

/** What one of several servers shows of a network: which of them is newest, and what the newest one knows that others do not. */
export type ServerMark = {
  is_standby: boolean
  /** grows with every promotion; 0 on a standby */
  timeline: number
  /** null: nothing is indexed yet */
  commit_number: number | null
  last_height: number | null
  last_time: string | null
  source_height: number | null
  source_time: string | null
  source_seen_at: string | null
}

/** The tables of a network are not there yet, or not all of them. */
const NOT_MADE = new Set(['42P01', '3F000', '42703'])

export async function findServerMark(sql: Reader): Promise<ServerMark> {
  try {
    return await readMark(sql)
  } catch (error) {
    if (!NOT_MADE.has((error as { code?: string }).code ?? '')) throw error
    const [row] = await sql<{ is_standby: boolean }[]>`select pg_is_in_recovery() as is_standby`
    return { ...NOTHING, is_standby: row!.is_standby }
  }
}

const NOTHING = {
  timeline: 0,
  commit_number: null,
  last_height: null,
  last_time: null,
  source_height: null,
  source_time: null,
  source_seen_at: null,
}

async function readMark(sql: Reader): Promise<ServerMark> {
  const [row] = await sql<ServerMark[]>`
    select pg_is_in_recovery() as is_standby,
           case when pg_is_in_recovery() then 0 else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline,
           h.commit_number, h.last_height, h.last_time, s.height as source_height, s.time as source_time, s.seen_at as source_seen_at
    from (select) one
    left join head h on true
    left join source_head s on true`
  return row!
}
