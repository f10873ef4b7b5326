import type { CopyColumn, CopyValues } from './copy-column.ts'

type Columns = Record<string, CopyColumn>

/**
 * How appended rows are found again when their height is rolled back: those with a height by it, link tables, which are ordered by
 * owner, by the owners that the undo record of the height names.
 */
export type LinkOwners =
  | 'addresses'
  | 'namespaces'
  | 'validators'
  | 'rollups'
  | 'messageTypes'
  | 'holders'
  | 'changeTypes'
  | 'stakedValidators'
export type Link<Names = string> = {
  owner: Names
  id: Names
  owners: LinkOwners
  /** of a key whose second column divides the rows of an owner further */
  within?: { column: Names; values: LinkOwners }
}

type RollBack<Names> = 'height' extends Names ? { link?: never } : { link: Link<Names> }

/** A table whose rows never change. */
export type CopyTable<Row> = {
  /** in the order in which they are written */
  columnNames: string[]
  link: Link | undefined
  /** The line of a row, or what completes a packed row to one. */
  line: (row: Row) => string
}

export function copyTable<Own extends Columns>(def: { columns: Own } & RollBack<keyof NoInfer<Own>>): CopyTable<CopyValues<Own>> {
  const write = compileRow(def.columns)
  return {
    columnNames: Object.keys(def.columns),
    link: def.link as Link | undefined,
    line: (row) => `${write(row)}\n`,
  }
}

/** A table whose rows the worker thread begins with the `packed` columns, which need no ids, and the writer ends with the others. */
export function packedTable<Packed extends Columns & { height: CopyColumn<number> }, Own extends Columns>(
  packed: Packed,
  own: Own,
): CopyTable<CopyValues<Own>> & { pack: (row: CopyValues<Packed>) => string } {
  const write = compileRow(own)
  return {
    columnNames: [...Object.keys(packed), ...Object.keys(own)],
    link: undefined,
    pack: compileRow(packed),
    line: (row) => `\t${write(row)}\n`,
  }
}

/** Writes a row by the names of its columns. The columns are listed once, here; `join` is the fastest way to write a long line. */
function compileRow<C extends Columns>(columns: C): (row: CopyValues<C>) => string {
  const names = Object.keys(columns) as (keyof C)[]
  const writers = Object.values(columns) as CopyColumn<unknown>[]
  return (row) => {
    const values = new Array<string | number | bigint>(names.length)
    for (let i = 0; i < names.length; i++) values[i] = writers[i]!(row[names[i]!])
    return values.join('\t')
  }
}
