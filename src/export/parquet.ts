import { compress, init } from '@bokuweb/zstd-wasm'
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import { Invariant } from '../lib/errors.ts'
import { microsOf } from '../lib/time.ts'
import type { AnyDataset, ColumnKind, Row, Value } from '../store/export/dataset.ts'
import type { FileWriter, Format } from './file-writer.ts'
import { columnsOf, toTextCell } from './kind.ts'

/** A row group ends with the rows that reach either. Readers take a group at a time, and so do we. */
const GROUP_ROWS = 50_000
const GROUP_BYTES = 16 * 2 ** 20
/** The library's own; higher ones take several times as long for a few percent. */
const ZSTD_LEVEL = 3

const isReady = init()

const DECIMAL = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, converted_type: 'DECIMAL', precision: 38 } as const

/** How a kind lies in the file. */
const ELEMENTS: Record<ColumnKind, Omit<SchemaElement, 'name'>> = {
  int64: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  address: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  digits: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  // The library would write JSON values a second time; readers take it out of a text as well.
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  list: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  hex: { type: 'BYTE_ARRAY' },
  base64: { type: 'BYTE_ARRAY' },
  time: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } },
  decimal: { ...DECIMAL, scale: 0 },
  fraction: { ...DECIMAL, scale: 18 },
}

/** Numbers that grow from row to row take a few bits each as differences. */
const ENCODINGS: Partial<Record<ColumnKind, ColumnSource['encoding']>> = {
  int64: 'DELTA_BINARY_PACKED',
  time: 'DELTA_BINARY_PACKED',
}

const LARGEST = 10n ** 38n
const FRACTION_DIGITS = 18

/** A decimal without its point. */
function toUnscaled(text: string, digits: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  if (/[1-9]/.test(fraction.slice(digits))) throw new Invariant('export_digits', `${text} has more than ${digits} decimal places`)
  const value = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'))
  if (value >= LARGEST || value <= -LARGEST) throw new Invariant('export_digits', `${text} has more than 38 digits`)
  return value
}

function toCell(kind: ColumnKind, value: Value): unknown {
  if (value === null) return null
  switch (kind) {
    case 'int64':
      return BigInt(value as number | string)
    case 'time':
      return BigInt(microsOf(value as string))
    case 'decimal':
      return toUnscaled(String(value), 0)
    case 'fraction':
      return toUnscaled(String(value), FRACTION_DIGITS)
    case 'address':
      return toTextCell(kind, value)
    default:
      return value
  }
}

const sizeOf = (value: unknown) => (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8)

type Column = { name: string; kind: ColumnKind; cells: unknown[] }

class ParquetFile implements FileWriter {
  readonly #out = new ByteWriter()
  readonly #columns: Column[]
  readonly #writer: ParquetWriter
  #groupBytes = 0

  constructor(dataset: AnyDataset) {
    const columns = columnsOf(dataset)
    this.#columns = columns.map(({ name, kind }) => ({ name, kind, cells: [] }))
    this.#writer = new ParquetWriter({
      writer: this.#out,
      schema: [
        { name: 'row', num_children: columns.length },
        ...columns.map(
          ({ name, kind, isOptional }, i): SchemaElement => ({
            name,
            field_id: i + 1,
            repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED',
            ...ELEMENTS[kind],
          }),
        ),
      ],
      kvMetadata: [
        { key: 'dataset', value: `${dataset.name}: ${dataset.about}` },
        { key: 'columns', value: JSON.stringify(Object.fromEntries(columns.map(({ name, about }) => [name, about]))) },
      ],
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => compress(bytes, ZSTD_LEVEL) },
    })
  }

  get bytes(): number {
    return this.#out.offset
  }

  async add(rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      for (const { name, kind, cells } of this.#columns) {
        const cell = toCell(kind, row[name] ?? null)
        cells.push(cell)
        this.#groupBytes += sizeOf(cell)
      }
      if (this.#columns[0]!.cells.length >= GROUP_ROWS || this.#groupBytes >= GROUP_BYTES) await this.#writeGroup()
    }
  }

  async finish(): Promise<Uint8Array> {
    await this.#writeGroup()
    await this.#writer.finish()
    return this.#out.getBytes()
  }

  async #writeGroup(): Promise<void> {
    const rows = this.#columns[0]!.cells.length
    if (rows === 0) return
    await isReady
    const columnData = this.#columns.map(({ name, kind, cells }) => {
      const encoding = ENCODINGS[kind]
      return { name, data: cells, ...(encoding && { encoding }) }
    })
    await this.#writer.write({ columnData, rowGroupSize: rows })
    for (const column of this.#columns) column.cells = []
    this.#groupBytes = 0
  }
}

export const parquetFormat: Format = { extension: 'parquet', open: (dataset) => new ParquetFile(dataset) }
