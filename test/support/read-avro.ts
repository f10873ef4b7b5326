import assert from 'node:assert/strict'

type Schema = string | Schema[] | { type: 'record'; fields: { name: string; type: Schema }[] }

/** Rows of an uncompressed container file of Avro, read by the schema that the file itself names. */
export function readAvro(bytes: Buffer): Record<string, unknown>[] {
  let at = 4
  assert.equal(bytes.toString('latin1', 0, 4), 'Obj\u0001')
  const long = (): number => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return Number((value >> 1n) ^ -(value & 1n))
    }
  }
  const text = (): string => {
    const length = long()
    at += length
    return bytes.toString('utf8', at - length, at)
  }
  const read = (schema: Schema): unknown => {
    if (Array.isArray(schema)) return read(schema[long()]!)
    if (typeof schema === 'object') return Object.fromEntries(schema.fields.map(({ name, type }) => [name, read(type)]))
    if (schema === 'null') return null
    if (schema === 'string') return text()
    if (schema === 'boolean') return bytes[at++] === 1
    return long()
  }
  const metadata = new Map<string, string>()
  for (let count = long(); count > 0; count = long()) for (let i = 0; i < count; i++) metadata.set(text(), text())
  const mark = bytes.subarray(at, (at += 16))
  const schema = JSON.parse(metadata.get('avro.schema')!) as Schema
  const rows: Record<string, unknown>[] = []
  while (at < bytes.length) {
    const count = long()
    const end = long() + at
    for (let i = 0; i < count; i++) rows.push(read(schema) as Record<string, unknown>)
    assert.equal(at, end)
    assert.deepEqual(bytes.subarray(at, at + 16), mark)
    at += 16
  }
  return rows
}
