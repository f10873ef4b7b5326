import type { Feed, Found, Wanted } from '../../feed/feed.ts'
import { type BackoffRange, computeBackoff } from '../../lib/backoff.ts'
import { Waker } from '../../lib/waker.ts'
import type { Notice } from '../../store/webhooks/deliveries.ts'
import type { Attempt, Ledger, Progress } from '../../store/webhooks/ledger.ts'
import type { DeliverableRow, PausedReason } from '../../store/webhooks/subscriptions.ts'
import { compileFilters, type WebhookFilters } from '../filters.ts'
import { eventIdOf, type Message, writeBody } from '../message.ts'
import type { Outcome } from '../target/post.ts'
import type { DailyUsage } from './daily-usage.ts'
import { SLOW_MS } from './slots.ts'

/** Process that runs the delivery of a subscription, as the delivery sees it. */
export interface DeliveryHost {
  readonly network: string
  /** last height whose events may be sent; below any height while a fork is being settled */
  readonly limit: number
  readonly feed: Feed
  /** of all subscriptions */
  readonly wanted: () => readonly Wanted[]
  readonly ledger: Ledger
  readonly usage: DailyUsage
  readonly backoff: BackoffRange
  readonly pauseAfterMs: number
  readonly random: () => number
  /** wall clock in milliseconds */
  readonly now: () => number
  /** `isTroubled`: it fails or is slow. */
  send(webhook: DeliverableRow, message: Message, isTroubled: boolean): Promise<Outcome>
  onDelivered(height: number): void
  onPaused(webhook: DeliverableRow, reason: PausedReason, until: Date | undefined): void
  onTrouble(error: unknown): void
}

/** Heights without events after which the position is written all the same: a restart skims at most these again. */
const SAVE_EVERY = 100
const TROUBLE: BackoffRange = { minMs: 200, maxMs: 5000 }
const GONE = 410

/** Delivers the events of one subscription, one by one and in order, from its position on. */
export class SubscriptionDelivery {
  readonly #host: DeliveryHost
  readonly #notices: Notice[]
  /** ids of notices that were sent or wait here */
  readonly #known: Set<string>
  readonly #waker = new Waker()
  #row: DeliverableRow
  #wanted: Wanted
  #height: number
  #savedHeight: number
  #failures: number
  #failingSince: number | undefined
  #nextAttemptAt: number
  #isSlow = false
  #isStopped = false
  /** settles when nothing of it is under way any more */
  readonly done: Promise<void>

  /** `after`: the delivery before this one, whose last request must be over first. */
  constructor(host: DeliveryHost, row: DeliverableRow, notices: Notice[], after: Promise<void> | undefined) {
    this.#host = host
    this.#row = row
    this.#notices = notices
    this.#known = new Set(notices.map(({ id }) => id))
    this.#wanted = toWanted(row)
    this.#height = row.height
    this.#savedHeight = row.height
    this.#failures = row.failures
    this.#failingSince = row.failing_since === null ? undefined : Date.parse(row.failing_since)
    this.#nextAttemptAt = row.next_attempt_at === null ? 0 : Date.parse(row.next_attempt_at)
    this.done = this.#run(after)
  }

  get epoch(): number {
    return this.#row.epoch
  }

  get wanted(): Wanted {
    return this.#wanted
  }

  get height(): number {
    return this.#height
  }

  get isFailing(): boolean {
    return this.#failures > 0
  }

  /** Whether the delivery was told to stop, or paused its subscription itself; it does not start again. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Settings that changed hold from the next attempt on; notices that are new are sent next. */
  update(row: DeliverableRow, notices: readonly Notice[]): void {
    this.#row = row
    this.#wanted = toWanted(row)
    this.#notices.push(...notices.filter(({ id }) => !this.#known.has(id)))
    for (const { id } of notices) this.#known.add(id)
  }

  wake(): void {
    this.#waker.wake()
  }

  stop(): void {
    this.#isStopped = true
    this.#waker.wake()
  }

  async #run(after: Promise<void> | undefined): Promise<void> {
    await after
    let troubles = 0
    while (!this.#isStopped) {
      try {
        const hasMoved = await this.#step()
        troubles = 0
        // The call of a stop may have ended a wait inside the step.
        if (!hasMoved && !this.#isStopped) await this.#waker.wait()
      } catch (error) {
        // The database is away, or the chain moved under the reads: nothing of the receiver's doing.
        if (this.#isStopped) return
        this.#host.onTrouble(error)
        await this.#waker.wait({ ms: computeBackoff(++troubles, this.#host.random, TROUBLE) })
      }
    }
  }

  /** False when there is nothing to do before the next call. */
  async #step(): Promise<boolean> {
    const notice = this.#notices[0]
    if (notice) {
      if (await this.#deliver(this.#toMessage(notice))) this.#notices.shift()
      return true
    }
    const { limit } = this.#host
    if (this.#height >= limit) return false
    const found = await this.#host.feed.next(this.#wanted, this.#height, limit, this.#host.wanted)
    // A fork came while it was read: which heights stand is settled before any event of the new branch.
    if (found.height > this.#host.limit) return false
    if (found.events.length > 0) return this.#deliverAll(found)
    const hasCaughtUp = found.height === limit && found.height > this.#height + 1
    this.#height = found.height
    if (hasCaughtUp || this.#height - this.#savedHeight >= SAVE_EVERY) await this.#save({})
    return true
  }

  async #deliverAll({ height, mark, events }: Found): Promise<boolean> {
    const { id: webhookId, epoch } = this.#row
    const { network } = this.#host
    const messages = events.map((event) => ({
      id: eventIdOf(webhookId, event, mark!.hash),
      type: event.type,
      height,
      position: event.position,
      body: () => writeBody({ ...event, timestamp: mark!.time, network, height }, event.json),
    }))
    const states = await this.#host.ledger.begin({ webhookId, epoch, events: messages })
    for (const [i, message] of messages.entries()) {
      const isLast = i === messages.length - 1
      const state = states.get(message.id)
      // The subscription has changed since it was read: who runs us knows soon.
      if (state === undefined) return false
      if (state === 'delivered') continue
      if (!(await this.#deliver({ ...message, body: message.body() }, isLast ? height : undefined))) return false
    }
    this.#height = height
    if (this.#savedHeight < height) await this.#save({})
    this.#host.onDelivered(height)
    return true
  }

  /** Tries until it is delivered; false when stopped or paused before. `done` is the height that is complete with it. */
  async #deliver(message: Message, done?: number): Promise<boolean> {
    while (!this.#isStopped) {
      const wait = this.#nextAttemptAt - this.#host.now()
      if (wait > 0) {
        await this.#waker.wait({ ms: wait })
        continue
      }
      if (this.#host.usage.isUsedUp(this.#row) && (await this.#pause('quota', this.#host.usage.endsAt))) return false
      const outcome = await this.#host.send(this.#row, message, this.isFailing || this.#isSlow)
      if (outcome.isAborted) return false
      this.#isSlow = outcome.durationMs > SLOW_MS
      const attempt = toAttempt(this.#row.account, message, outcome)
      if (outcome.ok) {
        const isRecovered = this.isFailing
        this.#failures = 0
        this.#failingSince = undefined
        this.#nextAttemptAt = 0
        if (done === undefined && !isRecovered) await this.#settle({ attempt })
        else await this.#save({ attempt, height: done ?? this.#height, hasSucceeded: true })
        return true
      }
      await this.#fail(attempt)
      if (await this.#giveUp(attempt)) return false
    }
    return false
  }

  async #fail(attempt: Attempt): Promise<void> {
    const { backoff, random, now } = this.#host
    this.#failingSince ??= now()
    this.#failures++
    this.#nextAttemptAt = now() + computeBackoff(this.#failures, random, backoff)
    await this.#save({ attempt, lastError: attempt.error })
  }

  async #giveUp({ status }: Attempt): Promise<boolean> {
    const { now, pauseAfterMs } = this.#host
    if (status === GONE) return this.#pause('gone')
    return now() - this.#failingSince! >= pauseAfterMs && this.#pause('failing')
  }

  /** False when the subscription was changed meanwhile. */
  async #pause(reason: PausedReason, until?: Date): Promise<boolean> {
    if (!(await this.#host.ledger.pause(this.#row.id, this.#row.epoch, reason, until))) return false
    this.#isStopped = true
    this.#host.onPaused(this.#row, reason, until)
    return true
  }

  async #save(change: { attempt?: Attempt; height?: number; hasSucceeded?: boolean; lastError?: string | null }): Promise<void> {
    const { attempt, height = this.#height, hasSucceeded = false, lastError = null } = change
    const toText = (ms: number | undefined) => (ms ? new Date(ms).toISOString() : null)
    const progress: Progress = {
      height,
      failures: this.#failures,
      failingSince: toText(this.#failingSince),
      nextAttemptAt: toText(this.#nextAttemptAt),
      lastError,
      hasSucceeded,
    }
    await this.#settle({ progress, ...(attempt && { attempt }) })
    this.#savedHeight = height
  }

  async #settle(settlement: { attempt?: Attempt; progress?: Progress }): Promise<void> {
    const { ledger, usage } = this.#host
    usage.hear(await ledger.settle({ webhookId: this.#row.id, epoch: this.#row.epoch, ...settlement }))
  }

  #toMessage({ id, type, height, data }: Notice): Message {
    const timestamp = new Date(this.#host.now()).toISOString()
    const body = writeBody({ type, timestamp, network: this.#host.network, height, position: 0 }, JSON.stringify(data))
    return { id, type, height, position: 0, body }
  }
}

const toWanted = (row: DeliverableRow): Wanted => ({
  events: new Set(row.events),
  selection: compileFilters(row.filters as WebhookFilters),
})

const toAttempt = (account: string, { id, body }: Message, { ok, status, error, durationMs }: Outcome): Attempt => ({
  id,
  account,
  bytes: Buffer.byteLength(body),
  ok,
  status: status ?? null,
  error: error ?? null,
  durationMs,
})
