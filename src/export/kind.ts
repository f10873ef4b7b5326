import { encodeAddress } from '../lib/encoding/bech32.ts'
import { toBase64, toHex } from '../lib/encoding/bytes.ts'
import type { AnyDataset, ColumnKind, ColumnType, Value } from '../store/export/dataset.ts'

/** Formats of an export; the programs that write them are apart, because only an export needs them. */
export const FORMAT_NAMES = ['parquet', 'csv', 'ndjson', 'iceberg'] as const

export type FormatName = (typeof FORMAT_NAMES)[number]

/** A column as formats see it. */
export type KnownColumn = { name: string; kind: ColumnKind; isOptional: boolean; about: string }

export const columnsOf = ({ columns }: AnyDataset): KnownColumn[] =>
  Object.entries(columns).map(([name, [type, about]]) => ({ name, about, ...kindOf(type) }))

function kindOf(type: ColumnType): { kind: ColumnKind; isOptional: boolean } {
  const isOptional = type.endsWith('?')
  return { kind: (isOptional ? type.slice(0, -1) : type) as ColumnKind, isOptional }
}

/** A cell in formats that are text. */
export function toTextCell(kind: ColumnKind, value: Value): string | number | boolean | null {
  if (!(value instanceof Uint8Array)) return value
  if (kind === 'base64') return toBase64(value)
  return kind === 'address' ? encodeAddress('celestia', toHex(value)) : toHex(value)
}
