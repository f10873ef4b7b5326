import { type DescEnum, type DescField, type DescMessage, getOption, type Message, ScalarType } from '@bufbuild/protobuf'
import type { Any, Duration, Timestamp } from '@bufbuild/protobuf/wkt'
import { sanitizeText, toBase64 } from '../lib/encoding/bytes.ts'
import type { Json } from '../types/effects.ts'
import { nullable, Scalar, scalar } from './gen/astrolabe/types_pb.ts'
import { durationNanos, formatDec, formatDuration, formatTimestamp, formatTimestampTrimmed } from './scalar-text.ts'

export type JsonObject = { [key: string]: Json }

/** How the values that JSON has no type for are written. */
export type Dialect = {
  keyOf(field: DescField): string
  /** A oneof is written as its set member; otherwise as an object of that member under its own key. */
  flattenOneof: boolean
  long(value: bigint): Json
  enumeration(desc: DescEnum, value: number): Json
  time(value: Timestamp): Json
  duration(value: Duration): Json
}

/** Turns an Any into JSON; who calls decides how deep it goes. */
export type AnyWriter = (any: Any) => Json

/** The form of the API: protobuf JSON under PascalCase names. */
export const API_DIALECT: Dialect = {
  keyOf: (field) => toPascalCase(field.name),
  flattenOneof: true,
  long: (value) => value.toString(),
  enumeration: (desc, value) => desc.value[value]?.name ?? value,
  time: formatTimestamp,
  duration: formatDuration,
}

// Two fields carry a name of their own in the node's types.
const NATIVE_KEYS = new Map([
  ['tendermint.types.Header.chain_id', 'ChainID'],
  ['tendermint.types.Commit.block_id', 'BlockID'],
])

/** The form of light-client objects: a dump of the node's own types, with integers, durations and enums as numbers. */
export const NATIVE_DIALECT: Dialect = {
  keyOf: (field) => NATIVE_KEYS.get(`${field.parent.typeName}.${field.name}`) ?? toPascalCase(field.name),
  flattenOneof: false,
  long: toNumber,
  enumeration: (_, value) => value,
  time: formatTimestampTrimmed,
  duration: (value) => toNumber(durationNanos(value)),
}

/** A number when it is exact, else its digits. */
function toNumber(value: bigint): Json {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}

/** `client_id` gives `ClientId`, `groth16_vkey` gives `Groth16Vkey`. */
export function toPascalCase(name: string): string {
  return name
    .split(/[_\-.\s]+|(?<=[a-z])(?=[A-Z])/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('')
}

export function toJsonObject(schema: DescMessage, message: Message, dialect: Dialect, writeAny: AnyWriter): JsonObject {
  const out: JsonObject = {}
  fillJsonObject(out, schema, message, dialect, writeAny)
  return out
}

/** Writes the fields of a message into an object that may hold keys already, such as `@type`. */
export function fillJsonObject(
  out: JsonObject,
  schema: DescMessage,
  message: Message,
  dialect: Dialect,
  writeAny: AnyWriter,
): void {
  for (const write of writersOf(schema, dialect)) write(out, message as unknown as Fields, writeAny)
}

type Fields = Record<string, unknown>
type FieldWriter = (out: JsonObject, message: Fields, writeAny: AnyWriter) => void
type ValueWriter = (value: unknown, writeAny: AnyWriter) => Json

const compiled = new Map<Dialect, WeakMap<DescMessage, FieldWriter[]>>([
  [API_DIALECT, new WeakMap()],
  [NATIVE_DIALECT, new WeakMap()],
])

/** Names, options and types are looked up once per message type, not once per message. */
function writersOf(schema: DescMessage, dialect: Dialect): FieldWriter[] {
  const cache = compiled.get(dialect)!
  let writers = cache.get(schema)
  if (!writers) {
    writers = schema.members.map((member) => {
      if (member.kind === 'field') return compileField(member, dialect)
      return compileOneof(member.localName, member.fields, toPascalCase(member.name), dialect)
    })
    cache.set(schema, writers)
  }
  return writers
}

function compileField(field: DescField, dialect: Dialect): FieldWriter {
  const key = dialect.keyOf(field)
  const name = field.localName
  const write = compileValue(field, dialect)
  if (field.fieldKind === 'list') {
    return (out, message, writeAny) => {
      out[key] = (message[name] as unknown[]).map((item) => write(item, writeAny))
    }
  }
  const isBytes = field.fieldKind === 'scalar' && field.scalar === ScalarType.BYTES
  return (out, message, writeAny) => {
    const value = message[name]
    const unset = value === undefined || (isBytes && (value as Uint8Array).length === 0)
    out[key] = unset ? null : write(value, writeAny)
  }
}

/** The unset members of a oneof are left out. */
function compileOneof(name: string, fields: readonly DescField[], key: string, dialect: Dialect): FieldWriter {
  const members = new Map(
    fields.map((field) => [field.localName, { key: dialect.keyOf(field), write: compileValue(field, dialect) }]),
  )
  return (out, message, writeAny) => {
    const chosen = message[name] as { case: string | undefined; value?: unknown }
    const member = chosen.case === undefined ? undefined : members.get(chosen.case)
    const value = member ? { [member.key]: member.write(chosen.value, writeAny) } : undefined
    if (!dialect.flattenOneof) out[key] = value ?? null
    else if (value) Object.assign(out, value)
  }
}

/** Writer of one value; for a list, of one item. */
function compileValue(field: DescField, dialect: Dialect): ValueWriter {
  if (field.enum) {
    const desc = field.enum
    return (value) => dialect.enumeration(desc, value as number)
  }
  if (field.message) return compileMessage(field.message, dialect)
  switch (field.scalar) {
    case ScalarType.STRING:
      return compileString(field)
    case ScalarType.BYTES:
      return (value) => toBase64(value as Uint8Array)
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return (value) => dialect.long(value as bigint)
    default:
      return (value) => value as number | boolean
  }
}

function compileMessage(schema: DescMessage, dialect: Dialect): ValueWriter {
  switch (schema.typeName) {
    case 'google.protobuf.Any':
      return (value, writeAny) => writeAny(value as Any)
    case 'google.protobuf.Timestamp':
      return (value) => dialect.time(value as Timestamp)
    case 'google.protobuf.Duration':
      return (value) => dialect.duration(value as Duration)
    default:
      return (value, writeAny) => toJsonObject(schema, value as Message, dialect, writeAny)
  }
}

const ZERO_ID = `0x${'0'.repeat(64)}`

function compileString(field: DescField): ValueWriter {
  const kind = getOption(field, scalar)
  const zero = getOption(field, nullable) ? null : kind === Scalar.INT ? '0' : kind === Scalar.HEX ? ZERO_ID : ''
  if (kind === Scalar.DEC)
    return (value) => (value === '' && zero === null ? null : formatDec(sanitizeText((value as string) || '0')))
  return (value) => (value === '' ? zero : sanitizeText(value as string))
}
