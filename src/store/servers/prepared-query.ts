import pg from 'pg'
import type { Row } from '../sql/statement.ts'

/** Makes a row of the texts of its fields. */
export type RowReader = (fields: (string | null)[]) => Row

type Field = { name: string; dataTypeID: number }
type Parse = (text: string) => unknown

export type Prepared = { name: string; text: string; values: unknown[] }

/** Rows of a statement as a connection knows them: it asks for their description once. */
export type Rows = {
  /** readers of rows by the names of statements */
  readonly readers: Map<string, RowReader>
  readonly parserOf: (type: number) => Parse
}

/** Messages that the client library sends, as far as they are used here. */
type Wire = Pick<pg.Connection, 'stream' | 'sync'> & {
  bind(statement: { statement: string; values: unknown[]; valueMapper: (value: unknown) => unknown }): void
  execute(): void
}

/** Parts of a query of the library that its types do not have. */
type LibraryQuery = { submit(wire: Wire): Error | null }

const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils
const librarySubmit = (pg.Query.prototype as unknown as LibraryQuery).submit

/**
 * A prepared statement. The library has the rows described with every execution. Here a connection does so once: a statement whose rows
 * would change fails in PostgreSQL. Statements that are sent in one turn of the event loop are written together.
 */
export class PreparedQuery extends pg.Query {
  /** read by the library, which prepares a name once */
  readonly name: string
  readonly #values: unknown[]
  readonly #known: Rows
  readonly #resolve: (rows: Row[]) => void
  readonly #reject: (error: unknown) => void
  readonly #rows: Row[] = []
  #reader: RowReader | undefined
  #failure: { error: unknown } | undefined

  constructor({ name, text, values }: Prepared, known: Rows, resolve: (rows: Row[]) => void, reject: (error: unknown) => void) {
    super(text, values)
    this.name = name
    this.#values = values
    this.#known = known
    this.#resolve = resolve
    this.#reject = reject
    this.submit = this.#submit as never
  }

  #submit(wire: Wire): Error | null {
    const { stream } = wire
    if (stream.writableCorked === 0) {
      stream.cork()
      setImmediate(uncork, stream)
    }
    this.#reader = this.#known.readers.get(this.name)
    if (!this.#reader) return librarySubmit.call(this, wire)
    wire.bind({ statement: this.name, values: this.#values, valueMapper: prepareValue })
    wire.execute()
    wire.sync()
    return null
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#reader = compileReader(fields, this.#known.parserOf)
    this.#known.readers.set(this.name, this.#reader)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      this.#rows.push(this.#reader!(fields))
    } catch (error) {
      this.#failure ??= { error }
    }
  }

  handleCommandComplete(): void {}

  handleError(error: unknown): void {
    this.#reject(error)
  }

  handleReadyForQuery(): void {
    if (this.#failure) this.#reject(this.#failure.error)
    else this.#resolve(this.#rows)
  }
}

const uncork = (stream: pg.Connection['stream']) => stream.uncork()

/** A function with the names of the columns in its text: all rows of a statement have one hidden class. */
function compileReader(fields: Field[], parserOf: Rows['parserOf']): RowReader {
  const columns = fields.map(({ name }, i) => `${JSON.stringify(name)}: f[${i}] === null ? null : parse[${i}](f[${i}])`)
  return new Function('parse', `return (f) => ({ ${columns.join(', ')} })`)(fields.map(({ dataTypeID }) => parserOf(dataTypeID)))
}
