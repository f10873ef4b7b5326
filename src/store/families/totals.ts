import type { State } from '../state/state.ts'
import { NATIVE_DENOM } from './accounts.ts'
import type { BlockInput, Family } from './family.ts'

/** The head row: where the index stands and what it has counted. Moves in the same transaction as the block (I1). */
export function createTotalsFamily(state: State): Family {
  return {
    apply({ block, time }: BlockInput) {
      const head = state.head.edit('true')!
      head.last_height = block.height
      head.last_hash = block.hash.toLowerCase()
      head.last_time = time
      head.results_hash = block.resultsHash?.toLowerCase() ?? null
      head.version = block.versionApp
      head.total_tx += block.txs.length
      head.total_messages += block.messagesCount
      head.total_events += block.stats.eventsCount + block.txEventsCount
      head.total_blobs += block.stats.blobsCount
      head.total_blobs_size += block.stats.blobsSize
      head.total_fee += block.stats.feeUtia
      head.total_supply = state.supply.get(NATIVE_DENOM)?.amount ?? 0n
      head.total_unknown_messages += block.unknownMessages.reduce((sum, { count }) => sum + count, 0)
      head.total_undecodable_txs += block.undecodableTxs
    },
  }
}
