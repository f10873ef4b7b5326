import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { AccessEvents } from '../access/guard.ts'
import type { AccessTrouble } from '../access/service.ts'
import type { NodeRequest } from '../chain/rpc/pool.ts'
import type { PushObserver } from '../live/observer.ts'
import type { OffchainObserver, OffchainSource } from '../offchain/pollers.ts'
import type { Metrics } from './metrics.ts'

export function createAccessEvents(metrics: Metrics): AccessEvents {
  return {
    limited: (plan, policy) => metrics.rateLimited.inc({ plan, policy }),
    authFailed: (reason) => metrics.authFailures.inc({ reason }),
  }
}

const TROUBLE: Record<AccessTrouble, string> = {
  limits_down: 'counting limits in the database failed: each process limits by its own counts until it succeeds',
  limits_up: 'limits are counted in the database again',
  keys: 'reading keys failed: known keys stay valid, trying again',
  usage: 'writing usage failed: the counts are kept and written later',
  forgetting: 'deleting old counts of limits failed: trying again later',
}

/** For `startAccess`: trouble is counted and logged, and nothing else happens because of it. */
export function createAccessTrouble(metrics: Metrics, log: Logger) {
  metrics.limitsShared.set(1)
  return (what: AccessTrouble, error?: unknown): void => {
    if (what === 'limits_down') metrics.limitsShared.set(0)
    if (what === 'limits_up') metrics.limitsShared.set(1)
    if (what === 'limits_up') log.info(TROUBLE[what])
    else log.warn({ what, ...(error !== undefined && { err: error }) }, TROUBLE[what])
  }
}

export function createNodeObserver(metrics: Metrics, network: string): (request: NodeRequest) => void {
  return ({ node, method, outcome, seconds }) => {
    metrics.nodeRequests.inc({ network, node, method, outcome })
    if (seconds !== undefined) metrics.nodeRequestDuration.observe({ network, node, method }, seconds)
  }
}

export function createPushObserver(metrics: Metrics, network: string, log: Logger): PushObserver {
  return {
    opened: (kind) => metrics.wsConnections.inc({ network, kind }),
    closed: (kind, reason) => {
      metrics.wsConnections.dec({ network, kind })
      metrics.wsClosed.inc({ network, reason })
    },
    refused: (reason) => metrics.wsClosed.inc({ network, reason: `refused_${reason}` }),
    subscribed: (channel, change) => metrics.wsSubscriptions.inc({ network, channel }, change),
    sent: (channel) => metrics.wsSent.inc({ network, channel }),
    published: (seconds) => metrics.wsPublishDelay.observe({ network }, seconds),
    failed: (error) => log.warn({ err: error, network }, 'pushing to live connections failed: trying again'),
  }
}

/** Ages grow between two looks: they are computed when they are asked for. */
export class OffchainAges {
  readonly #metrics: Metrics
  readonly #fresh = new Map<string, { network: string; source: OffchainSource; at: number }>()
  readonly #now: () => number

  constructor(metrics: Metrics, now: () => number = Date.now) {
    this.#metrics = metrics
    this.#now = now
  }

  observe(network: string, log: Logger): OffchainObserver {
    const failing = new Set<OffchainSource>()
    const startedAt = this.#now()
    return {
      succeeded: (source, { changed, fresh }) => {
        this.#fresh.set(`${network} ${source}`, { network, source, at: fresh })
        if (failing.delete(source) || changed) log.info({ network, source, changed }, 'off-chain data read')
      },
      failed: (source, error) => {
        this.#metrics.offchainFailures.inc({ network, source })
        // One that never answered is as old as our asking: silence from the first day on has to ring too.
        const name = `${network} ${source}`
        if (!this.#fresh.has(name)) this.#fresh.set(name, { network, source, at: startedAt })
        // The first failure is news, the hundredth is not.
        if (!failing.has(source))
          log.warn(
            { network, source, reason: error.message },
            'reading off-chain data failed: the last values are served, trying again',
          )
        failing.add(source)
      },
    }
  }

  update(): void {
    for (const { network, source, at } of this.#fresh.values())
      this.#metrics.offchainAge.set({ network, source }, Math.max(0, (this.#now() - at) / 1000))
  }
}

/** Free part of the disk, for the alert before the database stops. */
export async function updateDisk(metrics: Metrics, folder: string): Promise<void> {
  const { bavail, blocks } = await statfs(folder)
  if (blocks > 0) metrics.diskFree.set(bavail / blocks)
}
