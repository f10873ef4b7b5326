import { once } from 'node:events'
import { createGzip } from 'node:zlib'
import { type Cell, csvLine, listCell, withoutFormula } from '../lib/encoding/csv.ts'
import type { Row } from '../store/export/dataset.ts'
import type { FileWriter, Format } from './file-writer.ts'
import { columnsOf, type KnownColumn, toTextCell } from './kind.ts'

/** Hashes hardly shrink: what a higher level saves is not worth its time. */
const GZIP_LEVEL = 4

/** Of plain to compressed lines. */
const TYPICAL_RATIO = 4

/** Gzipped lines. */
class LineWriter implements FileWriter {
  readonly #gzip = createGzip({ level: GZIP_LEVEL })
  readonly #chunks: Buffer[] = []
  readonly #toLine: (row: Row) => string
  bytes = 0

  constructor(head: string, toLine: (row: Row) => string) {
    this.#toLine = toLine
    this.#gzip.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
    if (head !== '') this.#gzip.write(head)
  }

  async add(rows: readonly Row[]): Promise<void> {
    const lines = rows.map(this.#toLine).join('')
    // How much has left the compressor depends on the moment.
    this.bytes += lines.length / TYPICAL_RATIO
    await new Promise<void>((resolve, reject) => this.#gzip.write(lines, (error) => (error ? reject(error) : resolve())))
  }

  async finish(): Promise<Uint8Array> {
    const end = once(this.#gzip, 'end')
    this.#gzip.end()
    await end
    return Buffer.concat(this.#chunks)
  }
}

export const csvFormat: Format = {
  extension: 'csv.gz',
  open: (dataset) => {
    const columns = columnsOf(dataset)
    const toLine = (row: Row) =>
      csvLine(
        columns.map(({ name, kind }) => {
          const cell = toTextCell(kind, row[name] ?? null)
          if (typeof cell !== 'string') return cell
          if (kind === 'list')
            return listCell(
              (JSON.parse(cell) as Cell[]).map((element) => (typeof element === 'string' ? withoutFormula(element) : element)),
            )
          return kind === 'text' ? withoutFormula(cell) : cell
        }),
      )
    return new LineWriter(csvLine(columns.map(({ name }) => name)), toLine)
  },
}

export const ndjsonFormat: Format = {
  extension: 'ndjson.gz',
  open: (dataset) => {
    const columns = columnsOf(dataset)
    const toField = (row: Row, { name, kind }: KnownColumn) => {
      const cell = toTextCell(kind, row[name] ?? null)
      // A number of 64 bits comes as text, and is written as the number that it is.
      return `"${name}":${(kind === 'json' || kind === 'list' || kind === 'int64') && cell !== null ? cell : JSON.stringify(cell)}`
    }
    return new LineWriter('', (row) => `{${columns.map((column) => toField(row, column)).join(',')}}\n`)
  },
}
