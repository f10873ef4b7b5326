import { type Static, type TProperties, type TSchema, Type } from 'typebox'

/**
 * The kinds of value that answers are made of (docs/rules.md R17). Descriptions of the API and the check of every answer in tests
 * come from them, so a pattern here is a promise.
 */

/** Every integer of an answer is exact in a JSON reader: below 2^53. */
export const Integer = Type.Integer({
  minimum: -Number.MAX_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  // Readers of the description would show the minimum.
  examples: [42],
})
export const Real = Type.Number({ examples: [0.5] })
export const Bool = Type.Boolean()
export const Text = Type.String()
export const Decimal = Type.String({
  format: 'decimal',
  pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?(E[+-][0-9]+)?$',
  examples: ['1000000'],
})
export const DecimalInteger = Type.String({ format: 'decimal-integer', pattern: '^-?(0|[1-9][0-9]*)$', examples: ['1000000'] })
export const HexLower = Type.String({ format: 'hex-lower', pattern: '^([0-9a-f]{2})*$', examples: ['6173747269612d6478'] })
export const HexUpper = Type.String({ format: 'hex-upper', pattern: '^([0-9A-F]{2})*$', examples: ['6173747269612D6478'] })
export const Base64 = Type.String({
  format: 'base64',
  pattern: '^[A-Za-z0-9+/]*={0,2}$',
  examples: ['AAAAAAAAAAAAAAAAAAAAAAAAAABhc3RyaWEtZHg='],
})
export const Bech32 = Type.String({
  format: 'bech32',
  pattern: '^celestia(valoper)?1[a-z0-9]+$',
  examples: ['celestia1w4dvevy0zm70yss42h4k597at605fn388cmm78'],
})
export const Time = Type.String({
  format: 'date-time',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{0,8}[1-9])?Z$',
  examples: ['2024-05-01T10:00:00.123456Z'],
})

/** The same value with a sentence about what it means in this place. */
export const described = <T extends TSchema>(schema: T, description: string): T => ({ ...schema, description })

/** A named object of the contract. Closed: a field that is not declared is a defect that tests find. */
export function Model<P extends TProperties>(title: string, properties: P) {
  return Type.Object(properties, { title, additionalProperties: false })
}

/** A field that is left out when there is nothing to say; `undefined` is left out by the JSON writer. */
export function Maybe<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Unsafe<Static<T> | undefined>(schema))
}

/** A list within the rows of a list: as CSV each of its elements is its own line, beside the other fields of the row. */
export function InLines<T extends TSchema>(items: T) {
  return Type.Array(items, { inLines: true })
}

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** Declares status 204: the entity is not there. A handler says so by returning undefined. */
export const NoContent = Type.Undefined({ description: 'nothing found' })
