import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Invariant } from '../../lib/errors.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Route } from '../collect-routes.ts'
import type { HeadWatch } from '../head-watch.ts'
import { LongList, Streamed, WithHeaders, WithWork } from '../route.ts'
import { type Answer, type Body, makeAnswer, makeBody, REVALIDATE } from './answer.ts'
import type { BoundRequest } from './bind.ts'
import { AnswerCache } from './cache.ts'
import { Unavailable } from './errors.ts'
import { nextLink, type Page } from './next-link.ts'
import { handleAtOffset } from './offset.ts'
import { writeJson } from './write-json.ts'
import { writeList } from './write-list.ts'

export type ResponderOptions = {
  /** memory for kept answers; 0 keeps none */
  cacheBytes: number
  deadlineMs: number
  /** requests that may run at once before more are turned away */
  maxInFlight: number
  /** checks every answer against the schema its route declares; for tests */
  validateResponses: boolean
  /** blocks nearer to the head than this may still be taken back */
  rollbackDepth: number
}

/** Names and rollups may change without a block: on a chain that stands still they are looked up again after this time. */
const LONGEST_KEPT_MS = 10_000
/** A head that moves faster than an answer can be read is only met while catching up; then the last try counts, unkept. */
const TRIES = 3
/** Across a fork no try counts. */
const FORK_TRIES = 10

/** An answer before it is known at which head it was read. Without a body it is 204. */
type Written = {
  body: Body | undefined
  headers: Record<string, string> | undefined
  /** bytes that were read for it */
  work: number
  link: string | undefined
  /** the block it is about, where it says so */
  about: number | undefined
  isEmpty: boolean
}

/** Turns bound requests of one network into finished answers, and keeps them as long as they are true. */
export class Responder {
  readonly cache: AnswerCache
  readonly #watch: HeadWatch
  readonly #options: ResponderOptions
  readonly #running = new SingleFlight<Answer | Streamed>()
  readonly #unlisten: () => void
  readonly #forgetting: NodeJS.Timeout
  #inFlight = 0

  constructor(watch: HeadWatch, options: ResponderOptions) {
    this.#watch = watch
    this.#options = options
    this.cache = new AnswerCache(options.cacheBytes)
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

  /** Equal requests that come while one is being answered share its answer. */
  async respond(route: Route, request: BoundRequest): Promise<Answer | Streamed> {
    // What is never kept may depend on who asks; what is asked for in a body does not.
    if (route.cache === 'none' && route.method === 'GET') return this.#guarded(route, request)
    const key = keyOf(route, request)
    if (this.isCaching && route.cache !== 'none') {
      const kept = this.cache.get(key)
      if (kept) {
        this.cache.set(request.url, kept)
        return kept
      }
    }
    return this.#running.run(key, () => this.#guarded(route, request))
  }

  /** Keeps an answer under the request's own text and its normalised form, if the head is still the one it was read at. */
  #keep(route: Route, request: BoundRequest, answer: Answer): void {
    if (!this.isCaching || answer.kept === 'none') return
    this.cache.set(keyOf(route, request), answer)
    this.cache.set(request.url, answer)
  }

  async #guarded(route: Route, request: BoundRequest): Promise<Answer | Streamed> {
    if (this.#inFlight >= this.#options.maxInFlight) throw new Unavailable('overloaded', 'too many requests are running')
    this.#inFlight++
    try {
      return await withDeadline(this.#produce(route, request), this.#options.deadlineMs)
    } finally {
      this.#inFlight--
    }
  }

  /**
   * Runs the handler and confirms that the head is the same after as before: then all its statements saw one state of the database
   * (I12), and the answer is true for that head. Else it is read again. What was read while
   * the head moved on is at least as new as the head before, and claims no more.
   */
  async #produce(route: Route, request: BoundRequest): Promise<Answer | Streamed> {
    const values = { query: request.query.values, params: request.params.values, body: request.body.values }
    for (let attempt = 1; ; attempt++) {
      const { head: before, fork } = this.#watch
      const height = before?.last_height ?? 0
      const result = await handleAtOffset(route, values, before)
      if (result instanceof Streamed) {
        result.height = height
        return result
      }
      const written = await this.#write(route, request, result)
      const after = route.cache === 'none' ? before : await this.#watch.confirm()
      if (after !== before && attempt < TRIES) continue
      if (this.#watch.fork !== fork && route.cache !== 'none') {
        if (attempt < FORK_TRIES) continue
        throw new Unavailable('chain_reorganising', 'the chain is being reorganised')
      }
      const answer = this.#finish(route, written, height, after === before)
      // Between the confirmation and here nothing else runs, so the head cannot have moved.
      this.#keep(route, request, answer)
      return answer
    }
  }

  async #write(route: Route, request: BoundRequest, result: unknown): Promise<Written> {
    if (result instanceof WithHeaders) return { ...(await this.#write(route, request, result.value)), headers: result.headers }
    if (result instanceof WithWork) return { ...(await this.#write(route, request, result.value)), work: result.bytes }
    const written: Written = { body: undefined, headers: undefined, work: 0, link: undefined, about: undefined, isEmpty: true }
    if (result === undefined) return written
    const { text, page } = await writeResult(result, request.pretty)
    if (this.#options.validateResponses) checkAnswer(route, text)
    const first = result instanceof LongList ? result.first : Array.isArray(result) ? result[0] : result
    return {
      ...written,
      body: await makeBody(text),
      link: page && nextLink(route, request, page),
      about: heightOf(first, request.params.values),
      isEmpty: page?.count === 0,
    }
  }

  #finish(route: Route, { body, headers, work, link, about, isEmpty }: Written, height: number, isStable: boolean): Answer {
    const kept = !isStable ? 'none' : route.cache === 'closed' && isEmpty ? 'head' : route.cache
    const answer = makeAnswer(body, { height, kept, link, work })
    // It stays in this process, which sees a rollback; a cache elsewhere would not.
    if (kept === 'closed' && (about === undefined || about + this.#options.rollbackDepth > height))
      answer.cacheControl = REVALIDATE
    return headers === undefined ? answer : { ...answer, headers }
  }
}

async function writeResult(result: unknown, pretty: boolean): Promise<{ text: string; page: Page | undefined }> {
  if (result instanceof LongList) {
    const { text, count, last } = await writeList(result, pretty)
    return { text, page: { count, last, isCut: count < result.length } }
  }
  const page = Array.isArray(result) ? { count: result.length, last: result.at(-1), isCut: false } : undefined
  return { text: writeJson(result, pretty), page }
}

function keyOf(route: Route, { params, query, body, pretty }: BoundRequest): string {
  return `${route.method} ${route.path} ${params.key}?${query.key}${pretty ? '&pretty' : ''} ${body.key}`
}

/** The block an answer is about, where it says so. */
function heightOf(first: unknown, params: Record<string, unknown>): number | undefined {
  if (typeof params.height === 'number') return params.height
  const row = first as { height?: unknown } | undefined | null
  return typeof row?.height === 'number' ? row.height : undefined
}

async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable('query_timeout', 'the answer took too long')), ms)
  })
  // Nobody waits for the work any more once the deadline has passed; its own failure must not end the process.
  work.catch(() => {})
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}

type Checker = { Check(value: unknown): boolean; Errors(value: unknown): object[] }
const checkers = new WeakMap<TSchema, Checker>()

function checkAnswer(route: Route, text: string): void {
  const schema = route.schema.response[200]
  let checker = checkers.get(schema)
  if (!checker) checkers.set(schema, (checker = Compile(schema) as unknown as Checker))
  const value: unknown = JSON.parse(text)
  if (checker.Check(value)) return
  const errors = checker.Errors(value)
  throw new Invariant('answer_schema', `${route.path} breaks its schema: ${JSON.stringify(errors[0])} in ${text.slice(0, 300)}`)
}
