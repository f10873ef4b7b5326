import { viewOf } from '../lib/encoding/bytes.ts'
import { NodeFault } from '../lib/errors.ts'

/** Checkers for one field of a node's answer: each returns the value it checked, or throws a NodeFault that names the field. */

export type JsonObject = Record<string, unknown>

/** An answer in which a field is missing or has the wrong type. */
export function rejectField(field: string, expected: string): never {
  throw new NodeFault('bad_field', `${field} is not ${expected}`, { field })
}

/** Parses the text of one answer. Truncated bodies, HTML and empty bodies end here. */
export function parseJsonObject(answer: Uint8Array | string, what: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(typeof answer === 'string' ? answer : viewOf(answer).toString('utf8'))
  } catch (cause) {
    throw new NodeFault('not_json', `${what} is not JSON`, { bytes: answer.length }, cause)
  }
  return asObject(value, what)
}

export function asObject(value: unknown, field: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) rejectField(field, 'an object')
  return value as JsonObject
}

/** Nodes print an empty list as `[]`, as `null` or not at all. */
export function asList(value: unknown, field: string): unknown[] {
  if (value === null || value === undefined) return []
  if (!Array.isArray(value)) rejectField(field, 'a list')
  return value
}

export function asText(value: unknown, field: string): string {
  if (typeof value !== 'string') rejectField(field, 'text')
  return value
}

/** Text that a node may leave out. */
export function asOptionalText(value: unknown, field: string): string {
  return value === null || value === undefined ? '' : asText(value, field)
}

/** A whole number below 2^53 that the node prints as text, as it does with every 64-bit integer. */
export function asCount(value: unknown, field: string): number {
  const count = typeof value === 'string' && DIGITS.test(value) ? Number(value) : -1
  if (count < 0) rejectField(field, 'a whole number as text')
  return count
}

const DIGITS = /^\d{1,15}$/

export function asInt64(value: unknown, field: string): bigint {
  if (typeof value !== 'string' || !INT64.test(value)) rejectField(field, 'an integer as text')
  return BigInt(value)
}

const INT64 = /^-?\d{1,19}$/

/** A small integer that the node prints as a JSON number. */
export function asSmallInteger(value: unknown, field: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 0xffffffff)
    rejectField(field, 'a small integer')
  return value
}

/** Upper-case hex of `bytes` bytes, or of none. */
export function asHex(value: unknown, bytes: number, field: string): string {
  if (typeof value !== 'string' || (value.length !== 0 && value.length !== bytes * 2) || !HEX.test(value)) {
    rejectField(field, `hex of ${bytes} bytes`)
  }
  return value.toUpperCase()
}

const HEX = /^[0-9A-Fa-f]*$/

/** Bytes that base64 text stands for, computed without decoding; wrong padding is a fault. */
export function countBase64Bytes(text: string | Uint8Array, field: string): number {
  const { length } = text
  if (length % 4 !== 0) rejectField(field, 'base64')
  if (length === 0) return 0
  const codeAt = (at: number) => (typeof text === 'string' ? text.charCodeAt(at) : text[at])
  const padding = codeAt(length - 1) !== 61 ? 0 : codeAt(length - 2) !== 61 ? 1 : 2
  return (length / 4) * 3 - padding
}
