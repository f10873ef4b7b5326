import { encodeAddress } from '../lib/encoding/bech32.ts'
import { toBase64, toHex } from '../lib/encoding/bytes.ts'
import type { ColumnKind, ColumnType, Value } from '../store/export/dataset.ts'

export function kindOf(type: ColumnType): { kind: ColumnKind; isOptional: boolean } {
  const isOptional = type.endsWith('?')
  return { kind: (isOptional ? type.slice(0, -1) : type) as ColumnKind, isOptional }
}

/** A cell in formats that are text. */
export function toTextCell(kind: ColumnKind, value: Value): string | number | boolean | null {
  if (!(value instanceof Uint8Array)) return value
  if (kind === 'base64') return toBase64(value)
  return kind === 'address' ? encodeAddress('celestia', toHex(value)) : toHex(value)
}
