/** Formats of an export; a list apart from the programs that write them, which only an export needs. */
export const FORMAT_NAMES = ['parquet', 'csv', 'ndjson', 'iceberg'] as const

export type FormatName = (typeof FORMAT_NAMES)[number]
