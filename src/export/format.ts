import { csvFormat, ndjsonFormat } from './lines.ts'
import { parquetFormat } from './parquet.ts'

/** The same rows give the same bytes in each of them, so that a file that is written again is the same file. */
export const FORMATS = { parquet: parquetFormat, csv: csvFormat, ndjson: ndjsonFormat }

export type FormatName = keyof typeof FORMATS
