import { namespaceKey } from '../families/blobs.ts'
import type { BlockInput, Family } from '../families/family.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import { bucketsOf } from '../state/bucket.ts'
import type { Wanted } from '../state/loader.ts'
import { namespaceBucketTable } from '../state/owner-series-tables.ts'
import type { State } from '../state/state.ts'

/** Bytes, blobs and PFBs per namespace. */
export function createNamespaceAggregate(state: State): Family {
  const buckets = state.table(namespaceBucketTable)
  return {
    prepare(block: PackedBlock, want: Wanted) {
      for (const namespace of block.namespaces) {
        const id = namespaceIdOf(state, namespace)
        if (id === undefined) continue
        for (const [frame, time] of bucketsOf(block.time).framed) want.row(buckets, id, frame, time)
      }
    },

    apply({ block, time, namespaceIds }: BlockInput) {
      if (block.blobs.length === 0) return
      for (const [index, sums] of sumNamespaces(block)) {
        const namespaceId = namespaceIds[index]!
        for (const [frame, start] of bucketsOf(time).framed) {
          const row =
            buckets.edit(namespaceId, frame, start) ??
            buckets.insert({ namespace_id: namespaceId, frame, time: start, size: 0, blobs_count: 0, pfb_count: 0 })
          row.size += sums.size
          row.blobs_count += sums.blobs
          row.pfb_count += sums.pfbs
        }
      }
    },
  }
}

/** The id of a namespace that is known; undefined for one that this batch brings to life. Namespaces are loaded before. */
export function namespaceIdOf(state: State, namespace: string): number | undefined {
  return state.namespace.get(...namespaceKey(namespace))?.id
}

function sumNamespaces(block: PackedBlock): Map<number, { size: number; blobs: number; pfbs: number }> {
  const sums = new Map<number, { size: number; blobs: number; pfbs: number }>()
  const of = (namespace: number) => {
    const known = sums.get(namespace)
    if (known) return known
    const fresh = { size: 0, blobs: 0, pfbs: 0 }
    sums.set(namespace, fresh)
    return fresh
  }
  for (const blob of block.blobs) of(blob.namespace).blobs++
  const links = block.namespaceLinks
  for (let i = 0; i < links.length; i += 3) {
    const sum = of(links[i]!)
    sum.size += links[i + 2]!
    sum.pfbs++
  }
  return sums
}
