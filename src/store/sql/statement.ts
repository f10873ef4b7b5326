import { Invariant } from '../../lib/errors.ts'

// biome-ignore lint/suspicious/noExplicitAny: who reads a row without naming its type knows it
export type Row = Record<string, any>

/** A parameter, or a piece that becomes part of the text. */
export type Value = string | number | bigint | boolean | null | Date | Uint8Array | readonly Value[] | Fragment | Identifier

/** A text with its parameters, as it is sent. `isPrepared`: connections keep its plan. */
export type Query = { text: string; values: unknown[]; isPrepared: boolean }

export type Run = (query: Query) => Promise<Row[]>

/** Tagged templates are statements and pieces of them; a name is a column or table chosen by value. */
export interface Sql {
  <T extends readonly object[] = Row[]>(strings: TemplateStringsArray, ...values: readonly Value[]): Statement<T>
  (name: string): Identifier
  /** A text that was put together elsewhere, sent once. */
  unsafe<T extends readonly object[] = Row[]>(text: string, values?: readonly Value[]): Promise<T>
}

export function makeSql(run: Run): Sql {
  const tag = (first: TemplateStringsArray | string, ...values: Value[]) =>
    typeof first === 'string' ? new Identifier(first) : new Statement(first, values, run)
  const unsafe = (text: string, values: Value[] = []) => run({ text, values, isPrepared: false })
  return Object.assign(tag, { unsafe }) as unknown as Sql
}

class Identifier {
  readonly text: string
  constructor(name: string) {
    this.text = name
      .split('.')
      .map((part) => `"${part.replaceAll('"', '""')}"`)
      .join('.')
  }
}

/** A piece of a statement, chosen by value and put into a larger one. */
export class Fragment {
  readonly #strings: readonly string[]
  readonly #values: readonly Value[]

  constructor(strings: readonly string[], values: readonly Value[]) {
    this.#strings = strings
    this.#values = values
  }

  toQuery(): Query {
    const values: unknown[] = []
    return { text: this.#write(values), values, isPrepared: true }
  }

  #write(values: unknown[]): string {
    let text = this.#strings[0]!
    for (let i = 0; i < this.#values.length; i++) {
      const value = this.#values[i]
      if (value instanceof Fragment) text += value.#write(values)
      else if (value instanceof Identifier) text += value.text
      else if (value === undefined) throw new Invariant('sql_undefined', `a parameter is undefined after ${text.slice(-60)}`)
      else text += `$${values.push(value)}`
      text += this.#strings[i + 1]!
    }
    return text
  }
}

/** Runs when it is awaited; until then it may be put into another one. */
export class Statement<T> extends Fragment implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Statement'
  readonly #run: Run
  #result: Promise<T> | undefined

  constructor(strings: readonly string[], values: readonly Value[], run: Run) {
    super(strings, values)
    this.#run = run
  }

  // biome-ignore lint/suspicious/noThenProperty: it is awaited like a promise
  then<A = T, B = never>(
    onDone?: ((rows: T) => A | PromiseLike<A>) | null,
    // biome-ignore lint/suspicious/noExplicitAny: as promises have it
    onError?: ((error: any) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#started().then(onDone, onError)
  }

  // biome-ignore lint/suspicious/noExplicitAny: as promises have it
  catch<B = never>(onError?: ((error: any) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.#started().catch(onError)
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.#started().finally(onEnd)
  }

  async #start(): Promise<T> {
    return (await this.#run(this.toQuery())) as T
  }

  #started(): Promise<T> {
    return (this.#result ??= this.#start())
  }
}
