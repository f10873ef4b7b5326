import { create, type DescField, type DescMessage, getOption, type Message, ScalarType, toBinary } from '@bufbuild/protobuf'
import { AnySchema, DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt'
import { fromBase64 } from '../lib/encoding/bytes.ts'
import { AstrolabeError } from '../lib/errors.ts'
import { schemaOf } from './any.ts'
import { Scalar, scalar } from './gen/astrolabe/types_pb.ts'
import { parseDec, parseDuration, parseTimestamp } from './scalar-text.ts'
import type { AnyMessage } from './tx.ts'

/** JSON that is not the message it says it is. */
export class MessageJsonError extends AstrolabeError {
  constructor(message: string) {
    super('message_json', message)
  }
}

const MAX_DEPTH = 16

/**
 * Bytes of a message that stands as protobuf JSON in a genesis document or in an interchain-account packet: snake_case names and
 * `@type`. Unknown keys are skipped. The result has the size that the chain's own encoder gives.
 */
export function encodeJsonMessage(json: unknown): AnyMessage {
  return encodeAny(json, 0)
}

function encodeAny(json: unknown, depth: number): AnyMessage {
  if (depth > MAX_DEPTH) throw new MessageJsonError('nested too deep')
  const object = asObject(json, 'message')
  const typeUrl = object['@type']
  if (typeof typeUrl !== 'string') throw new MessageJsonError('message without @type')
  const schema = schemaOf(typeUrl)
  if (!schema) throw new MessageJsonError(`unknown type ${typeUrl}`)
  return { typeUrl, value: toBinary(schema, readMessage(schema, object, depth)) }
}

function readMessage(schema: DescMessage, object: Record<string, unknown>, depth: number): Message {
  const message = create(schema) as Message & Record<string, unknown>
  for (const field of schema.fields) {
    const json = object[field.name] ?? object[field.jsonName]
    if (json === undefined || json === null) continue
    const value =
      field.fieldKind === 'list'
        ? asArray(json, field).map((item) => readValue(field, item, depth))
        : readValue(field, json, depth)
    if (field.oneof) message[field.oneof.localName as keyof typeof message] = { case: field.localName, value } as never
    else message[field.localName as keyof typeof message] = value as never
  }
  return message
}

function readValue(field: DescField, json: unknown, depth: number): unknown {
  if (field.enum) {
    const number = typeof json === 'number' ? json : field.enum.values.find((value) => value.name === json)?.number
    return number ?? fail(field)
  }
  if (field.message) return readSubMessage(field, field.message, json, depth)
  switch (field.scalar) {
    case ScalarType.STRING:
      return readText(field, json)
    case ScalarType.BYTES:
      return (typeof json === 'string' && fromBase64(json)) || fail(field)
    case ScalarType.BOOL:
      return typeof json === 'boolean' ? json : fail(field)
    case ScalarType.INT64:
      return readInteger(field, json, -(2n ** 63n), 2n ** 63n - 1n)
    case ScalarType.UINT64:
      return readInteger(field, json, 0n, 2n ** 64n - 1n)
    case ScalarType.INT32:
      return Number(readInteger(field, json, -(2n ** 31n), 2n ** 31n - 1n))
    default:
      return Number(readInteger(field, json, 0n, 2n ** 32n - 1n))
  }
}

function readSubMessage(field: DescField, schema: DescMessage, json: unknown, depth: number): Message {
  switch (schema.typeName) {
    case AnySchema.typeName:
      return create(AnySchema, encodeAny(json, depth + 1))
    case TimestampSchema.typeName:
      return create(TimestampSchema, (typeof json === 'string' && parseTimestamp(json)) || fail(field))
    case DurationSchema.typeName: {
      const nanos = (typeof json === 'string' ? parseDuration(json) : undefined) ?? fail(field)
      return create(DurationSchema, { seconds: nanos / 1_000_000_000n, nanos: Number(nanos % 1_000_000_000n) })
    }
    default:
      return readMessage(schema, asObject(json, field.name), depth)
  }
}

function readText(field: DescField, json: unknown): string {
  if (typeof json !== 'string') return fail(field)
  return getOption(field, scalar) === Scalar.DEC ? (parseDec(json) ?? fail(field)) : json
}

function readInteger(field: DescField, json: unknown, min: bigint, max: bigint): bigint {
  const text = typeof json === 'number' && Number.isSafeInteger(json) ? String(json) : json
  if (typeof text !== 'string' || !/^-?\d{1,20}$/.test(text)) return fail(field)
  const value = BigInt(text)
  return value >= min && value <= max ? value : fail(field)
}

function asObject(json: unknown, name: string): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new MessageJsonError(`${name} is no object`)
  return json as Record<string, unknown>
}

function asArray(json: unknown, field: DescField): unknown[] {
  return Array.isArray(json) ? json : fail(field)
}

function fail(field: DescField): never {
  throw new MessageJsonError(`bad value of ${field.parent.typeName}.${field.name}`)
}
