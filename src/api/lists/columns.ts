import type { TSchema } from 'typebox'
import { type Cell, withoutFormula } from '../../lib/encoding/csv.ts'
import { WrittenJson, writeJson } from '../http/write-json.ts'

export type Column = {
  /** names of the nested fields joined by dots, as `tx.hash` */
  name: string
  /** `element`: of the list whose elements are lines of their own, where the row has one */
  read: (row: unknown, element: unknown) => Cell
}

/** Columns of the rows that a schema describes, and the elements of a row that are lines of their own: one where there is no such list. */
export type Lines = { columns: Column[]; elementsOf: (row: unknown) => unknown[] }

type Schema = {
  type?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  inLines?: boolean
}

/**
 * Columns in the order of the schema. Objects whose fields are known are flattened, and so are the elements of a list that is written in lines;
 * everything else nested is JSON in one cell.
 */
export function linesOf(schema: TSchema): Lines {
  const list = Object.entries((schema as Schema).properties ?? {}).find(([, field]) => field.inLines)?.[0]
  const columns = columnsAt(schema as Schema, [])
  if (list === undefined) return { columns, elementsOf: () => ONE }
  return { columns, elementsOf: (row) => (row as Record<string, unknown[]>)[list] ?? [] }
}

const ONE = [undefined]

function columnsAt(schema: Schema, path: readonly string[]): Column[] {
  const { type, properties = {}, pattern, enum: words, format, items, inLines } = withoutNull(schema)
  const fields = Object.entries(properties)
  if (fields.length > 0) return fields.flatMap(([name, field]) => columnsAt(field, [...path, name]))
  if (inLines)
    return columnsAt(items!, []).map(({ name, read }) => ({
      name: [...path, name].join('.'),
      read: (_, element) => read(element, undefined),
    }))
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
