import type { TSchema } from 'typebox'
import { type Cell, listCell, withoutFormula } from '../../lib/encoding/csv.ts'
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
 * Columns in the order of the schema. Objects whose fields are known are flattened, and so are the elements of a list: a list that is written in
 * lines has a line for each of them, any other one cell for each of their fields, with the values of all elements. What has no fixed form is JSON.
 */
export function linesOf(schema: TSchema): Lines {
  const list = Object.entries((schema as Schema).properties ?? {}).find(([, field]) => field.inLines)?.[0]
  const columns = columnsIn(schema as Schema).map(({ path, read }) => ({ name: path.join('.') || 'value', read }))
  if (list === undefined) return { columns, elementsOf: () => ONE }
  return { columns, elementsOf: (row) => (row as Record<string, unknown[]>)[list] ?? [] }
}

const ONE = [undefined]

/** `read` is given the value that the schema describes. `isPlain`: a text, a number or a boolean. */
type Leaf = { path: readonly string[]; read: Column['read']; isPlain: boolean }

const PLAIN = ['string', 'integer', 'number', 'boolean']

function columnsIn(schema: Schema): Leaf[] {
  const { type, properties = {}, pattern, enum: words, format, items, inLines } = withoutNull(schema)
  const fields = Object.entries(properties)
  if (fields.length > 0) return fields.flatMap(([name, field]) => columnsIn(field).map((leaf) => inField(name, leaf)))
  if (inLines) return columnsIn(items!).map(({ read, ...leaf }) => ({ ...leaf, read: (_, element) => read(element, undefined) }))
  const elements = items ? columnsIn(items) : []
  if (elements.length > 0 && elements.every(({ isPlain }) => isPlain)) return elements.map(inList)
  const isFreeText = type === 'string' && pattern === undefined && words === undefined && format === undefined
  const read = isFreeText ? (value: unknown) => writeCell(value, withoutFormula) : (value: unknown) => writeCell(value)
  return [{ path: [], read, isPlain: PLAIN.includes(type ?? '') || words !== undefined }]
}

const inField = (name: string, { path, read, ...leaf }: Leaf): Leaf => ({
  ...leaf,
  path: [name, ...path],
  read: (value, element) => read((value as Record<string, unknown> | null | undefined)?.[name], element),
})

const inList = ({ path, read }: Leaf): Leaf => ({
  path,
  isPlain: false,
  read: (value) => (Array.isArray(value) ? listCell(value.map((element) => read(element, undefined))) : writeCell(value)),
})

function withoutNull(schema: Schema): Schema {
  const parts = schema.anyOf?.filter(({ type }) => type !== 'null')
  return parts?.length === 1 ? parts[0]! : schema
}

const asItIs = (text: string) => text

function writeCell(value: unknown, mark: (text: string) => string = asItIs): Cell {
  if (typeof value === 'string') return mark(value)
  if (typeof value !== 'object' || value === null) return value as Cell
  const json = writeJson(value).slice(0, -1)
  // A long text comes as written JSON; in a cell it is a text like any other.
  return value instanceof WrittenJson && json.startsWith('"') ? (JSON.parse(json) as string) : json
}
