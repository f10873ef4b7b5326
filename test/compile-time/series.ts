/** Proofs by `tsc`, see effects.ts: a series has its bucket column, its recount and its chart. */

import type { BLOCK_RECOUNTS } from '../../src/store/audit/recompute.ts'
import type { BlockBucketRow } from '../../src/store/state/block-series-tables.ts'
import type { BLOCK_SERIES, CumulativeName, PaidSeriesName, SeriesName } from '../../src/types/block-series.ts'

declare const recounts: typeof BLOCK_RECOUNTS
const { fee, ...withoutFee } = recounts

// @ts-expect-error nothing would audit the column `fee`
export const recountForgotten: typeof BLOCK_RECOUNTS = withoutFee
// @ts-expect-error a recount of a column that buckets do not have
export const recountInvented: typeof BLOCK_RECOUNTS = { ...withoutFee, fee, tips: fee }

/** Every series is made of a column that buckets have, so it has a recount. */
type Column = (typeof BLOCK_SERIES)[SeriesName]['column']
export const recounted = (column: Column): keyof BlockBucketRow & keyof typeof BLOCK_RECOUNTS => column

/** An unmarked series is neither sold nor summed. */
// @ts-expect-error
export const notPaid: PaidSeriesName = 'rewards'
// @ts-expect-error
export const notCumulative: CumulativeName = 'tps'
