import { csvFormat, ndjsonFormat } from './lines.ts'
import { parquetFormat } from './parquet.ts'

/** Formats are deterministic: equal rows give equal bytes, so a file that is written again is the same file. */
export const FORMATS = { parquet: parquetFormat, csv: csvFormat, ndjson: ndjsonFormat }

export type FormatName = keyof typeof FORMATS
