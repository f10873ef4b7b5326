import type { Db } from '../store/db.ts'
import { listBlockHashes } from '../store/read/head/past-head.ts'

/** A block that subscribers may have been told of. */
export type KnownBlock = { height: number; hash: string }

/** The last of `blocks`, ordered by height, that is still part of the chain: a fork lies above it. */
export async function findLastStanding(db: Db, blocks: readonly KnownBlock[]): Promise<KnownBlock | undefined> {
  const newest = blocks.slice(-1)
  return (await findStanding(db, newest)) ?? (await findStanding(db, blocks.slice(0, -1)))
}

async function findStanding(db: Db, blocks: readonly KnownBlock[]): Promise<KnownBlock | undefined> {
  if (blocks.length === 0) return undefined
  const heights = blocks.map(({ height }) => height)
  const stored = new Map((await listBlockHashes(db, heights)).map(({ height, hash }) => [height, hash]))
  return blocks.findLast(({ height, hash }) => stored.get(height) === hash)
}
