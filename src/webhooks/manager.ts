import type { Static } from 'typebox'
import { BadRequest, HttpError } from '../api/http/errors.ts'
import { requireState } from '../api/no-state.ts'
import type { ApiContext } from '../api/route.ts'
import type { Feed } from '../feed/feed.ts'
import { randomBase62 } from '../store/access/key-text.ts'
import type { SqlPool } from '../store/db.ts'
import { type DeliveryRow, type DeliveryState, findDelivery, listDeliveries } from '../store/webhooks/deliveries.ts'
import {
  changeWebhook,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  replaceSecret,
  type WebhookRow,
} from '../store/webhooks/subscriptions.ts'
import { type EventType, findIdleFilter, findStateEvent } from './event-types.ts'
import { compileFilters, type FilterName, type WebhookFilters } from './filters.ts'
import { eventIdOf, writeBody } from './message.ts'
import type { NewWebhook, WebhookChange } from './schema.ts'
import { makeSecret, type SecretBox } from './secret.ts'
import type { Sender } from './sender.ts'
import { type Outcome, type Poster, TargetRefused } from './target/post.ts'

export type ManagerParts = {
  ctx: ApiContext
  feed: Feed
  sql: SqlPool
  box: SecretBox
  poster: Poster
  sender: Sender
  /** how long an old secret signs beside the new one */
  graceMs: number
}

const never = new AbortController().signal

/** Actions of owners on their subscriptions on one network. Someone else's subscription is unknown. */
export class WebhookManager {
  readonly #parts: ManagerParts

  constructor(parts: ManagerParts) {
    this.#parts = parts
  }

  get #network(): string {
    return this.#parts.ctx.network.name
  }

  list(account: string): Promise<WebhookRow[]> {
    return listWebhooks(this.#parts.sql, { account, network: this.#network })
  }

  async create(
    account: string,
    limit: number,
    { url, events, filters = {}, description = '', from }: Static<typeof NewWebhook>,
  ): Promise<{ row: WebhookRow; secret: string }> {
    checkFilters(events, filters)
    this.#checkEvents(events)
    const height = this.#heightBefore(from)
    await this.#checkTarget(url)
    const id = `wh_${randomBase62(16)}`
    const secret = makeSecret()
    const sealed = this.#parts.box.seal(secret, id)
    const webhook = {
      id,
      network: this.#network,
      account,
      url,
      description,
      events: distinct(events),
      filters,
      secret: sealed,
      height,
    }
    const row = await insertWebhook(this.#parts.sql, webhook, limit)
    if (!row) throw new HttpError(403, 'too_many_webhooks', `the plan allows ${limit} webhooks, and the account has as many`)
    return { row, secret }
  }

  /** A subscription that could never send anything is refused. */
  #checkEvents(events: readonly EventType[]): void {
    if (findStateEvent(events) !== undefined) requireState(this.#parts.ctx.head())
  }

  /** Throws 404. */
  async get(account: string, id: string): Promise<WebhookRow> {
    const row = await findWebhook(this.#parts.sql, id)
    if (!row || row.account !== account || row.network !== this.#network) throw unknown(id)
    return row
  }

  async change(account: string, id: string, change: Static<typeof WebhookChange>): Promise<WebhookRow> {
    const row = await this.get(account, id)
    const { url, events, filters, description, from } = change
    checkFilters(events ?? row.events, filters ?? (row.filters as WebhookFilters))
    if (events !== undefined) this.#checkEvents(events)
    if (url !== undefined) await this.#checkTarget(url)
    return this.#write(id, {
      ...(url !== undefined && { url }),
      ...(events !== undefined && { events: distinct(events) }),
      ...(filters !== undefined && { filters }),
      ...(description !== undefined && { description }),
      ...(from !== undefined && { height: this.#heightBefore(from) }),
    })
  }

  async remove(account: string, id: string): Promise<WebhookRow> {
    const row = await this.get(account, id)
    await deleteWebhook(this.#parts.sql, id)
    return row
  }

  async pause(account: string, id: string): Promise<WebhookRow> {
    const row = await this.get(account, id)
    return row.state === 'paused' ? row : this.#write(id, { state: 'paused', paused_reason: 'owner' })
  }

  async resume(account: string, id: string): Promise<WebhookRow> {
    await this.get(account, id)
    return this.#write(id, { state: 'active', paused_reason: null })
  }

  async rotate(account: string, id: string): Promise<{ secret: string; oldUntil: Date }> {
    const { box, sql, graceMs } = this.#parts
    await this.get(account, id)
    const secret = makeSecret()
    const oldUntil = new Date(Date.now() + graceMs)
    await replaceSecret(sql, id, box.seal(secret, id), oldUntil)
    return { secret, oldUntil }
  }

  async test(account: string, id: string): Promise<Outcome & { id: string }> {
    return this.#parts.sender.sendTest(await this.get(account, id), never)
  }

  async deliveries(
    account: string,
    id: string,
    page: { limit: number; cursor?: number | undefined; state?: DeliveryState | undefined },
  ): Promise<DeliveryRow[]> {
    await this.get(account, id)
    return listDeliveries(this.#parts.sql, { webhookId: id, ...page })
  }

  /** Sends one event again, out of turn and without a change of the position. */
  async replay(account: string, id: string, deliveryId: string): Promise<Outcome & { id: string }> {
    const webhook = await this.get(account, id)
    const delivery = await findDelivery(this.#parts.sql, id, deliveryId)
    if (!delivery)
      throw new HttpError(404, 'unknown_delivery', `there is no delivery ${deliveryId}, or it is too old to be listed`)
    const body = await this.#render(webhook, delivery)
    if (body === undefined)
      throw new HttpError(409, 'event_reverted', 'the chain was reorganised: this event is not part of it any more')
    return { id: deliveryId, ...(await this.#parts.sender.send(webhook, { id: deliveryId, body }, never)) }
  }

  /** The chain holds its events; undefined when a fork took this one back. */
  async #render(webhook: WebhookRow, { id, type, height, position, data, created_at }: DeliveryRow & { data: unknown }) {
    const network = this.#network
    if (data !== null) return writeBody({ type, timestamp: created_at, network, height, position: 0 }, JSON.stringify(data))
    const wanted = { events: new Set([type as EventType]), selection: compileFilters({}) }
    const { mark, events } = await this.#parts.feed.next(wanted, height - 1, height)
    const event = events.find((each) => each.position === position)
    if (!mark || !event || eventIdOf(webhook.id, event, mark.hash) !== id) return undefined
    return writeBody({ type, timestamp: mark.time, network, height, position }, event.json)
  }

  async #write(id: string, change: Parameters<typeof changeWebhook>[2]): Promise<WebhookRow> {
    const row = await changeWebhook(this.#parts.sql, id, change)
    if (!row) throw unknown(id)
    return row
  }

  #heightBefore(from: number | undefined): number {
    const { first_height: first = 0, last_height: head = 0 } = this.#parts.ctx.head() ?? {}
    if (from === undefined) return head
    if (from < first) throw new BadRequest(`from must be ${first} or more: this index begins there`, 'from')
    if (from > head + 1) throw new BadRequest(`from must be ${head + 1} or less: later heights are not there yet`, 'from')
    return from - 1
  }

  async #checkTarget(url: string): Promise<void> {
    try {
      await this.#parts.poster.check(url)
    } catch (error) {
      if (error instanceof TargetRefused) throw new BadRequest(error.message, 'url', error.code)
      throw error
    }
  }
}

const distinct = (events: readonly EventType[]) => [...new Set(events)]

const unknown = (id: string) => new HttpError(404, 'unknown_webhook', `there is no webhook ${id} on this network`)

function checkFilters(events: readonly EventType[], filters: WebhookFilters): void {
  compileFilters(filters)
  const idle = findIdleFilter(events, Object.keys(filters) as FilterName[])
  if (idle !== undefined) throw new BadRequest(`filters.${idle} applies to none of the events`, `filters.${idle}`)
}
