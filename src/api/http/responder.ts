import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Invariant } from '../../lib/errors.ts'
import type { Route } from '../collect-routes.ts'
import type { HeadWatch } from '../head-watch.ts'
import { type CachePolicy, Streamed, WithHeaders } from '../route.ts'
import { type Answer, makeAnswer, REVALIDATE } from './answer.ts'
import type { BoundRequest } from './bind.ts'
import { AnswerCache } from './cache.ts'
import { Unavailable } from './errors.ts'
import { nextLink } from './next-link.ts'
import { handleAtOffset } from './offset.ts'
import { writeJson } from './write-json.ts'

export type ResponderOptions = {
  /** memory for kept answers; 0 keeps none */
  cacheBytes: number
  deadlineMs: number
  /** requests that may run at once before more are turned away */
  maxInFlight: number
  /** checks every answer against the schema its route declares; for tests */
  validateResponses: boolean
}

/** Blocks nearer to the head than this may still be taken back (rollback limit). */
const ROLLBACK_DEPTH = 100
/** Names and rollups may change without a block: on a chain that stands still they are looked up again after this time. */
const LONGEST_KEPT_MS = 10_000
/** A head that moves faster than an answer can be read is only met while catching up; then the last try counts, unkept. */
const TRIES = 3

/** Turns bound requests of one network into finished answers, and keeps them as long as they are true. */
export class Responder {
  readonly cache: AnswerCache
  readonly #watch: HeadWatch
  readonly #options: ResponderOptions
  readonly #running = new Map<string, Promise<Answer | Streamed>>()
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
    if (route.cache === 'none') return this.#guarded(route, request)
    const key = keyOf(route, request)
    if (this.isCaching) {
      const kept = this.cache.get(key)
      if (kept) {
        this.cache.set(request.url, kept)
        return kept
      }
    }
    const running = this.#running.get(key)
    if (running) return running
    const answer = this.#guarded(route, request)
    this.#running.set(key, answer)
    try {
      return await answer
    } finally {
      this.#running.delete(key)
    }
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
   * (I12), and the answer is true for that head. Else it is read again.
   */
  async #produce(route: Route, request: BoundRequest): Promise<Answer | Streamed> {
    const values = { query: request.query.values, params: request.params.values, body: request.body.values }
    for (let attempt = 1; ; attempt++) {
      const before = this.#watch.head
      const result = await handleAtOffset(route, values, before)
      if (result instanceof Streamed) return result
      const after = route.cache === 'none' ? before : await this.#watch.confirm()
      if (after !== before && attempt < TRIES) continue
      const height = after?.last_height ?? 0
      const answer = this.#finish(route, request, result, height, after === before)
      // Between the confirmation and here nothing else runs, so the head cannot have moved.
      this.#keep(route, request, answer)
      return answer
    }
  }

  #finish(route: Route, request: BoundRequest, result: unknown, height: number, isStable: boolean): Answer {
    if (result instanceof WithHeaders)
      return { ...this.#finish(route, request, result.value, height, isStable), headers: result.headers }
    if (result === undefined) return makeAnswer(undefined, { height, kept: isStable ? keptWhenEmpty(route.cache) : 'none' })
    const text = writeJson(result, request.pretty)
    if (this.#options.validateResponses) checkAnswer(route, text)
    const about = heightOf(result, request.params.values)
    const kept = !isStable ? 'none' : route.cache === 'closed' && isEmpty(result) ? 'head' : route.cache
    const answer = makeAnswer(text, { height, kept, link: nextLink(route, request, result) })
    // It stays in this process, which sees a rollback; a cache elsewhere would not.
    if (kept === 'closed' && (about === undefined || about + ROLLBACK_DEPTH > height)) answer.cacheControl = REVALIDATE
    return answer
  }
}

function keyOf(route: Route, { params, query, pretty }: BoundRequest): string {
  return `${route.path} ${params.key}?${query.key}${pretty ? '&pretty' : ''}`
}

function keptWhenEmpty(policy: CachePolicy): CachePolicy {
  return policy === 'closed' ? 'head' : policy
}

function isEmpty(result: unknown): boolean {
  return Array.isArray(result) && result.length === 0
}

/** The block an answer is about, where it says so. */
function heightOf(result: unknown, params: Record<string, unknown>): number | undefined {
  if (typeof params.height === 'number') return params.height
  const row = (Array.isArray(result) ? result[0] : result) as { height?: unknown } | undefined
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
