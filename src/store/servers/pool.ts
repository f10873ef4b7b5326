import pg from 'pg'
import { systemClock } from '../../lib/clock.ts'
import { Transient } from '../../lib/errors.ts'
import type { Query, Row, Run } from '../sql/statement.ts'
import { timeFromPg } from '../state/column.ts'
import { connectClient } from './connect.ts'
import { Listener } from './listener.ts'
import { PoolConnection, wasNotRun } from './pool-connection.ts'

export type PoolOptions = {
  /** `application_name` of its connections */
  name: string
  /** connections */
  max: number
  connectMs: number
  /** unused connections are closed after this long */
  idleMs: number
  /** of the server, for every connection; `statement_timeout` also tells when a server that is silent is given up */
  settings: Readonly<Record<string, string | number>>
}

/** Where statements are run: a pool, or the one of several pools that is chosen at the moment. */
export interface Source {
  run: Run
  /** A connection for statements that belong together, until it is released. */
  reserve(): Promise<{ run: Run; release: () => void }>
  /** Tells the notices of a channel until the returned function is called; rejects when the first attempt fails. */
  listen(channel: string, onNotice: (payload: string) => void): Promise<() => Promise<void>>
  /** Waits for what is under way, at most `timeout` seconds if given. */
  end(limit?: { timeout?: number }): Promise<void>
}

/** The source that is found at the moment of a statement, with something around each of them. */
export function wrapSource(find: () => Source, around: (run: Run) => Run = (run) => run): Source {
  return {
    run: around(async (query) => find().run(query)),
    async reserve() {
      const { run, release } = await find().reserve()
      return { run: around(run), release }
    },
    listen: async (...how) => find().listen(...how),
    end: async (limit) => find().end(limit),
  }
}

/** A server that cannot be connected to is not asked more often. */
const RECONNECT_MS = 500
/** Beyond its time limit for statements, a server that is there has answered, be it with an error. */
const ANSWER_MARGIN_MS = 5000
const LIFETIME_MS = 3_600_000
const LONGEST_LOOK_MS = 15_000

/** Connections to the server of `url` that takes writes. They may be lost at any time, and are opened when they are needed. */
export class Pool implements Source {
  readonly #url: string
  readonly #options: PoolOptions
  readonly #silentMs: number
  readonly #connections = new Set<PoolConnection>()
  readonly #listeners = new Set<Listener>()
  /** those for whom no connection was free */
  readonly #waiting: ((connection: PoolConnection) => void)[] = []
  #failedAt = -RECONNECT_MS
  #looking: NodeJS.Timeout | undefined
  #isEnded = false

  constructor(url: string, options: PoolOptions) {
    this.#url = url
    this.#options = options
    const limit = Number(options.settings.statement_timeout ?? 0)
    this.#silentMs = limit === 0 ? Number.POSITIVE_INFINITY : limit + ANSWER_MARGIN_MS
  }

  async run(query: Query): Promise<Row[]> {
    const send = () => this.#use((connection) => connection.run(query))
    try {
      return await send()
    } catch (error) {
      if (!wasNotRun(error, query)) throw error
      return send()
    }
  }

  async reserve(): Promise<{ run: Run; release: () => void }> {
    const connection = await this.#use((free) => {
      free.isReserved = true
      return free
    })
    const run: Run = async (query) => {
      if (!connection.isReserved) throw new Transient('transaction_over', 'a statement came after the end of its transaction')
      return connection.run(query)
    }
    const release = () => {
      connection.isReserved = false
      this.#serveWaiting()
    }
    return { run, release }
  }

  async listen(channel: string, onNotice: (payload: string) => void): Promise<() => Promise<void>> {
    const listener = new Listener((signal) => this.#connect(signal, false), channel, onNotice, RECONNECT_MS)
    this.#listeners.add(listener)
    const stop = async () => {
      this.#listeners.delete(listener)
      await listener.stop()
    }
    await listener.ready.catch(async (error) => {
      await stop()
      throw error
    })
    return stop
  }

  async end({ timeout }: { timeout?: number } = {}): Promise<void> {
    this.#isEnded = true
    clearInterval(this.#looking)
    const settled = Promise.all([...this.#connections].map((connection) => connection.settled()))
    const limit = new AbortController()
    if (timeout === undefined) await settled
    else await Promise.race([settled, systemClock.sleep(timeout * 1000, limit.signal).catch(() => {})])
    limit.abort()
    await Promise.all([...this.#connections, ...this.#listeners].map((each) => ('close' in each ? each.close() : each.stop())))
  }

  /** Calls `use` with a connection, at once or as soon as there is one. */
  #use<T>(use: (connection: PoolConnection) => T | Promise<T>): T | Promise<T> {
    if (this.#isEnded) throw new Transient('connection_lost', 'the pool was closed')
    const connection = this.#choose()
    if (connection) return use(connection)
    return new Promise((resolve) => this.#waiting.push((free) => resolve(use(free))))
  }

  /** An unused connection, a new one, or the one with the least to do. */
  #choose(): PoolConnection | undefined {
    let best: PoolConnection | undefined
    for (const connection of this.#connections)
      if (!connection.isReserved && (!best || connection.pending < best.pending)) best = connection
    return best?.pending === 0 || this.#connections.size >= this.#options.max ? best : this.#open()
  }

  #serveWaiting(): void {
    while (this.#waiting.length > 0) {
      const connection = this.#choose()
      if (!connection) return
      this.#waiting.shift()!(connection)
    }
  }

  #open(): PoolConnection {
    const connection = new PoolConnection(
      (signal) => this.#connect(signal, true),
      (hasFailed) => {
        if (hasFailed) this.#failedAt = performance.now()
        this.#connections.delete(connection)
        this.#serveWaiting()
      },
    )
    this.#connections.add(connection)
    this.#looking ??= setInterval(() => this.#look(), Math.min(this.#silentMs / 4, LONGEST_LOOK_MS)).unref()
    return connection
  }

  async #connect(signal: AbortSignal, pipeline: boolean) {
    const { name, connectMs, settings } = this.#options
    const pause = this.#failedAt + RECONNECT_MS - performance.now()
    if (pause > 0) await systemClock.sleep(pause, signal)
    const options = Object.entries(settings).map(([key, value]) => `-c ${key}=${String(value).replace(/[\\ ]/g, '\\$&')}`)
    return connectClient(this.#url, {
      application_name: name,
      connectionTimeoutMillis: connectMs,
      options: options.join(' '),
      types: TYPES,
      pipeline,
      signal,
    })
  }

  /** Closes what nobody uses, and what nothing is heard from: a host that is gone, or a network that drops packets, closes nothing. */
  #look(): void {
    const now = performance.now()
    for (const connection of this.#connections) {
      const quietMs = now - connection.heardAt
      const isUnused = connection.pending === 0 && !connection.isReserved
      const isOver = quietMs > this.#options.idleMs || now - connection.openedAt > LIFETIME_MS
      if (isUnused ? isOver : connection.pending > 0 && quietMs > this.#silentMs) {
        this.#connections.delete(connection)
        connection.close().catch(() => {})
      }
    }
    this.#serveWaiting()
  }
}

type Parse = (text: string) => unknown

const BYTES: Parse = (text) => Buffer.from(text.slice(2), 'hex')
const TEXT: Parse = (text) => text
const TEXTS = pg.types.getTypeParser(1009 as never) as (text: string) => (string | null)[]
const listOf =
  (parse: Parse): Parse =>
  (text) =>
    TEXTS(text).map((item) => (item === null ? null : parse(item)))

/** How values become values of ours, by the type number of PostgreSQL: nothing is rounded on the way. What is not named is text. */
const PARSERS = new Map<number, Parse>([
  [16, (text) => text === 't'],
  [17, BYTES],
  // Ids are height * 2^24 + position: exact as a JS number below height 2^29. So are counts, nonces and chain ids.
  [20, Number],
  ...[21, 23, 26, 700, 701].map((oid): [number, Parse] => [oid, Number]),
  ...[114, 3802].map((oid): [number, Parse] => [oid, JSON.parse]),
  // Text: a Date would drop the microseconds. Dates and amounts are text too.
  [1184, timeFromPg],
  [1001, listOf(BYTES)],
  ...[1005, 1007, 1016, 1022].map((oid): [number, Parse] => [oid, listOf(Number)]),
  ...[1009, 1182, 1185, 1231].map((oid): [number, Parse] => [oid, listOf(TEXT)]),
])

const TYPES = { getTypeParser: (oid: number) => PARSERS.get(oid) ?? TEXT } as pg.CustomTypesConfig
