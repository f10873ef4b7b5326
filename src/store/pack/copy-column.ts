/** PostgreSQL COPY text format: tab-separated, `\N` for null, four characters escaped. */
import { decToText } from '../state/column.ts'

/** How a value of a column is written. */
export type CopyColumn<Value = never> = (value: Value) => string | number | bigint

/** A value for each of these columns. */
export type CopyValues<Columns> = { [C in keyof Columns]: Columns[C] extends CopyColumn<infer Value> ? Value : never }

export const int: CopyColumn<number> = (value) => value

export const float: CopyColumn<number> = (value) => value

export const amount: CopyColumn<bigint> = (value) => value

const INT8_MAX = 2n ** 63n - 1n

/** Gas and the like are u64 on the chain: a hostile value must not stop the index. */
export const cappedInt8: CopyColumn<bigint> = (value) => (value > INT8_MAX ? INT8_MAX : value)

export const dec: CopyColumn<bigint> = decToText

export const bool: CopyColumn<boolean> = (value) => (value ? 't' : 'f')

export const time: CopyColumn<string> = (value) => value

const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

export const text: CopyColumn<string> = (value) =>
  SPECIAL.test(value) ? value.replace(/[\\\t\n\r]/g, (c) => ESCAPES[c]!) : value

export const bytes: CopyColumn<Uint8Array> = (value) =>
  `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}`

/** Bytes that are hex already. */
export const hex: CopyColumn<string> = (value) => `\\\\x${value}`

export const ints: CopyColumn<readonly number[]> = (value) => `{${value.join(',')}}`

export function orNull<Value>(column: CopyColumn<Value>): CopyColumn<Value | null> {
  return (value) => (value === null ? '\\N' : column(value))
}

/** Empty texts are kept as null: the API leaves them out, and null costs no space. */
export function emptyAsNull(column: CopyColumn<string>): CopyColumn<string> {
  return (value) => (value === '' ? '\\N' : column(value))
}
