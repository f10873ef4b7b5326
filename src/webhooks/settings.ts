import type { WebhooksConfig } from '../config/webhooks-schema.ts'
import type { BackoffRange } from '../lib/backoff.ts'
import type { TargetSettings } from './target/post.ts'

export type DeliverySettings = {
  concurrency: number
  backoff: BackoffRange
  pauseAfterMs: number
  keepDays: number
  /** a process that is silent for this long loses the lease */
  leaseMs: number
}

const LEASE_MS = 10_000
const MIN_BACKOFF_MS = 1000

export const targetSettingsOf = (config: WebhooksConfig): TargetSettings => ({
  allowHttp: config.allow_http,
  privateTargets: config.private_targets,
  timeoutMs: config.timeout_seconds * 1000,
})

export const deliverySettingsOf = (config: WebhooksConfig): DeliverySettings => ({
  concurrency: config.concurrency,
  backoff: { minMs: MIN_BACKOFF_MS, maxMs: config.retry_max_seconds * 1000 },
  pauseAfterMs: config.pause_after_hours * 3_600_000,
  keepDays: config.keep_days,
  leaseMs: LEASE_MS,
})
