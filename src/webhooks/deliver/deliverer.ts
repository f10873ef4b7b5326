import { randomUUID } from 'node:crypto'
import { forgetDeliveries } from '../../store/webhooks/deliveries.ts'
import { type Lease, leaveLease, takeLease } from '../../store/webhooks/lease.ts'
import { WEBHOOKS_CHANNEL } from '../../store/webhooks/subscriptions.ts'
import { forgetUsage } from '../../store/webhooks/usage.ts'
import { type DeliveryParts, NetworkDelivery } from './network-delivery.ts'

/** A change is heard of by a notice at once, by this look at the latest. */
const RELOAD_MS = 5000
const FORGET_MS = 3_600_000

/**
 * Delivers the events of one network whenever no other process does. Each process that serves has one; the lease in the database decides
 * which of them works. It is given up in time: a process that cannot renew it stops sending before another may begin.
 */
export class Deliverer {
  readonly #parts: DeliveryParts
  readonly #lease: Lease
  readonly #timers: NodeJS.Timeout[] = []
  #delivery: NetworkDelivery | undefined
  #ending: Promise<void> | undefined
  #expiry: NodeJS.Timeout | undefined
  #unlisten: (() => Promise<void>) | undefined
  #asking: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(parts: DeliveryParts) {
    this.#parts = parts
    this.#lease = { network: parts.ctx.network.name, holder: randomUUID() }
  }

  async start(): Promise<void> {
    const { sql, settings, observer } = this.#parts
    observer.leased(false)
    await this.#ask()
    this.#every(settings.leaseMs / 4, () => this.#ask())
    this.#every(RELOAD_MS, async () => this.#delivery?.refresh())
    this.#every(FORGET_MS, async () => {
      if (!this.#delivery) return
      await forgetDeliveries(sql, this.#lease.network, settings.keepDays)
      await forgetUsage(sql)
    })
    sql
      .listen(WEBHOOKS_CHANNEL, (network) => {
        if (network === this.#lease.network) this.#delivery?.refresh()
      })
      .then((unlisten) => {
        if (this.#isStopped) return unlisten()
        this.#unlisten = unlisten
      })
      // The look in between does without notices.
      .catch((error) => observer.failed(error))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const timer of this.#timers) clearInterval(timer)
    clearTimeout(this.#expiry)
    await this.#unlisten?.().catch(() => {})
    await this.#asking
    await this.#end()
    await leaveLease(this.#parts.sql, this.#lease).catch(() => {})
  }

  #every(ms: number, work: () => Promise<unknown>): void {
    const timer = setInterval(() => void work().catch((error) => this.#parts.observer.failed(error)), ms)
    timer.unref()
    this.#timers.push(timer)
  }

  /** Asks for the lease, one question at a time. */
  #ask(): Promise<void> {
    return (this.#asking = this.#asking.then(() => this.#renew()))
  }

  async #renew(): Promise<void> {
    if (this.#isStopped) return
    const { sql, settings, observer } = this.#parts
    const askedAt = performance.now()
    try {
      const isHeld = await takeLease(sql, this.#lease, settings.leaseMs / 1000)
      if (!isHeld) return await this.#end()
      // Counted from before the question: by our clock it ends earlier than by the database's.
      const left = settings.leaseMs * 0.8 - (performance.now() - askedAt)
      clearTimeout(this.#expiry)
      this.#expiry = setTimeout(() => void this.#end(), Math.max(0, left))
      this.#expiry.unref()
      if (this.#delivery) return
      await this.#ending
      this.#delivery = new NetworkDelivery(this.#parts, this.#lease)
      observer.leased(true)
    } catch (error) {
      observer.failed(error)
    }
  }

  async #end(): Promise<void> {
    const delivery = this.#delivery
    if (!delivery) return this.#ending
    this.#delivery = undefined
    this.#parts.observer.leased(false)
    this.#ending = delivery.end()
    await this.#ending
  }
}
