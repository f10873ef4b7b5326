import { APPEND_ONLY, type AppendOnlyTable, type PackedTable, type RowOf } from '../pack/append-only.ts'

/** COPY text of a batch, table by table. */
export class RowSink {
  readonly #texts = new Map<AppendOnlyTable, string[]>()
  #counts = new Map<AppendOnlyTable, number>()
  rows = 0
  chars = 0

  /** One or more finished lines. */
  lines(table: AppendOnlyTable, text: string, rows: number): void {
    if (rows === 0) return
    const texts = this.#texts.get(table)
    if (texts) texts.push(text)
    else this.#texts.set(table, [text])
    this.rows += rows
    this.chars += text.length
  }

  /** One row by the names of its columns. */
  row<T extends Exclude<AppendOnlyTable, PackedTable>>(table: T, row: RowOf<T>): void {
    this.lines(table, APPEND_ONLY[table].line(row as never), 1)
    this.#counts.set(table, (this.#counts.get(table) ?? 0) + 1)
  }

  /** One row whose other columns were packed on the worker thread. */
  packedRow<T extends PackedTable>(table: T, packed: string, row: RowOf<T>): void {
    this.lines(table, packed + APPEND_ONLY[table].line(row as never), 1)
  }

  /** How many rows a table got in the present block: the position in the id of the next one. */
  position(table: AppendOnlyTable): number {
    return this.#counts.get(table) ?? 0
  }

  beginBlock(): void {
    this.#counts = new Map()
  }

  *entries(): Generator<[table: AppendOnlyTable, texts: string[]]> {
    yield* this.#texts
  }
}
