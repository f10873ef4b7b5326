import { createHash } from 'node:crypto'

/** The part of Avro that manifests of Iceberg need. Names of the specification: https://avro.apache.org/docs/1.11.1/specification/ */
export type AvroSchema =
  | 'null'
  | 'boolean'
  | 'int'
  | 'long'
  | 'string'
  | AvroSchema[]
  | { type: 'record'; name: string; fields: AvroField[] }

/** `field-id` is Iceberg's: readers find a field by it. */
export type AvroField = { name: string; type: AvroSchema; 'field-id': number; default?: null }

export type AvroValue = null | boolean | number | bigint | string | AvroRecord
export type AvroRecord = { readonly [name: string]: AvroValue }

const MAGIC = Buffer.from('Obj\u0001', 'latin1')

/** An object container file with one block, uncompressed. Equal rows give equal bytes: the mark between blocks is a hash of them. */
export function writeAvroFile(schema: AvroSchema, metadata: Record<string, string>, rows: readonly AvroRecord[]): Buffer {
  const header = Object.entries({ 'avro.schema': JSON.stringify(schema), 'avro.codec': 'null', ...metadata })
  const body = Buffer.concat(rows.map((row) => encode(schema, row)))
  const mark = createHash('sha256').update(body).update(JSON.stringify(header)).digest().subarray(0, 16)
  const block = rows.length === 0 ? [] : [encodeLong(rows.length), encodeLong(body.length), body, mark]
  return Buffer.concat([
    MAGIC,
    encodeLong(header.length),
    ...header.flatMap(([key, value]) => [encodeText(key), encodeText(value)]),
    encodeLong(0),
    mark,
    ...block,
  ])
}

function encode(schema: AvroSchema, value: AvroValue | undefined): Buffer {
  if (Array.isArray(schema)) return encodeUnion(schema, value ?? null)
  if (typeof schema === 'object')
    return Buffer.concat(schema.fields.map(({ name, type }) => encode(type, (value as AvroRecord)[name])))
  switch (schema) {
    case 'null':
      return Buffer.alloc(0)
    case 'boolean':
      return Buffer.of(value ? 1 : 0)
    case 'int':
    case 'long':
      return encodeLong(value as number | bigint)
    case 'string':
      return encodeText(value as string)
  }
}

/** Null or the one other type. */
function encodeUnion(schemas: AvroSchema[], value: AvroValue): Buffer {
  const at = value === null ? schemas.indexOf('null') : schemas.findIndex((schema) => schema !== 'null')
  return Buffer.concat([encodeLong(at), encode(schemas[at]!, value)])
}

const encodeText = (text: string) => {
  const bytes = Buffer.from(text)
  return Buffer.concat([encodeLong(bytes.length), bytes])
}

/** Zigzag and seven bits a byte, the lowest first. */
export function encodeLong(value: number | bigint): Buffer {
  let rest = BigInt.asUintN(64, (BigInt(value) << 1n) ^ (BigInt(value) >> 63n))
  const bytes: number[] = []
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return Buffer.from(bytes)
}
