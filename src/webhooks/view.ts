import type { Static } from 'typebox'
import type { DeliveryRow } from '../store/webhooks/deliveries.ts'
import type { WebhookRow } from '../store/webhooks/subscriptions.ts'
import type { Webhook, WebhookAttempt, WebhookDelivery } from './schema.ts'
import type { Outcome } from './target/post.ts'

/** Without secrets and without what only deliverers need. */
export const toWebhook = (row: WebhookRow): Static<typeof Webhook> => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: row.events,
  filters: row.filters,
  state: row.state,
  paused_reason: row.paused_reason ?? undefined,
  paused_until: row.paused_until ?? undefined,
  height: row.height,
  failures: row.failures,
  failing_since: row.failing_since ?? undefined,
  next_attempt_at: row.next_attempt_at ?? undefined,
  last_error: row.last_error ?? undefined,
  last_success_at: row.last_success_at ?? undefined,
  created_at: row.created_at,
})

export const toDelivery = (row: DeliveryRow): Static<typeof WebhookDelivery> => ({
  ...row,
  status: row.status ?? undefined,
  error: row.error ?? undefined,
  duration_ms: row.duration_ms ?? undefined,
  attempted_at: row.attempted_at ?? undefined,
})

export const toAttempt = ({ id, ok, status, error, durationMs }: Outcome & { id: string }): Static<typeof WebhookAttempt> => ({
  id,
  ok,
  status,
  error,
  duration_ms: durationMs,
})
