import { setMaxListeners } from 'node:events'
import type { Plans } from '../../access/plans.ts'
import type { ApiContext } from '../../api/route.ts'
import type { Feed } from '../../feed/feed.ts'
import { findLastStanding, type KnownBlock } from '../../feed/known-blocks.ts'
import { groupBy } from '../../lib/group-by.ts'
import { Waker } from '../../lib/waker.ts'
import type { SqlPool } from '../../store/db.ts'
import { listBlockHashes } from '../../store/read/head/past-head.ts'
import { listNotices } from '../../store/webhooks/deliveries.ts'
import { noteExpiringKeys } from '../../store/webhooks/expiring-keys.ts'
import type { Lease } from '../../store/webhooks/lease.ts'
import { Ledger } from '../../store/webhooks/ledger.ts'
import { addSentBlocks, listSentBlocks, revertSentBlocks, SENT_BLOCKS } from '../../store/webhooks/sent-blocks.ts'
import { listDeliverable, type PausedReason, resumeRested, type WebhookRow } from '../../store/webhooks/subscriptions.ts'
import { listUsage } from '../../store/webhooks/usage.ts'
import type { Message } from '../message.ts'
import { makeEventId } from '../message.ts'
import type { WebhookObserver } from '../observer.ts'
import type { Sender } from '../sender.ts'
import type { DeliverySettings } from '../settings.ts'
import type { Outcome } from '../target/post.ts'
import { DailyUsage } from './daily-usage.ts'
import { DeliverySlots } from './slots.ts'
import { type DeliveryHost, SubscriptionDelivery } from './subscription-delivery.ts'

export type DeliveryParts = {
  ctx: ApiContext
  feed: Feed
  plans: Plans
  sql: SqlPool
  sender: Sender
  settings: DeliverySettings
  observer: WebhookObserver
  random: () => number
  now: () => number
}

const NOWHERE = -1
const TROUBLE_MS = 500

/** One process delivering for one network, for as long as it holds the lease. */
export class NetworkDelivery implements DeliveryHost {
  readonly network: string
  readonly feed: Feed
  readonly ledger: Ledger
  readonly usage: DailyUsage
  readonly #parts: DeliveryParts
  readonly #lease: Lease
  readonly #slots: DeliverySlots
  readonly #deliveries = new Map<string, SubscriptionDelivery>()
  readonly #ending = new AbortController()
  readonly #waker = new Waker()
  readonly #unlisten: () => void
  readonly #working: Promise<void>
  /** blocks whose events may have been sent, by this process or one before it */
  #sent: KnownBlock[] | undefined
  #limit = NOWHERE
  #headAt = 0
  #isStale = true

  constructor(parts: DeliveryParts, lease: Lease) {
    this.#parts = parts
    this.#lease = lease
    this.network = lease.network
    const { ctx, sql, settings } = parts
    // As many requests listen to it as are under way; that is no leak.
    setMaxListeners(0, this.#ending.signal)
    this.#slots = new DeliverySlots(settings.concurrency)
    this.feed = parts.feed
    this.ledger = new Ledger(sql, lease)
    this.usage = new DailyUsage(parts.plans, parts.now)
    this.#unlisten = ctx.watch.onChange((_, change) => {
      // Nothing more of a branch that may be gone, until it is known where the other one begins.
      if (change === 'rollback') this.#limit = NOWHERE
      else this.#headAt = performance.now()
      this.#waker.wake()
    })
    this.#working = this.#work()
  }

  readonly wanted = () => [...this.#deliveries.values()].map(({ wanted }) => wanted)

  get limit(): number {
    return this.#limit
  }

  get backoff() {
    return this.#parts.settings.backoff
  }

  get pauseAfterMs(): number {
    return this.#parts.settings.pauseAfterMs
  }

  get random() {
    return this.#parts.random
  }

  get now() {
    return this.#parts.now
  }

  /** Subscriptions may have changed. */
  refresh(): void {
    this.#isStale = true
    this.#waker.wake()
  }

  /** Requests under way are cut off: whoever has the lease next sends them again. */
  async end(): Promise<void> {
    this.#unlisten()
    this.#ending.abort()
    this.#limit = NOWHERE
    this.#waker.wake()
    // Deliveries may be starting just now.
    await this.#working
    for (const delivery of this.#deliveries.values()) delivery.stop()
    await Promise.all([...this.#deliveries.values()].map(({ done }) => done))
  }

  async send(webhook: WebhookRow, message: Message, isTroubled: boolean): Promise<Outcome> {
    const { sender, observer } = this.#parts
    const { signal } = this.#ending
    const outcome = await this.#slots.run(webhook.account, isTroubled, async (cut) => {
      const made = await sender.send(webhook, message, AbortSignal.any([signal, cut]))
      return made.isAborted && !signal.aborted
        ? { ...made, isAborted: false, error: 'no answer in time: other receivers wait' }
        : made
    })
    if (!outcome.isAborted) observer.attempted(outcome.ok ? 'delivered' : 'failed', outcome.durationMs / 1000)
    return outcome
  }

  onDelivered(height: number): void {
    if (height === this.#limit && this.#headAt > 0) this.#parts.observer.delivered((performance.now() - this.#headAt) / 1000)
  }

  onPaused(webhook: WebhookRow, reason: PausedReason, until: Date | undefined): void {
    const { sender, observer } = this.#parts
    observer.paused({ webhook: webhook.id, account: webhook.account, reason, lastError: webhook.last_error })
    // The last word, once: a receiver that is back by now hears why nothing comes.
    void sender.sendPaused(webhook, { reason, until }, this.#ending.signal)
  }

  onTrouble(error: unknown): void {
    this.#parts.observer.failed(error)
  }

  /** One thing at a time: subscriptions and the branch are never read past each other. */
  async #work(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      try {
        await this.#follow()
        if (this.#isStale) await this.#reload()
        for (const delivery of this.#deliveries.values()) delivery.wake()
        this.#count()
        await this.#waker.wait()
      } catch (error) {
        if (this.#ending.signal.aborted) return
        this.onTrouble(error)
        await this.#waker.wait({ ms: TROUBLE_MS })
      }
    }
  }

  async #reload(): Promise<void> {
    const { sql } = this.#parts
    this.#isStale = false
    try {
      await resumeRested(sql, this.network)
      await noteExpiringKeys(sql, this.#lease)
      this.usage.replace(await listUsage(sql))
      const [rows, notices] = [await listDeliverable(sql, this.network), await listNotices(sql, this.network)]
      const byWebhook = groupBy(notices, ({ webhook_id: id }) => id)
      const left = new Set(this.#deliveries.keys())
      for (const row of rows) {
        left.delete(row.id)
        const known = this.#deliveries.get(row.id)
        // One that paused its subscription is done, also when that was resumed before anybody looked.
        const pending = byWebhook.get(row.id) ?? []
        if (known?.epoch === row.epoch && !known.isStopped) known.update(row, pending)
        else {
          known?.stop()
          this.#deliveries.set(row.id, new SubscriptionDelivery(this, row, pending, known?.done))
        }
      }
      for (const id of left) {
        this.#deliveries.get(id)!.stop()
        this.#deliveries.delete(id)
      }
    } catch (error) {
      this.#isStale = true
      throw error
    }
  }

  /** Writes down which blocks there are up to the head, and only then lets their events be sent. */
  async #follow(): Promise<void> {
    const { ctx, sql, observer } = this.#parts
    const { watch, db } = ctx
    const { fork, head } = watch
    if (!head) return
    this.#sent ??= await listSentBlocks(sql, this.network)
    const top = this.#sent.at(-1)
    // The one before them when none stands.
    const common = top ? ((await findLastStanding(db, this.#sent))?.height ?? this.#sent[0]!.height - 1) : NOWHERE
    if (top && common !== top.height) {
      this.#limit = NOWHERE
      const { webhooks } = await revertSentBlocks(sql, this.#lease, common, makeEventId)
      this.#sent = this.#sent.filter(({ height }) => height <= common)
      this.#isStale = true
      observer.reverted({ height: common, webhooks })
    }
    const from = Math.max(1, common + 1, head.last_height - SENT_BLOCKS + 1)
    const heights = Array.from({ length: Math.max(0, head.last_height - from + 1) }, (_, i) => from + i)
    const blocks = (await listBlockHashes(db, heights)).sort((a, b) => a.height - b.height)
    await watch.confirm()
    // Read across a fork: the next round sees which branch stands.
    if (watch.fork !== fork) return this.#waker.wake()
    if (blocks.length > 0) {
      await addSentBlocks(sql, this.#lease, blocks)
      this.#sent = [...this.#sent, ...blocks].slice(-SENT_BLOCKS)
    }
    if (watch.fork === fork) this.#limit = head.last_height
  }

  #count(): void {
    const all = [...this.#deliveries.values()]
    const healthy = all.filter(({ isFailing }) => !isFailing)
    const behind = healthy.map(({ height }) => Math.max(0, this.#limit - height))
    this.#parts.observer.counted({
      active: healthy.length,
      failing: all.length - healthy.length,
      lagBlocks: behind.reduce((most, each) => Math.max(most, each), 0),
    })
  }
}
