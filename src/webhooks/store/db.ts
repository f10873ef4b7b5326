import { type AccessDb, openAccessDb } from '../../store/access/db.ts'
import { SHARED_SCHEMA } from '../../store/migrations/migrate.ts'

/** The pool for subscriptions and deliveries. What it has committed survives a crash of the server: a position is a promise. */
export type WebhookDb = AccessDb

export function openWebhookDb(url: string): WebhookDb {
  return openAccessDb(url, SHARED_SCHEMA, 3, {
    application_name: 'astrolabe webhooks',
    synchronous_commit: 'on',
    statement_timeout: 10_000,
  })
}
