import { type Db, type Reader, readInPieces, type SealedKind } from '../db.ts'
import { readSealed } from '../segments/sealed.ts'
import type { Fragment } from '../sql/fragment.ts'

/**
 * Type of a cell of an export. Every format writes it its own way: whole numbers are `int64` however small, because readers add up a column in
 * its own type; `hex` and `base64` are bytes in Parquet and that text elsewhere; `time` has microseconds; `decimal` is a whole number of up to
 * 38 digits, for amounts in utia and numbers of 64 bits without sign; `fraction` has 18 digits behind the point; `digits` is an amount of any
 * denomination, which may have up to 78 digits; `address` is an account; `json` is written JSON, and `list` is a written list of texts or numbers.
 */
export type ColumnKind =
  | 'int64'
  | 'double'
  | 'boolean'
  | 'text'
  | 'json'
  | 'list'
  | 'hex'
  | 'base64'
  | 'address'
  | 'time'
  | 'decimal'
  | 'fraction'
  | 'digits'

/** With `?` where a row may have no value. */
export type ColumnType = ColumnKind | `${ColumnKind}?`

/** A column of an export with its description. */
export type ExportColumn = readonly [type: ColumnType, about: string]

/** Columns that many datasets have. */
export const HEIGHT: ExportColumn = ['int64', 'height of the block (blocks.height)']
export const TIME: ExportColumn = ['time', 'time of the block']

/** Id that follows from the place in the chain. */
export const placeId = (noun: string): ExportColumn => ['int64', `id of the ${noun}: height × 2^24 + position in the block`]

/** A cell as PostgreSQL gives it: large numbers are text, bytes are bytes. */
export type Value = string | number | boolean | Uint8Array | null

export type Row = Record<string, Value>

/** From the first height to the last, both included. */
export type HeightRange = { from: number; to: number }

type DatasetBase = {
  name: string
  about: string
  /** False: made of what blocks hold, so that an index without state has it too. */
  needsState?: false
  /** in the order of the files */
  columns: Readonly<Record<string, ExportColumn>>
}

/** A table of an export: rows of the chain that never change once their height is final. */
export type Dataset = DatasetBase & {
  /** In the order of their ids; only what the columns name, or what `toRows` makes them from. */
  select: (sql: Db, range: HeightRange) => Fragment
  toRows?: (row: Record<string, unknown>) => Row[]
  /** a column that is null where its bytes are in a segment */
  sealed?: { column: string; kindOf: (row: Record<string, unknown>) => SealedKind }
}

/** A table of an export whose rows change. Every run writes it as a whole, as it was after the last final height. */
export type StateDataset = DatasetBase & {
  /** `at`: a table of the state as it was then, without its name */
  selectState: (sql: Reader, at: (table: StateTableDef) => Fragment) => Fragment
}

/** Definition of a table with the key `id`. */
export type StateTableDef = { name: string; columns: Record<string, { pg: string }> }

export type AnyDataset = Dataset | StateDataset

export const isState = (dataset: AnyDataset): dataset is StateDataset => 'selectState' in dataset

/** Rows that are read at once. */
const ROWS_AT_ONCE = 1000

/** Rows of a dataset in pieces, none of which is read before it is asked for. */
export async function* readDataset(sql: Db, { select, toRows, sealed }: Dataset, range: HeightRange): AsyncGenerator<Row[]> {
  for await (const piece of readInPieces(sql, select(sql, range), ROWS_AT_ONCE)) {
    if (sealed)
      for (const row of piece)
        row[sealed.column] ??= await readSealed(sql, sealed.kindOf(row), row.height as number, row.id as number)
    yield toRows ? piece.flatMap(toRows) : (piece as Row[])
  }
}
