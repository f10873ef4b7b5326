import type { ExportColumn } from './dataset.ts'

/** Columns that many datasets have. */

export const HEIGHT: ExportColumn = ['int64', 'height of the block (blocks.height)']
export const TIME: ExportColumn = ['time', 'time of the block']

/** Id that follows from the place in the chain. */
export const placeId = (noun: string): ExportColumn => ['int64', `id of the ${noun}: height × 2^24 + position in the block`]
