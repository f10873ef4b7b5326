import type pg from 'pg'
import { OperatorError } from '../../lib/errors.ts'

/** Tables whose rows are read by height and id. Others are found by an owner, a time or a hash, which are in every partition. */
export const PARTITIONED = ['tx', 'message', 'block_txs'] as const

export type PartitionedTable = (typeof PARTITIONED)[number]

/** How the tables are cut by height. */
export type Layout = {
  /** of every partition but the first */
  heights: number
  /** first height behind the first partition, which holds what was there before */
  first_end: number
  /** first height without a partition */
  made_to: number
  /** partitions of lower heights were detached */
  kept_from: number
}

/** First height of the partition that holds a height. */
export function partitionAt({ heights, first_end }: Layout, height: number): number {
  return height < first_end ? 0 : Math.floor(height / heights) * heights
}

/** First height of the partition before the one that begins with `first`. */
export function partitionBefore({ heights, first_end }: Layout, first: number): number | undefined {
  if (first === 0) return undefined
  return first === first_end ? 0 : first - heights
}

/** First heights of all partitions. */
export function* partitionsOf({ heights, first_end, made_to }: Layout): Generator<number> {
  yield 0
  for (let first = first_end; first < made_to; first += heights) yield first
}

export const partitionName = (table: PartitionedTable, first: number) => `${table}_${first}`

export type LayoutRow = Layout & { is_active: boolean; hashed_to: number }

/** For what needs the rows of all heights. */
export function demandWhole(keptFrom: number | undefined, what: string): void {
  if (!keptFrom) return
  throw new OperatorError('detached', `txs and messages below height ${keptFrom} were detached from this index: ${what}`, {
    keptFrom,
  })
}

/** Undefined: the tables are not partitioned, and nobody is about to do it. */
export async function readLayout(client: pg.ClientBase, { lock = false } = {}): Promise<LayoutRow | undefined> {
  const { rows } = await client.query<LayoutRow>(
    `select is_active, heights, first_end, made_to, kept_from, hashed_to from partitioning ${lock ? 'for update' : ''}`,
  )
  return rows[0]
}
