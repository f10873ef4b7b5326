import { setMaxListeners } from 'node:events'
import type { ApiContext } from '../../api/route.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { SqlPool } from '../../store/db.ts'
import { listBlockHashes } from '../../store/read/head/past-head.ts'
import { EventFeed } from '../events/feed.ts'
import type { Message } from '../message.ts'
import type { WebhookObserver } from '../observer.ts'
import type { Sender } from '../sender.ts'
import type { DeliverySettings } from '../settings.ts'
import { listNotices } from '../store/deliveries.ts'
import type { Lease } from '../store/lease.ts'
import { Ledger } from '../store/ledger.ts'
import { listDeliverable, type PausedReason, type WebhookRow } from '../store/subscriptions.ts'
import { extendTrail, readTrail, revertTrail, TRAIL_BLOCKS, type TrailBlock } from '../store/trail.ts'
import type { Outcome } from '../target/post.ts'
import { Bell } from './bell.ts'
import { Courier, type CourierHost } from './courier.ts'
import { Lanes } from './lanes.ts'

export type ShiftParts = {
  ctx: ApiContext
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
export class Shift implements CourierHost {
  readonly network: string
  readonly feed: EventFeed
  readonly ledger: Ledger
  readonly #parts: ShiftParts
  readonly #lease: Lease
  readonly #lanes: Lanes
  readonly #couriers = new Map<string, Courier>()
  readonly #ending = new AbortController()
  readonly #bell = new Bell()
  readonly #unlisten: () => void
  readonly #working: Promise<void>
  #trail: TrailBlock[] | undefined
  #limit = NOWHERE
  #headAt = 0
  /** the branch that the trail is on */
  #fork: number
  #isStale = true

  constructor(parts: ShiftParts, lease: Lease) {
    this.#parts = parts
    this.#lease = lease
    this.network = lease.network
    const { ctx, sql, settings } = parts
    this.#fork = ctx.watch.fork
    // As many requests listen to it as are under way; that is no leak.
    setMaxListeners(0, this.#ending.signal)
    this.#lanes = new Lanes(settings.concurrency)
    this.feed = new EventFeed(ctx, {
      fork: () => this.#fork,
      wanted: () => [...this.#couriers.values()].map(({ wanted }) => wanted),
    })
    this.ledger = new Ledger(sql, lease)
    this.#unlisten = ctx.watch.onChange((_, change) => {
      // Nothing more of a branch that may be gone, until it is known where the other one begins.
      if (change === 'rollback') this.#limit = NOWHERE
      else this.#headAt = performance.now()
      this.#bell.ring()
    })
    this.#working = this.#work()
  }

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
    this.#bell.ring()
  }

  /** Requests under way are cut off: whoever has the lease next sends them again. */
  async end(): Promise<void> {
    this.#unlisten()
    this.#ending.abort()
    this.#limit = NOWHERE
    this.#bell.ring()
    // It may be making couriers just now.
    await this.#working
    for (const courier of this.#couriers.values()) courier.stop()
    await Promise.all([...this.#couriers.values()].map(({ done }) => done))
  }

  async send(webhook: WebhookRow, message: Message, isTroubled: boolean): Promise<Outcome> {
    const { sender, observer } = this.#parts
    const outcome = await this.#lanes.run(webhook.account, isTroubled, () => sender.send(webhook, message, this.#ending.signal))
    if (!outcome.isAborted) observer.attempted(outcome.ok ? 'delivered' : 'failed', outcome.durationMs / 1000)
    return outcome
  }

  onDelivered(height: number): void {
    if (height === this.#limit && this.#headAt > 0) this.#parts.observer.delivered((performance.now() - this.#headAt) / 1000)
  }

  onPaused(webhook: WebhookRow, reason: PausedReason): void {
    const { sender, observer } = this.#parts
    observer.paused({ webhook: webhook.id, account: webhook.account, reason, lastError: webhook.last_error })
    // The last word, once: a receiver that is back by now hears why nothing comes.
    void sender.sendPaused(webhook, reason, this.#ending.signal)
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
        for (const courier of this.#couriers.values()) courier.wake()
        this.#count()
        await this.#bell.wait()
      } catch (error) {
        if (this.#ending.signal.aborted) return
        this.onTrouble(error)
        await this.#bell.wait(TROUBLE_MS)
      }
    }
  }

  async #reload(): Promise<void> {
    const { sql } = this.#parts
    this.#isStale = false
    try {
      const [rows, notices] = [await listDeliverable(sql, this.network), await listNotices(sql, this.network)]
      const byWebhook = groupBy(notices, ({ webhook_id: id }) => id)
      const left = new Set(this.#couriers.keys())
      for (const row of rows) {
        left.delete(row.id)
        const known = this.#couriers.get(row.id)
        // One that paused its subscription is done, also when that was resumed before anybody looked.
        if (known?.epoch === row.epoch && !known.isStopped) known.update(row)
        else {
          known?.stop()
          this.#couriers.set(row.id, new Courier(this, row, byWebhook.get(row.id) ?? [], known?.done))
        }
      }
      for (const id of left) {
        this.#couriers.get(id)!.stop()
        this.#couriers.delete(id)
      }
    } catch (error) {
      this.#isStale = true
      throw error
    }
  }

  /** Brings the trail up to the head, and only then lets couriers send. */
  async #follow(): Promise<void> {
    const { ctx, sql, observer } = this.#parts
    const { watch, db } = ctx
    const fork = watch.fork
    const head = watch.head
    if (!head) return
    this.#trail ??= await readTrail(sql, this.network)
    const common = await this.#findCommon(this.#trail)
    const top = this.#trail.at(-1)
    if (top && common !== top.height) {
      this.#limit = NOWHERE
      const { webhooks } = await revertTrail(sql, this.#lease, common)
      this.#trail = this.#trail.filter(({ height }) => height <= common)
      this.feed.dropAbove(common)
      this.#isStale = true
      observer.reverted({ height: common, webhooks })
    }
    const from = Math.max(1, common + 1, head.last_height - TRAIL_BLOCKS + 1)
    const heights = Array.from({ length: Math.max(0, head.last_height - from + 1) }, (_, i) => from + i)
    const blocks = (await listBlockHashes(db, heights)).sort((a, b) => a.height - b.height)
    await watch.confirm()
    // Read across a fork: the next round sees which branch stands.
    if (watch.fork !== fork) return this.#bell.ring()
    if (blocks.length > 0) {
      await extendTrail(sql, this.#lease, blocks)
      this.#trail = [...this.#trail, ...blocks].slice(-TRAIL_BLOCKS)
    }
    this.#fork = fork
    this.#limit = head.last_height
  }

  /** The last height of the trail that still stands; the one before it when none does. */
  async #findCommon(trail: readonly TrailBlock[]): Promise<number> {
    const { db } = this.#parts.ctx
    const top = trail.at(-1)
    if (!top) return NOWHERE
    const isStanding = async (blocks: readonly TrailBlock[]) => {
      const stored = new Map(
        (
          await listBlockHashes(
            db,
            blocks.map(({ height }) => height),
          )
        ).map(({ height, hash }) => [height, hash]),
      )
      return blocks.findLast(({ height, hash }) => stored.get(height) === hash)
    }
    const standing = (await isStanding([top])) ?? (await isStanding(trail))
    return standing?.height ?? trail[0]!.height - 1
  }

  #count(): void {
    const all = [...this.#couriers.values()]
    const healthy = all.filter(({ isFailing }) => !isFailing)
    const behind = healthy.map(({ height }) => Math.max(0, this.#limit - height))
    this.#parts.observer.counted({
      active: healthy.length,
      failing: all.length - healthy.length,
      lagBlocks: behind.reduce((most, each) => Math.max(most, each), 0),
    })
  }
}
