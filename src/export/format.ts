import type { FormatName } from './kind.ts'
import { csvFormat, ndjsonFormat } from './lines.ts'
import { parquetFormat } from './parquet.ts'

/** Formats of files; the tables of `iceberg` are files of Parquet with metadata beside them (iceberg/commit.ts). They are deterministic: equal rows give equal bytes, so a file that is written again is the same file. */
export const FORMATS = { parquet: parquetFormat, csv: csvFormat, ndjson: ndjsonFormat, iceberg: parquetFormat } satisfies Record<
  FormatName,
  unknown
>
