import { HttpError } from '../api/http/errors.ts'
import type { RouteRight } from '../api/route.ts'
import type { PlanConfig } from '../config/access-schema.ts'

/** Limits of a plan in the form that the limiter uses. */
export type Plan = {
  name: string
  /** points per second */
  rate: number
  /** points at once */
  burst: number
  quota: number | undefined
  sockets: number
  /** webhook subscriptions */
  webhooks: number
  /** requests to receivers and bytes of their bodies, per day */
  webhookEvents: number | undefined
  webhookBytes: number | undefined
  offchain: boolean
  statistics: boolean
  testNetworks: boolean
}

export type Plans = { free: Plan; byName: ReadonlyMap<string, Plan> }

/** Points of an export, the dearest class: a bucket that holds less could never serve one. */
const DEAREST = 10

export function createPlans(configs: readonly PlanConfig[]): Plans {
  const byName = new Map(configs.map((config) => [config.name, toPlan(config)]))
  // The configuration is checked to have it.
  return { free: byName.get('free')!, byName }
}

/** The limit on looking after one's own account: apart from the plan, so that usage is told and a key revoked when that is used up. */
export const METER_PLAN: Plan = {
  name: 'usage',
  rate: 1,
  burst: DEAREST,
  quota: undefined,
  sockets: 0,
  webhooks: 0,
  webhookEvents: undefined,
  webhookBytes: undefined,
  offchain: false,
  statistics: false,
  testNetworks: true,
}

/** Points of a plan's bucket. */
export const burstOf = ({ requests_per_second: rate, burst_seconds: seconds }: PlanConfig): number =>
  Math.max(DEAREST, Math.floor(rate * seconds))

function toPlan(config: PlanConfig): Plan {
  return {
    name: config.name,
    rate: config.requests_per_second,
    burst: burstOf(config),
    quota: config.daily_quota,
    sockets: config.websocket_connections,
    webhooks: config.webhooks,
    webhookEvents: config.webhook_events_per_day,
    webhookBytes: config.webhook_bytes_per_day,
    offchain: config.offchain,
    statistics: config.statistics,
    testNetworks: config.test_networks || config.name === 'free',
  }
}

/** Throws 403 when the plan does not cover the route. */
export function checkRights(plan: Plan, needs: RouteRight | undefined): void {
  if (needs !== undefined && !plan[needs])
    throw new HttpError(403, `plan_without_${needs}`, `plan ${plan.name} does not include ${WORDS[needs]}`)
}

const WORDS: Record<RouteRight, string> = { offchain: 'off-chain data', statistics: 'statistics' }
