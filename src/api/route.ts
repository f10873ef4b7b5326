import type { Static, TObject, TSchema } from 'typebox'
import type { Client } from '../lib/turn-queue.ts'
import type { Db } from '../store/db.ts'
import type { Head } from '../store/read/head/head.ts'
import type { HeadWatch } from './head-watch.ts'
import type { BlockStore } from './square/block-store.ts'

/** Context that a route group is built from. One context per network: nothing of one network is visible on another's address. */
export type ApiContext = {
  network: { name: string; chainId: string; kind: 'main' | 'test' }
  /** Reading pool. Every answer is checked to come from one head (see answer.ts), so several statements in a row are fine. */
  db: Db
  /**
   * The head this process serves, never older than what it announced. `head().last_time` is "now" in answers.
   * Undefined until the first block is indexed; a request then gets 204 or an empty list.
   */
  head: () => Head | undefined
  /** Where `head` comes from: moves it, confirms answers, tells listeners. */
  watch: HeadWatch
  /** Bytes of blocks, for the content of blobs. */
  blocks: BlockStore
  /** Wall clock in milliseconds; only `synced` needs it. */
  now: () => number
}

export type RouteSchema = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  /** Another path of the operation, kept for existing clients. The description shows the one without this mark. */
  isAlias?: true
  /** Reason why no view of the page uses the operation; `test/structure` asks for it where none does. */
  notOnPage?: string
  params?: TObject
  querystring?: TObject
  /** a JSON object; keys match case-blind */
  body?: TObject
  /** 200 and, where a missing entity is 204, `204: NoContent`. The error statuses are the same everywhere and added by the core. */
  response: { 200: TSchema; 204?: TSchema }
}

/**
 * How long an answer may be kept: `head` (the default) for exactly one head; `closed` for what no later block can change, and nothing
 * else that can change stands in it (no names, monikers, rollups); `none` for what depends on more than the head.
 */
export type CachePolicy = 'head' | 'closed' | 'none'

export type RouteOptions<S extends RouteSchema> = {
  schema: S
  cache?: CachePolicy
  /** Makes the `Link: rel="next"` of a full page point at `cursor`; without it the link counts with `offset`. Undefined: this order has no cursor. */
  cursorOf?: (row: RowOf<S>, query: QueryOf<S>) => number | undefined
  /** Largest offset that is answered; deeper ones are refused with the cursor to go on with (docs/rules.md R8). By default a million. */
  deepestOffset?: number
  /** Points a request costs under a rate limit: 1 read, 2 list, 5 statistics, 10 export. */
  cost?: number
  /**
   * False: the answer is made of what blocks hold, from the first block of the index on. Otherwise it depends on state that was there before,
   * and an index that began without state refuses it (409).
   */
  needsState?: false
  /** Shows txs or messages of one height or tx, whose partition may have been detached from the index (410). */
  mayBeDetached?: true
  /** The right a plan must include; without it every plan covers the route. */
  needs?: RouteRight
}

/** Rights a plan grants or leaves out: data from outside the chain, statistics. */
export type RouteRight = 'offchain' | 'statistics'

type Part<T> = T extends TSchema ? Static<T> : Record<string, never>
export type QueryOf<S extends RouteSchema> = Part<S['querystring']>
type AnswerOf<S extends RouteSchema> = Static<S['response'][200]>
type RowOf<S extends RouteSchema> = AnswerOf<S> extends (infer R)[] ? R : never

export type RouteRequest<S extends RouteSchema> = {
  query: QueryOf<S>
  params: Part<S['params']>
  body: Part<S['body']>
  /** who asks: what takes long is done in turns */
  client: Client
}

/** Client of calls that are made within the process. */
export const ANYONE: Client = { name: '', share: 1 }

/** Undefined is 204, and only allowed where the route declares it. */
export type RouteResult<S extends RouteSchema> =
  | AnswerOf<S>
  | WithHeaders<AnswerOf<S>>
  | WithWork<AnswerOf<S>>
  | LongList<RowOf<S>>
  | WholeList<RowOf<S>>
  | Streamed
  | (S['response'] extends { 204: TSchema } ? undefined : never)

/** Takes values, returns a value: no framework object gets in, so the same handler serves the paid surface. */
export type RouteHandler<S extends RouteSchema> = (request: RouteRequest<S>) => RouteResult<S> | Promise<RouteResult<S>>

/** Paths start behind `/v1` and write parameters as `:name`. */
export interface Routes {
  get<const S extends RouteSchema>(path: string, options: RouteOptions<S>, handler: RouteHandler<S>): void
  post<const S extends RouteSchema>(path: string, options: RouteOptions<S>, handler: RouteHandler<S>): void
}

export type RouteGroup = (app: Routes, ctx: ApiContext) => void

/** An answer that is written while it is read: exports, and what no page can cut. Never cached. */
export class Streamed {
  readonly contentType: string
  readonly chunks: AsyncIterable<string>
  /** bytes that are read for it, where they are known */
  readonly bytes: number
  /** head when the first row was read at the earliest */
  height = 0
  /** `Link` to what follows, known when everything is written: it is sent as a trailer */
  endLink: (() => string | undefined) | undefined
  constructor(contentType: string, chunks: AsyncIterable<string>, bytes = 0) {
    this.contentType = contentType
    this.chunks = chunks
    this.bytes = bytes
  }
}

/** An answer with headers of its own; only for answers that are not kept. */
export class WithHeaders<T> {
  readonly value: T
  readonly headers: Record<string, string>
  constructor(value: T, headers: Record<string, string>) {
    this.value = value
    this.headers = headers
  }
}

/**
 * A list whose rows may be large. They are made one by one while the answer is written, and the page ends early when the answer has
 * become too long: the link to the next page tells.
 */
export class LongList<T> {
  readonly length: number
  readonly first: unknown
  /** one by one; those that are ready come without a promise */
  readonly rows: () => Iterable<T | Promise<T>> | AsyncIterable<T>
  constructor(rows: readonly unknown[], read: () => Iterable<T | Promise<T>> | AsyncIterable<T>) {
    this.length = rows.length
    this.first = rows[0]
    this.rows = read
  }

  static of<R, T>(rows: readonly R[], toRow: (row: R) => T | Promise<T>): LongList<T> {
    return new LongList(rows, () => readRows(rows, toRow))
  }
}

/** Not a closure: generators of each function have a hidden class of their own, and those of a function made per request never hit an inline cache. */
function* readRows<R, T>(rows: readonly R[], toRow: (row: R) => T | Promise<T>): Generator<T | Promise<T>> {
  for (const row of rows) yield toRow(row)
}

/** A list of large rows that no page can cut: it is sent while they are made. */
export class WholeList<T> {
  readonly rows: () => AsyncGenerator<T>
  /** that are read for it */
  readonly bytes: number
  constructor(bytes: number, rows: () => AsyncGenerator<T>) {
    this.bytes = bytes
    this.rows = rows
  }
}

/** An answer that took more work than its size shows: bytes that were read for it. */
export class WithWork<T> {
  readonly value: T
  readonly bytes: number
  constructor(value: T, bytes: number) {
    this.value = value
    this.bytes = bytes
  }
}
