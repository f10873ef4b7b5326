import type { Reader } from '../db.ts'

/** Facts from which a proof about the content of a block starts. */
export type BlockSeal = { height: number; hash: Buffer; data_hash: Buffer; version_app: number; bytes_in_block: number }

export async function findBlockSeal(sql: Reader, height: number): Promise<BlockSeal | undefined> {
  const [row] = await sql<BlockSeal[]>`
    select height, hash, data_hash, version_app, bytes_in_block from block where height = ${height}`
  return row
}
