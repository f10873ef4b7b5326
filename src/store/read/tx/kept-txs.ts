import type { Reader } from '../../db.ts'
import { unpackTxs } from '../../pack/packed-txs.ts'

/** The txs of an indexed block, from its row or its segment; undefined when they are not kept, or cannot be read: a node may have them. */
export async function findKeptTxs(
  sql: Reader,
  { height, hash }: { height: number; hash: string },
): Promise<Uint8Array[] | undefined> {
  if (!sql.context.segments) return undefined
  const [row] = await sql<{ txs: Buffer | null }[]>`
    select t.txs from block b left join block_txs t using (height) where b.height = ${height} and b.hash = ${Buffer.from(hash, 'hex')}`
  if (!row) return undefined
  const packed = row.txs ?? (await sql.context.segments.read(sql, 'txs', height, 0).catch(() => undefined))
  return packed && unpackTxs(packed)
}
