import type { Logger } from 'pino'
import type { WebhookObserver } from '../webhooks/observer.ts'
import type { Metrics } from './metrics.ts'

export function createWebhookObserver(metrics: Metrics, network: string, log: Logger): WebhookObserver {
  return {
    leased(isHeld) {
      metrics.webhookLease.set({ network }, isHeld ? 1 : 0)
      // Gauges that another process reports now are removed here.
      if (!isHeld) {
        for (const state of ['active', 'failing']) metrics.webhooks.set({ network, state }, 0)
        metrics.webhookLag.set({ network }, 0)
      }
      log.debug({ network, held: isHeld }, 'lease of webhooks')
    },
    attempted(outcome, seconds) {
      metrics.webhookAttempts.inc({ network, outcome })
      metrics.webhookAttemptDuration.observe({ network }, seconds)
    },
    delivered: (seconds) => metrics.webhookDelay.observe({ network }, seconds),
    paused(facts) {
      metrics.webhooksPaused.inc({ network, reason: facts.reason })
      log.warn({ network, ...facts }, 'webhook paused: its receiver fails')
    },
    reverted({ height, webhooks }) {
      metrics.webhookReverts.inc({ network }, webhooks)
      log.warn({ network, height, webhooks }, 'fork: webhooks are told')
    },
    counted({ active, failing, lagBlocks }) {
      metrics.webhooks.set({ network, state: 'active' }, active)
      metrics.webhooks.set({ network, state: 'failing' }, failing)
      metrics.webhookLag.set({ network }, lagBlocks)
    },
    failed: (error) => log.warn({ err: error, network }, 'webhooks not delivered for a moment'),
  }
}
