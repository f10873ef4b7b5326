import { NATIVE_DENOM } from '../families/accounts.ts'
import type { Family } from '../families/family.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import { bucketsOf } from '../state/bucket.ts'
import type { Wanted } from '../state/loader.ts'
import { hyperlaneBucketTable, ibcBucketTable, type TransferBucketRow } from '../state/owner-series-tables.ts'
import type { State } from '../state/state.ts'

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

    effects: {
      'ibc-transfer': ({ time: blockTime }, effect) => {
        const { channelId } = effect
        for (const [frame, time] of bucketsOf(blockTime).framed)
          addTransfer(
            ibc.edit(channelId, frame, time) ?? ibc.insert({ channel_id: channelId, ...emptyBucket(frame, time) }),
            effect,
            effect.direction === 'out',
          )
      },
      'hl-transfer': ({ time: blockTime }, effect) => {
        const domain = String(effect.domain)
        for (const [frame, time] of bucketsOf(blockTime).framed)
          addTransfer(
            hyperlane.edit(domain, frame, time) ?? hyperlane.insert({ domain, ...emptyBucket(frame, time) }),
            effect,
            effect.direction === 'send',
          )
      },
    },
  }
}

const emptyBucket = (frame: number, time: string): TransferBucketRow => ({
  frame,
  time,
  sent: 0n,
  received: 0n,
  sent_count: 0,
  received_count: 0,
})

function addTransfer(row: TransferBucketRow, { denom, amount }: { denom: string; amount: bigint }, sends: boolean): void {
  // Only utia can be summed: other denominations are of unlike value.
  row[sends ? 'sent' : 'received'] += denom === NATIVE_DENOM ? amount : 0n
  row[sends ? 'sent_count' : 'received_count']++
}
