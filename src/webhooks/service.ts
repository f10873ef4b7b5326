import type { Plans } from '../access/plans.ts'
import type { ApiContext } from '../api/route.ts'
import type { WebhooksConfig } from '../config/webhooks-schema.ts'
import { Feed } from '../feed/feed.ts'
import { openPool } from '../store/db.ts'
import { SHARED_SCHEMA } from '../store/migrations/migrate.ts'
import { Deliverer } from './deliver/deliverer.ts'
import { WebhookManager } from './manager.ts'
import { SILENT_OBSERVER, type WebhookObserver } from './observer.ts'
import { SecretBox } from './secret.ts'
import { Sender } from './sender.ts'
import { type DeliverySettings, deliverySettingsOf, targetSettingsOf } from './settings.ts'
import { Poster, type TargetSettings } from './target/post.ts'

export type WebhookServiceOptions = {
  /** database with the shared schema, up to date */
  url: string
  config: WebhooksConfig
  /** whose quotas bound what is posted */
  plans: Plans
  /** what the secrets are sealed under: that of the API keys */
  pepper: string
  graceMs: number
  /** what else reads the network's feed shares it */
  feed?: Feed
  observer?: WebhookObserver
  target?: Partial<TargetSettings>
  delivery?: Partial<DeliverySettings>
}

export type WebhookService = {
  manager: WebhookManager
  /** Delivers from now on, whenever no other process does. */
  deliver: () => Promise<void>
  close: () => Promise<void>
}

/** Webhooks of one network in this process. */
export function openWebhooks(ctx: ApiContext, options: WebhookServiceOptions): WebhookService {
  const { url, config, plans, pepper, graceMs, feed = new Feed(ctx), observer = SILENT_OBSERVER } = options
  const sql = openPool('webhooks', { url, schema: SHARED_SCHEMA })
  const poster = new Poster({ ...targetSettingsOf(config), ...options.target })
  const box = new SecretBox(pepper)
  const sender = new Sender(poster, box)
  let deliverer: Deliverer | undefined
  return {
    manager: new WebhookManager({ ctx, feed, sql, box, poster, sender, graceMs }),
    async deliver() {
      const settings = { ...deliverySettingsOf(config), ...options.delivery }
      deliverer = new Deliverer({ ctx, feed, plans, sql, sender, settings, observer, random: Math.random, now: Date.now })
      await deliverer.start()
    },
    async close() {
      await deliverer?.stop()
      poster.close()
      await sql.end({ timeout: 2 })
    },
  }
}
