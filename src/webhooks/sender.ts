import type { PausedReason, WebhookRow } from '../store/webhooks/subscriptions.ts'
import { type Message, makeEventId, writeBody } from './message.ts'
import { type SecretBox, signHeaders } from './secret.ts'
import type { Outcome, Poster } from './target/post.ts'

const USER_AGENT = 'astrolabe-webhooks/1'

/** Signs messages and posts them to the target of a subscription. */
export class Sender {
  readonly #poster: Poster
  readonly #box: SecretBox
  readonly #now: () => number

  constructor(poster: Poster, box: SecretBox, now: () => number = Date.now) {
    this.#poster = poster
    this.#box = box
    this.#now = now
  }

  send(webhook: WebhookRow, { id, body }: Pick<Message, 'id' | 'body'>, signal: AbortSignal): Promise<Outcome> {
    const headers = signHeaders(id, body, this.#secretsOf(webhook), this.#now())
    return this.#poster.post(webhook.url, { ...headers, 'user-agent': USER_AGENT }, body, signal)
  }

  /** Something to see whether the receiver takes and verifies what comes. */
  async sendTest(webhook: WebhookRow, signal: AbortSignal): Promise<Outcome & { id: string }> {
    return this.#sendNotice(webhook, 'webhook.test', { webhook: webhook.id }, signal)
  }

  sendPaused(
    webhook: WebhookRow,
    { reason, until }: { reason: PausedReason; until: Date | undefined },
    signal: AbortSignal,
  ): Promise<Outcome> {
    const data = { webhook: webhook.id, reason, height: webhook.height, until }
    return this.#sendNotice(webhook, 'webhook.paused', data, signal)
  }

  async #sendNotice(webhook: WebhookRow, type: string, data: Record<string, unknown>, signal: AbortSignal) {
    const { network, height } = webhook
    const timestamp = new Date(this.#now()).toISOString()
    const id = makeEventId()
    const body = writeBody({ type, timestamp, network, height, position: 0 }, JSON.stringify(data))
    return { id, ...(await this.send(webhook, { id, body }, signal)) }
  }

  #secretsOf({ id, secret, old_secret: old, old_secret_until: until }: WebhookRow): string[] {
    const isOldGood = old !== null && until !== null && Date.parse(until) > this.#now()
    return [secret, ...(isOldGood ? [old] : [])].map((sealed) => this.#box.open(sealed, id))
  }
}
