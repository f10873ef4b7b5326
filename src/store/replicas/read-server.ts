import { withDeadline } from '../../lib/deadline.ts'
import { type Db, openReader, type ReadOptions } from '../db.ts'
import type { ServerAddress } from '../servers/address.ts'
import { findServerMark, type ServerMark } from './server-mark.ts'

export type ReadServerOptions = Omit<ReadOptions, 'url'> & {
  /** named as a place to read from; the others are only read from when there is no such place */
  isReplica: boolean
  pollMs: number
  /** something about it is new */
  onLook: () => void
}

/** Without an answer for this long a server counts as down. */
const LOOK_MS = 1000
/** A commit that was announced is looked for this often at first, and then less and less. */
const FIRST_PACE_MS = 4
const LAST_PACE_MS = 100
/** After this long it is looked for at the ordinary pace again. */
const HURRY_MS = 5000

/** One of the servers that hold a network: is it there, and how new is what it shows. */
export class ReadServer {
  readonly place: string
  readonly isReplica: boolean
  readonly #url: string
  readonly #options: ReadServerOptions
  /** Its own connection: a pool whose connections are all busy says nothing about the server. */
  #looking: Db
  #db: Db
  #mark: ServerMark | undefined
  #trouble: string | undefined = 'not asked yet'
  #wanted = 0
  #wantedAt = 0
  #pace = FIRST_PACE_MS
  #wake: () => void = () => {}
  #running: Promise<void> | undefined
  #isStopped = false

  constructor({ url, place }: ServerAddress, options: ReadServerOptions) {
    this.place = place
    this.isReplica = options.isReplica
    this.#url = url
    this.#options = options
    this.#looking = this.#openOne()
    this.#db = this.#openPool()
  }

  get db(): Db {
    return this.#db
  }

  get isUp(): boolean {
    return this.#trouble === undefined
  }

  /** Why it is not up. */
  get trouble(): string | undefined {
    return this.#trouble
  }

  /** As it was seen last, also while it is down. Undefined: it has not answered yet. */
  get mark(): ServerMark | undefined {
    return this.#mark
  }

  get isPrimary(): boolean {
    return this.isUp && this.#mark?.is_standby === false
  }

  get commitNumber(): number {
    return this.#mark?.commit_number ?? 0
  }

  /** Looks once, then again and again until `stop`. */
  async start(): Promise<void> {
    await this.#look()
    this.#running = this.#keepLooking()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#wake()
    await Promise.all([this.#looking.end({ timeout: 0 }), this.#db.end({ timeout: 2 }), this.#running])
  }

  /** A commit was announced: it is looked for until it shows. */
  expect(commitNumber: number): void {
    if (commitNumber <= this.#wanted) return
    this.#wanted = commitNumber
    this.#wantedAt = performance.now()
    this.#pace = FIRST_PACE_MS
    this.#wake()
  }

  /**
   * Tells the notices of a channel until the returned function is called. Each time on its own connection: the library opens it again
   * after a loss, but then never gives it back, and a LISTEN that the server refused as a standby stays refused after its promotion.
   */
  listen(channel: string, onNotice: (payload: string) => void, onError: (error: unknown) => void): () => Promise<void> {
    const listening = this.#openOne()
    listening.listen(channel, onNotice).catch(onError)
    return () => listening.end({ timeout: 0 })
  }

  async #keepLooking(): Promise<void> {
    while (!this.#isStopped) {
      await this.#pause()
      if (!this.#isStopped) await this.#look()
    }
  }

  #pause(): Promise<void> {
    const isHurrying =
      this.isUp && this.commitNumber < this.#wanted && performance.now() - this.#wantedAt < HURRY_MS && this.#wanted > 0
    const ms = isHurrying ? this.#pace : this.#options.pollMs
    if (isHurrying) this.#pace = Math.min(this.#pace * 2, LAST_PACE_MS)
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      timer.unref()
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #look(): Promise<void> {
    try {
      this.#mark = await withDeadline(findServerMark(this.#looking), LOOK_MS, () => new Error(`no answer within ${LOOK_MS} ms`))
      this.#trouble = undefined
    } catch (error) {
      const { code, message } = error as Error & { code?: string }
      this.#dropConnections()
      this.#trouble = message || code || 'no answer'
    }
    if (!this.#isStopped) this.#options.onLook()
  }

  /** Statements that were sent to a server that is silent would wait for it, and those who asked with them. */
  #dropConnections(): void {
    const dropped = [this.#looking, ...(this.isUp ? [this.#db] : [])]
    if (this.isUp) this.#db = this.#openPool()
    this.#looking = this.#openOne()
    for (const db of dropped) db.end({ timeout: 0 }).catch(() => {})
  }

  #openPool(): Db {
    return openReader({ ...this.#options, url: this.#url })
  }

  #openOne(): Db {
    return openReader({ ...this.#options, url: this.#url, max: 1, statementTimeoutMs: LOOK_MS })
  }
}
