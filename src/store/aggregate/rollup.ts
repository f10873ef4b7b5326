import type { BlockInput, Family } from '../families/family.ts'
import type { RollupRegistry } from '../families/rollups.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import { bucketsOf } from '../state/bucket.ts'
import type { Wanted } from '../state/loader.ts'
import { rollupBucketTable, rollupNamespaceTable } from '../state/owner-series-tables.ts'
import type { State } from '../state/state.ts'
import { namespaceIdOf } from './namespace.ts'

/** Blobs per verified rollup. Runs after the rollup family, which links the blobs of the block. */
export function createRollupAggregate(state: State, registry: () => RollupRegistry): Family {
  const buckets = state.table(rollupBucketTable)
  const namespaces = state.table(rollupNamespaceTable)
  return {
    prepare(block: PackedBlock, want: Wanted) {
      const seen = new Set<string>()
      for (const blob of block.blobs) {
        const pair = `${blob.signer}/${blob.namespace}`
        if (seen.has(pair)) continue
        seen.add(pair)
        const namespace = block.namespaces[blob.namespace]!
        for (const rollupId of registry().match(block.addresses[blob.signer]!, namespace)) {
          for (const [frame, time] of bucketsOf(block.time).framed) want.row(buckets, rollupId, frame, time)
          const namespaceId = namespaceIdOf(state, namespace)
          if (namespaceId !== undefined) want.row(namespaces, namespaceId, rollupId)
        }
      }
    },

    apply({ block, time, namespaceIds, rollupLinks = [] }: BlockInput) {
      const counted = new Set<string>()
      for (const [rollupId, index] of rollupLinks) {
        const blob = block.blobs[index]!
        const pfb = `${rollupId}:${blob.message}`
        const newPfb = counted.has(pfb) ? 0 : 1
        counted.add(pfb)
        for (const [frame, start] of bucketsOf(time).framed) {
          const row =
            buckets.edit(rollupId, frame, start) ??
            buckets.insert({ rollup_id: rollupId, frame, time: start, blobs_count: 0, size: 0, fee: 0n, pfb_count: 0 })
          row.blobs_count++
          row.size += blob.size
          row.fee += blob.fee
          row.pfb_count += newPfb
        }
        const namespaceId = namespaceIds[blob.namespace]!
        const used =
          namespaces.edit(namespaceId, rollupId) ??
          namespaces.insert({ namespace_id: namespaceId, rollup_id: rollupId, blobs_count: 0, size: 0, last_time: time })
        used.blobs_count++
        used.size += blob.size
        used.last_time = time
      }
    },
  }
}
