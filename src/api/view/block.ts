import type { Static } from 'typebox'
import type { BlockListRow, BlockRow, BlockStatsRow } from '../../store/read/block.ts'
import { toSafeInteger } from '../http/write-json.ts'
import type { Block, BlockStats } from '../schema/block.ts'
import { toMessageTypes } from './tx.ts'
import { toShortValidator } from './validator.ts'

/** Ids of blocks count from 1, and genesis is the first. */
export function toBlock(row: BlockRow): Static<typeof Block> {
  return {
    id: row.height + 1,
    height: row.height,
    time: row.time,
    version_block: String(row.version_block),
    version_app: String(row.version_app),
    hash: row.hash.toUpperCase(),
    parent_hash: row.parent_hash.toUpperCase(),
    last_commit_hash: row.last_commit_hash.toUpperCase(),
    data_hash: row.data_hash.toUpperCase(),
    validators_hash: row.validators_hash.toUpperCase(),
    next_validators_hash: row.next_validators_hash.toUpperCase(),
    consensus_hash: row.consensus_hash.toUpperCase(),
    app_hash: row.app_hash.toUpperCase(),
    last_results_hash: row.last_results_hash.toUpperCase(),
    evidence_hash: row.evidence_hash.toUpperCase(),
    message_types: toMessageTypes(row.message_types),
  }
}

/** A block with what its row carries: the proposer is left out for genesis, statistics when they were not asked for. */
export function toFullBlock(row: BlockListRow, stats: boolean): Static<typeof Block> {
  return Object.assign(toBlock(row), {
    proposer: row.proposer ? toShortValidator(row.proposer) : undefined,
    stats: stats ? toBlockStats(row as BlockStatsRow) : undefined,
  })
}

/** Data bytes of a full square of side 64, less what is set aside: fixed, whatever governance says (docs/rules.md R27). */
const FULL_BLOCK_BYTES = 1_962_447

export function toBlockStats(row: BlockStatsRow): Static<typeof BlockStats> {
  return {
    tx_count: row.tx_count,
    events_count: row.events_count,
    blobs_size: row.blobs_size,
    blobs_count: row.blobs_count,
    fee: row.fee,
    supply_change: row.supply_change,
    inflation_rate: row.inflation_rate,
    fill_rate: (row.bytes_in_block / FULL_BLOCK_BYTES).toFixed(4),
    rewards: row.rewards,
    commissions: row.commissions,
    block_time: row.block_time,
    gas_limit: toSafeInteger(row.gas_limit),
    gas_used: toSafeInteger(row.gas_used),
    bytes_in_block: row.bytes_in_block,
    square_size: row.square_size,
  }
}
