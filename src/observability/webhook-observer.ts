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
      if (facts.reason === 'quota') log.info({ network, ...facts }, 'webhook paused: the quota of the day is used up')
      else log.warn({ network, ...facts }, 'webhook paused: deliveries to its receiver failed')
    },
    reverted({ height, webhooks }) {
      metrics.webhookReverts.inc({ network }, webhooks)
      log.warn({ network, height, webhooks }, 'the chain was reorganized: receivers of webhooks are told what was reverted')
    },
    counted({ active, failing, lagBlocks }) {
      metrics.webhooks.set({ network, state: 'active' }, active)
      metrics.webhooks.set({ network, state: 'failing' }, failing)
      metrics.webhookLag.set({ network }, lagBlocks)
    },
    failed: (error) => log.warn({ err: error, network }, 'delivering webhooks failed: trying again'),
  }
}
