import { bytes, type Column, type ValuesOf } from './column.ts'

/**
 * Which rows are held in memory:
 * - `all`: the whole table, loaded at start (small entities);
 * - `keys`: rows are loaded before a batch that needs them, and dropped again when no batch has used them for a while.
 */
export type Residence = 'all' | 'keys'

/** Whose ids are given one by one. */
export type Owner = 'address' | 'namespace' | 'validator'
export type LastIds = Readonly<Record<Owner, number>>

export type TableDef<Row> = {
  name: string
  key: (keyof Row & string)[]
  columns: { [C in keyof Row & string]: Column<Row[C]> }
  residence: Residence
  /** Limits an `all` table to the rows that can still change; with `false`, rows are written once and leave memory. */
  loadWhere?: string
  /** Key columns of a `keys` table that hold ids: a row of an id given within the present batch cannot be in the database yet. */
  bornWith?: { [C in keyof Row & string]?: Owner }
  /** Secondary groups, by a value that never changes in a row's life. */
  groups?: Record<string, (row: Row) => string>
}

/** A table is defined by its columns: the type of its rows, its keys and its groups follow from them. */
export function defineTable<Columns extends Record<string, Column>>(
  def: TableDef<ValuesOf<Columns>> & { columns: Columns },
): TableDef<ValuesOf<Columns>> {
  return def
}

export type RowOf<Def> = Def extends TableDef<infer Row> ? Row : never

const SEPARATOR = '\u001f'

/** Numeric part of a key. */
export const partOf = (key: string, position: number) =>
  position === 0 ? Number.parseInt(key, 10) : Number(key.split(SEPARATOR, position + 1)[position])

export const joinKey = (parts: readonly (string | number)[]) => (parts.length === 1 ? String(parts[0]) : parts.join(SEPARATOR))

/** Parts of a key as PostgreSQL text. */
export function keyTexts<Row>({ key: names, columns }: Pick<TableDef<Row>, 'key' | 'columns'>, key: string): string[] {
  const parts = key.split(SEPARATOR)
  // Only the last part may be free text, which may hold the separator itself.
  const last = names.length - 1
  if (parts.length > last + 1) parts.push(parts.splice(last).join(SEPARATOR))
  return parts.map((part, i) => ((columns[names[i]!] as Column) === bytes ? `\\x${part}` : part))
}
