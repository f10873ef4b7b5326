import type { BlockInput, Family } from '../families/family.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import { bucketsOf } from '../state/bucket.ts'
import type { Wanted } from '../state/loader.ts'
import { addressBucketTable } from '../state/owner-series-tables.ts'
import type { State } from '../state/state.ts'
import { storedGas } from './stored-gas.ts'

type SignerSums = { txs: number; gasWanted: bigint; gasUsed: bigint; fee: bigint }

/** Txs, gas and fees per signer; a tx with several signers counts for each of them. */
export function createAddressAggregate(state: State): Family {
  const buckets = state.table(addressBucketTable)
  return {
    prepare(block: PackedBlock, want: Wanted, idOf: (address: string) => number | undefined) {
      const { framed } = bucketsOf(block.time)
      for (const index of new Set(block.txs.flatMap((tx) => tx.signers))) {
        const id = idOf(block.addresses[index]!)
        if (id !== undefined) for (const [frame, time] of framed) want.row(buckets, id, frame, time)
      }
    },

    apply({ block, time, addressIds }: BlockInput) {
      for (const [index, sums] of sumSigners(block)) {
        const addressId = addressIds[index]!
        for (const [frame, start] of bucketsOf(time).framed) {
          const row =
            buckets.edit(addressId, frame, start) ??
            buckets.insert({ address_id: addressId, frame, time: start, tx_count: 0, gas_wanted: 0n, gas_used: 0n, fee: 0n })
          row.tx_count += sums.txs
          row.gas_wanted += sums.gasWanted
          row.gas_used += sums.gasUsed
          row.fee += sums.fee
        }
      }
    },
  }
}

/** By index in the block's addresses. The series begin with the first real block: genesis, the one without a hash, is no activity. */
function sumSigners(block: PackedBlock): Map<number, SignerSums> {
  const sums = new Map<number, SignerSums>()
  if (block.hash === '') return sums
  for (const tx of block.txs) {
    for (const signer of new Set(tx.signers)) {
      const sum = sums.get(signer) ?? { txs: 0, gasWanted: 0n, gasUsed: 0n, fee: 0n }
      sum.txs++
      sum.gasWanted += storedGas(tx.gasWanted)
      sum.gasUsed += storedGas(tx.gasUsed)
      sum.fee += tx.feeUtia
      sums.set(signer, sum)
    }
  }
  return sums
}
