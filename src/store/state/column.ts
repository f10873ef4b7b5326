import { toMicroTime } from '../../lib/time.ts'
import type { Json } from '../../types/effects.ts'

/**
 * How a column looks in memory and in PostgreSQL's text form. The text form is canonical: a value read back and written again gives the
 * same text, so that undo records do not depend on whether a row came from memory or from the database.
 */
export type ColumnType =
  | 'int' // number
  | 'amount' // bigint, numeric without fraction
  | 'dec' // bigint = value x 10^18, numeric with 18 fraction digits
  | 'float' // number, double precision
  | 'text'
  | 'bool'
  | 'time' // RFC 3339 UTC with exactly six fraction digits, so that texts compare like times
  | 'bytes' // lower-case hex
  | 'json' // Json, keys sorted
  | 'ints' // number[]

type ColumnCodec = { pg: string; encode: (value: never) => string; decode: (text: string) => unknown }

const DEC_ONE = 10n ** 18n

export function decToText(value: bigint): string {
  const negative = value < 0n
  const digits = (negative ? -value : value).toString().padStart(19, '0')
  return `${negative ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18)}`
}

export function decFromText(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  const scaled = BigInt(whole.replace('-', '') || '0') * DEC_ONE + BigInt(fraction.padEnd(18, '0').slice(0, 18) || '0')
  return text.startsWith('-') ? -scaled : scaled
}

/** `2026-11-15 02:26:34.96+00` (PostgreSQL) -> `2026-11-15T02:26:34.96Z`. */
export function timeFromPg(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11).replace(/\+00(:00)?$/, '')}Z`
}

export function stableJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const keys = Object.keys(value).sort()
    return `{${keys.map((key) => `${JSON.stringify(key)}:${stableJson(value[key] ?? null)}`).join(',')}}`
  }
  return JSON.stringify(value)
}

export const columnCodecs: Record<ColumnType, ColumnCodec> = {
  int: { pg: 'bigint', encode: (v: number) => String(v), decode: Number },
  amount: { pg: 'numeric', encode: (v: bigint) => v.toString(), decode: (text) => BigInt(text) },
  dec: { pg: 'numeric', encode: decToText, decode: decFromText },
  float: { pg: 'double precision', encode: (v: number) => String(v), decode: Number },
  text: { pg: 'text', encode: (v: string) => v, decode: (text) => text },
  bool: { pg: 'boolean', encode: (v: boolean) => (v ? 't' : 'f'), decode: (text) => text === 't' || text === 'true' },
  time: { pg: 'timestamptz', encode: toMicroTime, decode: (text) => toMicroTime(timeFromPg(text)) },
  bytes: { pg: 'bytea', encode: (v: string) => `\\x${v}`, decode: (text) => text.slice(2) },
  json: { pg: 'jsonb', encode: stableJson, decode: (text) => JSON.parse(text) as Json },
  ints: {
    pg: 'integer[]',
    encode: (v: number[]) => `{${v.join(',')}}`,
    decode: (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number)),
  },
}
