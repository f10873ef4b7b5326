import type pg from 'pg'
import { Transient } from '../../lib/errors.ts'
import type { Query, Row } from '../sql/statement.ts'
import { nameLoss } from './client.ts'
import { type Prepared, PreparedQuery, type Rows } from './prepared-query.ts'

/** Names of prepared statements by their texts, for all connections. */
const names = new Map<string, string>()
let lastName = 0

function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) names.set(text, (name = `s${++lastName}`))
  return name
}

/**
 * A table has changed since the statement was prepared, or the statement that prepared it failed while this one was on its way. Under
 * another name it is prepared again.
 */
const UNPREPARED = new Set(['RevalidateCachedQuery', 'FetchPreparedStatement'])

/** Whether a statement may be sent again because nothing of it was run. */
export function wasNotRun(error: unknown, { text }: Query): boolean {
  return UNPREPARED.has((error as { routine?: string }).routine ?? '') && (names.delete(text) || true)
}

/** One connection of a pool. Statements are sent without waiting for the answers to those before them. */
export class PoolConnection {
  /** statements that were sent and are not answered */
  pending = 0
  /** by a transaction, which nothing else may run in */
  isReserved = false
  readonly openedAt = performance.now()
  /** when a statement was answered, or the first one was sent */
  heardAt = performance.now()
  readonly #closing = new AbortController()
  readonly #opened: Promise<pg.Client>
  readonly #known: Rows = { readers: new Map(), parserOf: (type) => this.#client!.getTypeParser(type) }
  readonly #onEnd: (isLostWhileOpening: boolean) => void
  #client: pg.Client | undefined
  #whenIdle: (() => void) | undefined

  constructor(open: (signal: AbortSignal) => Promise<pg.Client>, onEnd: (isLostWhileOpening: boolean) => void) {
    this.#onEnd = onEnd
    this.#opened = open(this.#closing.signal)
    this.#opened.then(
      (client) => {
        this.#client = client
        for (const event of ['error', 'end']) client.once(event, () => onEnd(false))
      },
      () => onEnd(true),
    )
  }

  async run({ text, values, isPrepared }: Query): Promise<Row[]> {
    if (this.pending++ === 0) this.heardAt = performance.now()
    try {
      const client = this.#client ?? (await this.#opened)
      if (!isPrepared) return (await client.query<Row>({ text, values })).rows
      return await this.#runPrepared(client, { name: nameOf(text), text, values })
    } catch (error) {
      // The server closes the connection after such an error: the next statement goes elsewhere.
      if ((error as { severity?: string }).severity === 'FATAL') this.#onEnd(false)
      throw nameLoss(error)
    } finally {
      this.heardAt = performance.now()
      if (--this.pending === 0) this.#whenIdle?.()
    }
  }

  #runPrepared(client: pg.Client, statement: Prepared): Promise<Row[]> {
    return new Promise((resolve, reject) => client.query(new PreparedQuery(statement, this.#known, resolve, reject)))
  }

  /** Resolves when every statement that was sent is answered. */
  settled(): Promise<void> {
    return this.pending === 0 ? Promise.resolve() : new Promise((resolve) => (this.#whenIdle = resolve))
  }

  /** Says goodbye to the server when nothing is under way; cuts the connection otherwise. */
  async close(): Promise<void> {
    if (this.#client && this.pending === 0) await this.#client.end()
    else this.#closing.abort(new Transient('connection_lost', 'the connection was closed'))
  }
}
