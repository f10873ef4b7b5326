import type { TSchema } from 'typebox'
import { type Cell, withoutFormula } from '../../lib/encoding/csv.ts'
import { WrittenJson, writeJson } from '../http/write-json.ts'

export type Column = {
  /** names of the nested fields joined by dots, as `tx.hash` */
  name: string
  read: (row: unknown) => Cell
}

type Schema = {
  type?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
}

/** Columns of the rows that a schema describes, in its order. Objects whose fields are known are flattened; everything else nested is JSON in one cell. */
export function columnsOf(schema: TSchema): Column[] {
  return columnsAt(schema as Schema, [])
}

function columnsAt(schema: Schema, path: readonly string[]): Column[] {
  const { type, properties = {}, pattern, enum: words, format } = withoutNull(schema)
  const fields = Object.entries(properties)
  if (fields.length > 0) return fields.flatMap(([name, field]) => columnsAt(field, [...path, name]))
  const isFreeText = type === 'string' && pattern === undefined && words === undefined && format === undefined
  const toCell = isFreeText ? (value: unknown) => writeCell(value, withoutFormula) : writeCell
  return [{ name: path.join('.') || 'value', read: (row) => toCell(valueAt(row, path)) }]
}

function withoutNull(schema: Schema): Schema {
  const parts = schema.anyOf?.filter(({ type }) => type !== 'null')
  return parts?.length === 1 ? parts[0]! : schema
}

function valueAt(row: unknown, path: readonly string[]): unknown {
  let value = row
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name]
  return value
}

const asItIs = (text: string) => text

function writeCell(value: unknown, mark: (text: string) => string = asItIs): Cell {
  if (typeof value === 'string') return mark(value)
  if (typeof value !== 'object' || value === null) return value as Cell
  const json = writeJson(value).slice(0, -1)
  // A long text comes as written JSON; in a cell it is a text like any other.
  return value instanceof WrittenJson && json.startsWith('"') ? (JSON.parse(json) as string) : json
}
