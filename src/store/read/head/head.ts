import { toHex } from '../../../lib/encoding/bytes.ts'
import type { Reader } from '../../db.ts'
import type { Layout } from '../../partitions/layout.ts'
import type { Fragment } from '../../sql/fragment.ts'

/** The row the writer moves with every block: totals of the chain up to `last_height`. */
export type Head = {
  chain_id: string
  last_height: number
  /** lower-case hex */
  last_hash: string
  last_time: string
  version: number
  total_tx: number
  total_messages: number
  total_events: number
  total_accounts: number
  total_namespaces: number
  total_blobs: number
  total_blobs_size: number
  total_fee: string
  total_validators: number
  total_proposals: number
  total_ibc_clients: number
  total_supply: string
  total_voting_power: string
  total_vestings: number
  registry_version: number
  commit_number: number
  /** the lowest block of this index: genesis, an exported state, or the block that an index without state begins with */
  first_height: number
  /** false when the index began at a block without the state before it: only what blocks hold by themselves is there */
  has_state: boolean
  /** how tables are partitioned; absent from heads of the past */
  layout?: Layout | null
}

/** Identity of a head. */
export type HeadMark = {
  last_height: number
  last_hash: string
  registry_version: number
  /** grows with every commit, also when blocks are taken back: a lower one is an older state, whatever the height */
  commit_number: number
  /** height of the source when the indexer last asked it; null before it did */
  source_height: number | null
  /** up to it all txs are those that the headers seal */
  verified_height: number
  /** the state after it was last compared with proofs; null when it never was */
  proven_height: number | null
}

/** The cheap question behind every answer: is the head still the same? */
export async function findHeadMark(sql: Reader): Promise<HeadMark | undefined> {
  const [row] = await sql<HeadMark[]>`
    select last_height, encode(last_hash, 'hex') as last_hash, registry_version, commit_number,
           (select height from source_head) as source_height,
           coalesce((select min(first_height) - 1 from unverified), last_height) as verified_height,
           (select height from state_proof where height <= last_height) as proven_height
    from head`
  return row
}

/** Where the index begins, over `index_start s`. Its pseudo-block is a block of the index only when it holds the state. */
export const startColumns = (sql: Reader): Fragment =>
  sql`s.base_height + (not s.has_state)::integer as first_height, s.has_state`

/** Undefined until the first block is indexed. */
export async function findHead(sql: Reader): Promise<Head | undefined> {
  const [row] = await sql<(Omit<Head, 'last_hash'> & { last_hash: Buffer })[]>`
    select chain_id, last_height, last_hash, last_time, version,
           total_tx, total_messages, total_events, total_accounts, total_namespaces, total_blobs, total_blobs_size, total_fee,
           total_validators, total_proposals, total_ibc_clients, total_supply, total_voting_power, total_vestings, registry_version, commit_number,
           (select row_to_json(p) from partitioning p where p.is_active) as layout,
           ${startColumns(sql)}
    from head cross join index_start s`
  return row && { ...row, last_hash: toHex(row.last_hash) }
}

/** Hash of a block in lower-case hex; undefined when it is not there (any more). */
export async function blockHash(sql: Reader, height: number): Promise<string | undefined> {
  const [row] = await sql<{ hash: Buffer }[]>`select hash from block where height = ${height}`
  return row && toHex(row.hash)
}
