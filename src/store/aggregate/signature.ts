import type { BlockInput, Family } from '../families/family.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import { bucketsOf, DAY, HOUR } from '../state/bucket.ts'
import { signatureBucketTable } from '../state/count-series-tables.ts'
import type { Wanted } from '../state/loader.ts'
import type { State } from '../state/state.ts'

/** Signatures that the blocks of an hour and of a day hold, by validator. A bucket that began without this family has no row. */
export function createSignatureAggregate(state: State): Family {
  const buckets = state.table(signatureBucketTable)
  const framesOf = (time: string) => {
    const { hour, day } = bucketsOf(time)
    return [
      [HOUR, hour],
      [DAY, day],
    ] as const
  }
  return {
    prepare(block: PackedBlock, want: Wanted) {
      for (const [frame, time] of framesOf(block.time)) want.row(buckets, frame, time)
    },

    apply({ time, signerIds = [] }: BlockInput) {
      const before = state.head.get('true')?.last_time ?? ''
      for (const [frame, start] of framesOf(time)) {
        const row = buckets.edit(frame, start)
        if (row) row.signed = addSignatures(row.signed, signerIds)
        else if (before < start) buckets.insert({ frame, time: start, signed: addSignatures([], signerIds) })
      }
    },
  }
}

/** A copy: values inside rows are replaced, never changed. */
function addSignatures(signed: readonly number[], ids: readonly number[]): number[] {
  const sums = [...signed]
  for (const id of ids) {
    while (sums.length < id) sums.push(0)
    sums[id - 1]!++
  }
  return sums
}
