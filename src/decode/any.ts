import { type DescMessage, fromBinary, type Message } from '@bufbuild/protobuf'
import { WireError, WireReader } from '../lib/encoding/protowire.ts'
import { files } from './gen/files.ts'

const schemas = new Map<string, DescMessage>()
for (const file of files) {
  for (const message of file.messages) register(message)
}

function register(message: DescMessage): void {
  schemas.set(`/${message.typeName}`, message)
  for (const nested of message.nestedMessages) register(nested)
}

/** Schema of a type URL with its leading slash. */
export function schemaOf(typeUrl: string): DescMessage | undefined {
  return schemas.get(typeUrl)
}

export type Decoded = { schema: DescMessage; message: Message }

/** The message behind a type URL; undefined when the type is unknown or the bytes are not of that type. */
export function decodeAny(typeUrl: string, value: Uint8Array): Decoded | undefined {
  const schema = schemas.get(typeUrl)
  if (!schema) return undefined
  try {
    if (value.length > UNCHECKED_LENGTH) countParts(schema, new WireReader(value), { left: MAX_PARTS })
    return { schema, message: fromBinary(schema, value, { readUnknownFields: false }) }
  } catch {
    // The codec throws plain errors of several kinds; all of them say that these bytes are not this message.
    return undefined
  }
}

/** Below this even the densest message has few enough parts. */
const UNCHECKED_LENGTH = 256 * 1024
const MAX_PARTS = 262_144

/** An empty sub-message takes 2 bytes on the wire and some hundred in memory, so large values are counted before they are read. */
function countParts(schema: DescMessage, reader: WireReader, budget: { left: number }): void {
  while (reader.next()) {
    const field = fieldsByNumber(schema).get(reader.field)
    if (field === undefined) reader.skip()
    else {
      if (--budget.left < 0) throw new WireError('too many parts')
      if (field === 'leaf') reader.skip()
      else countParts(field, reader.message(), budget)
    }
  }
}

const numbered = new WeakMap<DescMessage, Map<number, DescMessage | 'leaf'>>()

function fieldsByNumber(schema: DescMessage): Map<number, DescMessage | 'leaf'> {
  let fields = numbered.get(schema)
  if (!fields) {
    fields = new Map(schema.fields.map((field) => [field.number, field.message ?? 'leaf']))
    numbered.set(schema, fields)
  }
  return fields
}
