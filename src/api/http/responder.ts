import { setTimeout as wait } from 'node:timers/promises'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { withDeadline } from '../../lib/deadline.ts'
import { Invariant } from '../../lib/errors.ts'
import { loopTurns } from '../../lib/loop-turns.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Head } from '../../store/read/head/head.ts'
import type { Route } from '../collect-routes.ts'
import type { HeadWatch } from '../head-watch.ts'
import { nextLink, type Page } from '../lists/next-link.ts'
import { handleAtOffset } from '../lists/offset.ts'
import { ListPages } from '../lists/pages.ts'
import { ANYONE, LongList, Streamed, WholeList, WithHeaders, WithWork } from '../route.ts'
import type { RowForm } from './accept.ts'
import { type Answer, type Body, makeAnswer, makeBody, REVALIDATE, toBody } from './answer.ts'
import type { BoundRequest } from './bind.ts'
import { AnswerCache } from './cache.ts'
import { reorganising, Unavailable } from './errors.ts'
import { LIMITS } from './limits.ts'
import { WrittenAnswer } from './write-json.ts'
import { streamWhole, writeResult, writeRows } from './write-result.ts'

export type ResponderOptions = {
  /** memory for kept answers; 0 keeps none */
  cacheBytes?: number
  deadlineMs?: number
  /** requests that may run at once before more are turned away */
  maxInFlight?: number
  /** checks every answer against the schema its route declares: on in tests, where a mismatch is a 500 */
  validateResponses?: boolean
  /** Deepest fork that the indexer undoes by itself: no nearer block is sent as immutable. */
  rollbackDepth?: number
}

const CACHE_BYTES = 64 * 2 ** 20
const MAX_IN_FLIGHT = 1000
/** As the settings have it by default. */
const ROLLBACK_DEPTH = 100

/** Names and rollups may change without a block: on a chain that stands still they are looked up again after this time. */
const LONGEST_KEPT_MS = 10_000
/** A head that moves faster than an answer can be read is only met while catching up; then the last try counts, unkept. */
const TRIES = 3
/** A page of a list that is being sent waits so long when too much is running. */
const OVERLOAD_WAIT_MS = 100

/** An answer before it is known at which head it was read. Without a body it is 204. */
type Written = {
  body: Body | undefined
  /** of a list */
  page: Page | undefined
  headers: Record<string, string> | undefined
  /** bytes that were read for it */
  work: number
  link: string | undefined
  /** the block it is about, where it says so */
  about: number | undefined
}

/** Cost of a long list beyond its request. */
export type ListMeter = {
  /** Before each further page; waits until the caller may have it. */
  pay: () => Promise<void>
  /** Hears of the bytes behind it. */
  count: (bytes: number) => void
}

const FREE: ListMeter = { pay: async () => {}, count: () => {} }

/** A list that is sent page by page. */
type ListInParts = { pages: ListPages; first: Body; height: number; fork: number; meter: ListMeter }

/** Turns bound requests of one network into finished answers, and keeps them as long as they are true. */
export class Responder {
  readonly cache: AnswerCache
  readonly #watch: HeadWatch
  readonly #options: Required<ResponderOptions>
  readonly #running = new SingleFlight<Answer | Streamed>()
  readonly #unlisten: () => void
  readonly #forgetting: NodeJS.Timeout
  #inFlight = 0

  constructor(watch: HeadWatch, options: ResponderOptions = {}) {
    this.#watch = watch
    this.#options = {
      cacheBytes: options.cacheBytes ?? CACHE_BYTES,
      deadlineMs: options.deadlineMs ?? LIMITS.handlerMs,
      maxInFlight: options.maxInFlight ?? MAX_IN_FLIGHT,
      validateResponses: options.validateResponses ?? false,
      rollbackDepth: options.rollbackDepth ?? ROLLBACK_DEPTH,
    }
    this.cache = new AnswerCache(this.#options.cacheBytes)
    this.#unlisten = watch.onChange((_, change) => (change === 'rollback' ? this.cache.rollBack() : this.cache.advance()))
    this.#forgetting = setInterval(() => this.cache.advance(), LONGEST_KEPT_MS)
    this.#forgetting.unref()
  }

  close(): void {
    this.#unlisten()
    clearInterval(this.#forgetting)
  }

  get isCaching(): boolean {
    return this.#options.cacheBytes > 0
  }

  /** Equal requests that come while one is being answered share its answer. `meter` is asked when the answer is a long list. */
  async respond(route: Route, request: BoundRequest, meter: ListMeter = FREE): Promise<Answer | Streamed> {
    const produce = () => this.#guarded(() => this.#produce(route, request, meter))
    // Answers that are never kept may depend on the caller; those to a body do not.
    if (route.cache === 'none' && route.method === 'GET') return produce()
    const key = keyOf(route, request)
    if (this.isCaching && route.cache !== 'none') {
      const kept = this.cache.get(key)
      if (kept) {
        if (!request.query.unknown) this.cache.set(urlKey(request.url, request.form), kept)
        return kept
      }
    }
    // Rows may become a stream, which has one reader.
    return request.form === undefined ? this.#running.run(key, produce) : produce()
  }

  /** Keeps an answer under the request's own text and its normalised form, if the head is still the one it was read at. */
  #keep(route: Route, request: BoundRequest, answer: Answer): void {
    if (!this.isCaching || answer.kept === 'none') return
    this.cache.set(keyOf(route, request), answer)
    // An answer with a warning about the text of its query is not given again by that text.
    if (!request.query.unknown) this.cache.set(urlKey(request.url, request.form), answer)
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inFlight >= this.#options.maxInFlight) throw new Unavailable('overloaded', 'too many requests are running')
    this.#inFlight++
    try {
      return await withDeadline(
        work(),
        this.#options.deadlineMs,
        () => new Unavailable('query_timeout', 'the answer took too long'),
      )
    } finally {
      this.#inFlight--
    }
  }

  /**
   * All statements of `read` saw one state of the database (I12), and the answer is true for the head that `finish` is told. What was
   * read while the head moved on is at least as new as the head before, and claims no more.
   */
  async #atOneHead<T, R>(
    route: Route,
    read: (head: Head | undefined) => Promise<T>,
    finish: (value: T, height: number, isStable: boolean) => R,
  ): Promise<R> {
    const { head } = this.#watch
    if (route.cache === 'none') return finish(await read(head), head?.last_height ?? 0, true)
    return this.#watch.readOnBranch(read, (value, at, isStable) => finish(value, at?.last_height ?? 0, isStable), TRIES)
  }

  #produce(route: Route, request: BoundRequest, meter: ListMeter): Promise<Answer | Streamed> {
    const pages = request.form && new ListPages(route, request)
    const { fork } = this.#watch
    return this.#atOneHead<Written | Streamed, Answer | Streamed>(
      route,
      (head) => this.#read(route, request, pages?.query ?? request.query.values, head),
      (read, height, isStable) => {
        if (read instanceof Streamed) {
          read.height = height
          return read
        }
        if (pages && read.page) pages.add(read.page)
        if (pages?.hasMore && read.body)
          return this.#streamPages(route, request, { pages, first: read.body, height, fork, meter })
        const answer = this.#finish(route, read, height, isStable)
        this.#keep(route, request, answer)
        return answer
      },
    )
  }

  async #read(
    route: Route,
    request: BoundRequest,
    query: Record<string, unknown>,
    head: Head | undefined,
  ): Promise<Written | Streamed> {
    const { params, body, client = ANYONE } = request
    // Lists take turns; single records take less than a turn.
    if (route.list) await loopTurns.take(client.name)
    const result = await handleAtOffset(route, { query, params: params.values, body: body.values, client }, head)
    if (result instanceof Streamed) return result
    if (result instanceof WholeList) return streamWhole(result, request.form && route.list?.[request.form])
    return this.#write(route, request, result)
  }

  /** The rest of a list is read while it is sent, a page when the one before has left. Rows that were sent may be gone after a fork: that breaks it off. */
  #streamPages(route: Route, request: BoundRequest, { pages, first, height, fork, meter }: ListInParts): Streamed {
    const read = (head: Head | undefined) => this.#read(route, request, pages.query, head)
    const readPage = () => this.#guarded(() => this.#atOneHead(route, read, (written) => written))
    const isOverloaded = () => this.#inFlight >= this.#options.maxInFlight
    const watch = this.#watch
    async function* writePages(): AsyncGenerator<string> {
      yield first.bytes.toString()
      const skipped = route.list![request.form!].head.length
      while (pages.hasMore) {
        await meter.pay()
        // A list that is half sent waits until the process is less busy.
        while (isOverloaded()) await wait(OVERLOAD_WAIT_MS)
        const written = await readPage()
        if (written instanceof Streamed || !written.body || !written.page || watch.fork !== fork) throw reorganising()
        pages.add(written.page)
        meter.count(written.work)
        yield written.body.bytes.toString().slice(skipped)
      }
    }
    const streamed = new Streamed(first.contentType, writePages(), first.bytes.length)
    streamed.height = height
    streamed.endLink = () => pages.link
    return streamed
  }

  async #write(route: Route, request: BoundRequest, result: unknown): Promise<Written> {
    if (result instanceof WithHeaders) {
      const written = await this.#write(route, request, result.value)
      written.headers = result.headers
      return written
    }
    if (result instanceof WithWork) {
      const written = await this.#write(route, request, result.value)
      written.work = result.bytes
      return written
    }
    const plain = { page: undefined, headers: undefined, work: 0, link: undefined, about: undefined }
    if (result === undefined) return { body: undefined, ...plain }
    if (result instanceof WrittenAnswer) {
      if (this.#options.validateResponses) checkAnswer(route, result.bytes.toString())
      return { body: toBody(result.bytes, result.digest), ...plain }
    }
    const form = request.form && route.list?.[request.form]
    const { pretty, client: { name: client } = ANYONE } = request
    const { text, page } = form ? await writeRows(result, form, client) : await writeResult(result, { pretty, client })
    if (this.#options.validateResponses)
      checkAnswer(route, form ? (await writeResult(result, { pretty: false, client })).text : text)
    const first = result instanceof LongList ? result.first : Array.isArray(result) ? result[0] : result
    return {
      body: await makeBody(text, form?.contentType),
      page,
      headers: undefined,
      work: 0,
      link: page && nextLink(route, request, page),
      about: heightOf(first, request.params.values),
    }
  }

  #finish(route: Route, { body, page, headers, work, link, about }: Written, height: number, isStable: boolean): Answer {
    const kept = !isStable ? 'none' : route.cache === 'closed' && page?.count === 0 ? 'head' : route.cache
    const answer = makeAnswer(body, { height, kept, link, headers, work })
    // The answer stays in this process, which sees a rollback; a cache elsewhere would not.
    if (kept === 'closed' && (about === undefined || about + this.#options.rollbackDepth > height))
      answer.cacheControl = REVALIDATE
    return answer
  }
}

function keyOf(route: Route, { params, query, body, pretty, form }: BoundRequest): string {
  return `${form ?? ''}${route.method} ${route.path} ${params.key}?${query.key}${pretty ? '&pretty' : ''} ${body.key}`
}

/** Key of a kept answer by the request's own text. */
export const urlKey = (url: string, form: RowForm | undefined) => (form === undefined ? url : `${form} ${url}`)

/** The block an answer is about, where it says so. */
function heightOf(first: unknown, params: Record<string, unknown>): number | undefined {
  if (typeof params.height === 'number') return params.height
  const row = first as { height?: unknown } | undefined | null
  return typeof row?.height === 'number' ? row.height : undefined
}

type Checker = { Check(value: unknown): boolean; Errors(value: unknown): object[] }
const checkers = new WeakMap<TSchema, Checker>()

/** Throws when an answer is not what its route declares. */
function checkAnswer(route: Route, text: string): void {
  const schema = route.schema.response[200]
  let checker = checkers.get(schema)
  if (!checker) checkers.set(schema, (checker = Compile(schema) as unknown as Checker))
  const value: unknown = JSON.parse(text)
  if (checker.Check(value)) return
  const errors = checker.Errors(value)
  throw new Invariant('answer_schema', `${route.path} breaks its schema: ${JSON.stringify(errors[0])} in ${text.slice(0, 300)}`)
}
