import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

/** Place of a span in a trace (W3C trace context). */
export type TraceContext = { traceId: string; spanId: string; parentId?: string }

export type SpanFacts = {
  name: string
  kind: 'server' | 'client'
  context: TraceContext
  seconds: number
  attributes: Record<string, string | number>
  isError?: boolean
}

export type TracerOptions = {
  /** base address of an OpenTelemetry collector (OTLP over HTTP with JSON) */
  url: string
  /** part of the traces that nobody began before us that is kept, 0 to 1 */
  ratio: number
  version: string
  everyMs?: number
  now?: () => number
  random?: () => number
  onError?: (error: unknown) => void
}

const KINDS = { server: 2, client: 3 } as const
const MAX_WAITING = 5000
const SEND_TIMEOUT_MS = 5000
const PARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/

/** Collects spans and sends them in batches; nothing waits for it, and what cannot be sent is dropped. */
export class Tracer {
  readonly #options: Required<TracerOptions>
  readonly #current = new AsyncLocalStorage<TraceContext>()
  readonly #timer: NodeJS.Timeout
  #waiting: unknown[] = []
  #sending: Promise<void> = Promise.resolve()

  constructor(options: TracerOptions) {
    this.#options = { everyMs: 2000, now: Date.now, random: Math.random, onError: () => {}, ...options }
    this.#timer = setInterval(() => void this.flush(), this.#options.everyMs)
    this.#timer.unref()
  }

  /** Goes on with the caller's trace when there is one, and keeps to what the caller decided; undefined: not to be recorded. */
  begin(traceparent?: string): TraceContext | undefined {
    const [, traceId, parentId, flags] = PARENT.exec(traceparent ?? '') ?? []
    if (traceId !== undefined && parentId !== undefined)
      return (Number.parseInt(flags!, 16) & 1) === 1 ? { traceId, spanId: makeId(8), parentId } : undefined
    return this.#options.random() < this.#options.ratio ? { traceId: makeId(16), spanId: makeId(8) } : undefined
  }

  /** A part of what is being done here; undefined outside of a recorded request. */
  child(): TraceContext | undefined {
    const parent = this.#current.getStore()
    return parent && { traceId: parent.traceId, spanId: makeId(8), parentId: parent.spanId }
  }

  run(context: TraceContext, work: () => void): void {
    this.#current.run(context, work)
  }

  /** A span that ends now. */
  record({ name, kind, context, seconds, attributes, isError = false }: SpanFacts): void {
    if (this.#waiting.length >= MAX_WAITING) return
    const end = this.#options.now()
    this.#waiting.push({
      traceId: context.traceId,
      spanId: context.spanId,
      ...(context.parentId !== undefined && { parentSpanId: context.parentId }),
      name,
      kind: KINDS[kind],
      startTimeUnixNano: toNanos(end - seconds * 1000),
      endTimeUnixNano: toNanos(end),
      attributes: toAttributes(attributes),
      status: isError ? { code: 2 } : {},
    })
  }

  /** Sends what waits; one batch at a time. */
  flush(): Promise<void> {
    this.#sending = this.#sending.then(() => this.#send())
    return this.#sending
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  async #send(): Promise<void> {
    if (this.#waiting.length === 0) return
    const spans = this.#waiting
    this.#waiting = []
    const { url, version, onError } = this.#options
    const resource = { attributes: toAttributes({ 'service.name': 'astrolabe', 'service.version': version }) }
    try {
      const answer = await fetch(`${url.replace(/\/$/, '')}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'astrolabe' }, spans }] }] }),
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      })
      await answer.body?.cancel()
      if (!answer.ok) throw new Error(`the collector answered with status ${answer.status}`)
    } catch (error) {
      onError(error)
    }
  }
}

const makeId = (bytes: number) => randomBytes(bytes).toString('hex')

/** Microseconds are as good as our clock is. */
const toNanos = (ms: number) => `${Math.round(ms * 1000)}000`

function toAttributes(facts: Record<string, string | number>): unknown[] {
  return Object.entries(facts).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
}
