import { type Db, readInPieces, type SealedKind } from '../db.ts'
import { readSealed } from '../segments/sealed.ts'
import type { Fragment } from '../sql/fragment.ts'

/**
 * Type of a cell of an export. Every format writes it its own way: `hex` and `base64` are bytes in Parquet and that text elsewhere; `time`
 * has microseconds; `decimal` is a whole number of up to 38 digits, `fraction` has 18 of them behind the point; `address` is an account;
 * `json` is written JSON.
 */
export type ColumnKind =
  | 'int32'
  | 'int64'
  | 'double'
  | 'boolean'
  | 'text'
  | 'json'
  | 'hex'
  | 'base64'
  | 'address'
  | 'time'
  | 'decimal'
  | 'fraction'

/** With `?` where a row may have no value. */
export type ColumnType = ColumnKind | `${ColumnKind}?`

/** A cell as PostgreSQL gives it: large numbers are text, bytes are bytes. */
export type Value = string | number | boolean | Uint8Array | null

export type Row = Record<string, Value>

/** From the first height to the last, both included. */
export type HeightRange = { from: number; to: number }

/** A table of an export: rows of the chain that never change once their height is final. */
export type Dataset = {
  name: string
  about: string
  /** False: made of what blocks hold, so that an index without state has it too. */
  needsState?: false
  /** in the order of the files */
  columns: Readonly<Record<string, ColumnType>>
  /** In the order of their ids; only what the columns name, or what `toRow` makes them from. */
  select: (sql: Db, range: HeightRange) => Fragment
  toRow?: (row: Record<string, unknown>) => Row
  /** a column that is null where its bytes are in a segment */
  sealed?: { column: string; kind: SealedKind }
}

/** Rows that are read at once. */
const ROWS_AT_ONCE = 1000

/** Rows of a dataset in pieces, none of which is read before it is asked for. */
export async function* readDataset(sql: Db, { select, toRow, sealed }: Dataset, range: HeightRange): AsyncGenerator<Row[]> {
  for await (const piece of readInPieces(sql, select(sql, range), ROWS_AT_ONCE)) {
    if (sealed)
      for (const row of piece) row[sealed.column] ??= await readSealed(sql, sealed.kind, row.height as number, row.id as number)
    yield toRow ? piece.map(toRow) : (piece as Row[])
  }
}
