import type { Reader } from '../../db.ts'

/** `seen_at`: when the indexer last asked. */
export type SourceHeadRow = { height: number; time: string; seen_at: string }

/** Undefined until an indexer has asked its source for the first time. */
export async function findSourceHead(sql: Reader): Promise<SourceHeadRow | undefined> {
  const [row] = await sql<SourceHeadRow[]>`select height, time, seen_at from source_head`
  return row
}
