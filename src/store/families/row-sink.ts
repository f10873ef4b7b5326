import { APPEND_ONLY, type AppendOnlyTable, type PackedTable, type RowOf } from '../pack/append-only.ts'

/** COPY text of a table; `position` counts the single rows of the present block. */
type Texts = { texts: string[]; position: number }

/** COPY text of a batch, table by table. */
export class RowSink {
  readonly #tables = new Map<AppendOnlyTable, Texts>()

  /** Finished lines, or nothing. */
  lines(table: AppendOnlyTable, text = ''): void {
    if (text !== '') this.#add(table, text)
  }

  /** One row by the names of its columns. */
  row<T extends Exclude<AppendOnlyTable, PackedTable>>(table: T, row: RowOf<T>): void {
    this.#add(table, APPEND_ONLY[table].line(row as never)).position++
  }

  /** One row whose other columns were packed on the worker thread. */
  packedRow<T extends PackedTable>(table: T, packed: string, row: RowOf<T>): void {
    this.#add(table, packed + APPEND_ONLY[table].line(row as never))
  }

  #add(table: AppendOnlyTable, text: string): Texts {
    let known = this.#tables.get(table)
    if (!known) {
      known = { texts: [], position: 0 }
      this.#tables.set(table, known)
    }
    known.texts.push(text)
    return known
  }

  /** How many rows a table got in the present block: the position in the id of the next one. */
  position(table: AppendOnlyTable): number {
    return this.#tables.get(table)?.position ?? 0
  }

  beginBlock(): void {
    for (const known of this.#tables.values()) known.position = 0
  }

  *entries(): Generator<[table: AppendOnlyTable, texts: string[]]> {
    for (const [table, { texts }] of this.#tables) yield [table, texts]
  }
}
