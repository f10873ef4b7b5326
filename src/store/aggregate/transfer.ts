import type { Effect } from '../../types/effects.ts'
import type { PackedBlock } from '../pack/pack-block.ts'
import type { Wanted } from '../state/loader.ts'
import type { State } from '../state/state.ts'
import { NATIVE_DENOM } from '../write/accounts.ts'
import type { BlockInput, Family } from '../write/family.ts'
import { bucketsOf } from './bucket.ts'
import { hyperlaneBucketTable, ibcBucketTable, type TransferBucketRow } from './owner-tables.ts'

/** Transfers over IBC channels and to Hyperlane domains. */
export function createTransferAggregate(state: State): Family {
  const ibc = state.table(ibcBucketTable)
  const hyperlane = state.table(hyperlaneBucketTable)
  return {
    prepare(block: PackedBlock, want: Wanted) {
      for (const effect of block.effects) {
        for (const [frame, time] of bucketsOf(block.time).framed) {
          if (effect.kind === 'ibc-transfer') want.row(ibc, effect.channelId, frame, time)
          else if (effect.kind === 'hl-transfer') want.row(hyperlane, String(effect.domain), frame, time)
        }
      }
    },

    applyEffect({ time: blockTime }: BlockInput, effect: Effect) {
      if (effect.kind !== 'ibc-transfer' && effect.kind !== 'hl-transfer') return
      const sends = effect.direction === 'out' || effect.direction === 'send'
      // Only utia can be summed: other denominations are of unlike value.
      const amount = effect.denom === NATIVE_DENOM ? effect.amount : 0n
      for (const [frame, time] of bucketsOf(blockTime).framed) {
        const empty: TransferBucketRow = { frame, time, sent: 0n, received: 0n, sent_count: 0, received_count: 0 }
        const row =
          effect.kind === 'ibc-transfer'
            ? (ibc.edit(effect.channelId, frame, time) ?? ibc.insert({ channel_id: effect.channelId, ...empty }))
            : (hyperlane.edit(String(effect.domain), frame, time) ??
              hyperlane.insert({ domain: String(effect.domain), ...empty }))
        row[sends ? 'sent' : 'received'] += amount
        row[sends ? 'sent_count' : 'received_count']++
      }
    },
  }
}
