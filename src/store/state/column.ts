import { toMicroTime } from '../../lib/time.ts'
import type { Json } from '../../types/effects.ts'

/**
 * How a column looks in memory and in PostgreSQL's text form. The text form is canonical: a value read back and written again gives the
 * same text, so that undo records do not depend on whether a row came from memory or from the database. Null needs no codec.
 */
export type Column<Value = unknown> = {
  /** type of the column in PostgreSQL */
  readonly pg: string
  encode(value: Value): string
  decode(text: string): Value
}

/** A value for each of these columns. */
export type ValuesOf<Columns> = { -readonly [C in keyof Columns]: Columns[C] extends Column<infer Value> ? Value : never }

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

export const int: Column<number> = { pg: 'bigint', encode: String, decode: Number }

/** numeric without fraction */
export const amount: Column<bigint> = { pg: 'numeric', encode: String, decode: BigInt }

/** value x 10^18, numeric with 18 fraction digits */
export const dec: Column<bigint> = { pg: 'numeric', encode: decToText, decode: decFromText }

export const float: Column<number> = { pg: 'double precision', encode: String, decode: Number }

export const text: Column<string> = { pg: 'text', encode: (value) => value, decode: (value) => value }

export const bool: Column<boolean> = {
  pg: 'boolean',
  encode: (value) => (value ? 't' : 'f'),
  decode: (value) => value === 't' || value === 'true',
}

/** RFC 3339 UTC with exactly six fraction digits, so that texts compare like times */
export const time: Column<string> = {
  pg: 'timestamptz',
  encode: toMicroTime,
  decode: (value) => toMicroTime(timeFromPg(value)),
}

/** lower-case hex */
export const bytes: Column<string> = { pg: 'bytea', encode: (value) => `\\x${value}`, decode: (value) => value.slice(2) }

/** keys sorted */
export const json: Column<Json> = { pg: 'jsonb', encode: stableJson, decode: (value) => JSON.parse(value) as Json }

export const ints: Column<number[]> = {
  pg: 'integer[]',
  encode: (value) => `{${value.join(',')}}`,
  decode: (value) => (value === '{}' ? [] : value.slice(1, -1).split(',').map(Number)),
}

/** A text that is one of these. */
export function oneOf<Value extends string>(..._values: Value[]): Column<Value> {
  return text as Column<string> as Column<Value>
}

export function orNull<Value>(column: Column<Value>): Column<Value | null> {
  return column as Column<Value | null>
}
