import { OperatorError } from '../lib/errors.ts'
import { encodeJsonMessage, MessageJsonError } from './from-json.ts'
import { parseDec, parseDuration, parseTimestamp } from './scalar-text.ts'

import type { AnyMessage } from './tx.ts'

/**
 * Checkers for one value of a genesis document: each returns the value it checked. A document that breaks them is not the genesis
 * of a chain we can index, and only a person can get the right one.
 */

export type Fields = Record<string, unknown>

export function refuse(path: string, expected: string): never {
  throw new OperatorError('genesis_invalid', `the genesis document is not usable: ${path} is not ${expected}`, { path })
}

/** Sections are left out, null or `{}` when a module has no state. */
export function asFields(value: unknown, path: string): Fields {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) refuse(path, 'an object')
  return value as Fields
}

export function asList(value: unknown, path: string): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : refuse(path, 'a list')
}

export function asText(value: unknown, path: string): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : refuse(path, 'text')
}

/** Integers are text in most places and numbers in a few; absent means 0. */
export function asInteger(value: unknown, path: string): bigint {
  if (value === undefined || value === null || value === '') return 0n
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  return typeof value === 'string' && /^-?\d{1,78}$/.test(value) ? BigInt(value) : refuse(path, 'an integer')
}

/** Value x 10^18. */
export function asDec(value: unknown, path: string): bigint {
  if (value === undefined || value === null || value === '') return 0n
  const digits = typeof value === 'string' ? parseDec(value) : undefined
  return digits === undefined ? refuse(path, 'a decimal') : BigInt(digits)
}

/** Nanoseconds of `1814400s`, or of an integer that counts nanoseconds already. */
export function asNanos(value: unknown, path: string): bigint {
  return (typeof value === 'string' ? parseDuration(value) : undefined) ?? asInteger(value, path)
}

/** The text of a time that is one. */
export function asTime(value: unknown, path: string): string {
  const text = asText(value, path)
  return parseTimestamp(text) ? text : refuse(path, 'a time')
}

export type GenesisCoin = { denom: string; amount: bigint }

export function asCoin(value: unknown, path: string): GenesisCoin {
  const { denom, amount } = asFields(value, path)
  return { denom: asText(denom, `${path}.denom`), amount: asInteger(amount, `${path}.amount`) }
}

export function asCoins(value: unknown, path: string): GenesisCoin[] {
  return asList(value, path).map((coin, i) => asCoin(coin, `${path}[${i}]`))
}

/** Bytes of a message in JSON; undefined when its type is unknown or its fields are not those of the type. */
export function encodeMessage(value: unknown): AnyMessage | undefined {
  try {
    return encodeJsonMessage(value)
  } catch (error) {
    if (error instanceof MessageJsonError) return undefined
    throw error
  }
}

export function asMessage(value: unknown, path: string): AnyMessage {
  return encodeMessage(value) ?? refuse(path, 'a message of a known type')
}
