import type { JsonSchema } from './describe-input.ts'

/**
 * Records of the paid surface: the key surface's object plus the declared fields, at top level (docs/rules.md R55).
 */

type Json = Record<string, unknown>

/** The genesis pseudo-block counts (docs/rules.md R36). An index that began without state has no totals. */
export const toHead = (head: Json): Json =>
  'no_state_before' in head ? head : { ...head, total_blocks: (head.last_height as number) + 1 }

export function toAddress(address: Json): Json {
  const balance = (address.balance ?? {}) as Json
  return { ...address, spendable: balance.spendable, delegated: balance.delegated, unbonding: balance.unbonding }
}

export function toValidator(validator: Json): Json {
  const operator = (validator.address ?? {}) as Json
  return { ...validator, address: operator.hash, commission: validator.rate }
}

/** The last trade counts. One price serves both currencies: the source quotes the token in a dollar coin. */
export const toPrice = (candle: Json, currency: string): Json => ({ ...candle, price: candle.close, currency })

const string: JsonSchema = { type: 'string' }
const int: JsonSchema = { type: 'integer', format: 'int64' }
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties })

/** Only declared fields are listed; records carry more. */
export const SCHEMAS: Record<string, JsonSchema> = {
  Head: object({ last_height: int, last_time: string, total_blocks: int }),
  Block: object({ height: int, hash: string, time: string, proposer: { type: 'object' } }),
  Address: object({ hash: string, spendable: string, delegated: string, unbonding: string }),
  Transaction: object({ hash: string, height: int, status: { type: 'string', enum: ['success', 'failed'] }, gas_used: int }),
  Validator: object({ moniker: string, address: string, voting_power: string, commission: string }),
  Price: object({ price: string, time: string }),
}

const REFERENCE = '#/components/schemas/'

export const record = (name: keyof typeof SCHEMAS & string): JsonSchema => ({ $ref: REFERENCE + name })
export const anObject: JsonSchema = { type: 'object' }
export const list = (items: JsonSchema = anObject): JsonSchema => ({ type: 'array', items })

/** The schema with its records in place, for readers that have no common part to refer to. */
export function inlineRecords(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(inlineRecords)
  const { $ref } = schema as JsonSchema
  if (typeof $ref === 'string') return SCHEMAS[$ref.slice(REFERENCE.length)]
  return Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, inlineRecords(inner)]))
}
