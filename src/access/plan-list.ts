import { type Static, Type } from 'typebox'
import type { RouteGroup } from '../api/route.ts'
import { Model, Nullable } from '../api/schema/values.ts'
import type { PlanConfig } from '../config/access-schema.ts'
import { burstOf } from './plans.ts'

const ListedPlan = Model('Plan', {
  name: Type.String(),
  description: Type.String(),
  sold: Type.Boolean({ description: 'whether a key can be bought; others are arranged by the operator' }),
  price_usd: Nullable(Type.String({ description: 'price of a period, six decimals' })),
  period_days: Nullable(Type.Integer()),
  buy_url: Nullable(Type.String({ description: 'POST buys a key, and renews the one in the header `apikey`' })),
  requests_per_second: Type.Number({ description: 'points per second: a read costs 1, a list 2, statistics 5, an export 10' }),
  burst: Type.Number({ description: 'points at once' }),
  daily_quota: Nullable(Type.Number({ description: 'points per day (UTC)' })),
  websocket_connections: Type.Integer(),
  webhooks: Type.Integer(),
  webhook_events_per_day: Nullable(Type.Integer()),
  webhook_bytes_per_day: Nullable(Type.Integer()),
  offchain: Type.Boolean({ description: 'price, names, relayers and chain metadata' }),
  statistics: Type.Boolean({ description: 'statistics and time series' }),
  test_networks: Type.Boolean({ description: 'keys also work on test networks' }),
})

export type ListedPlan = Static<typeof ListedPlan>

/** Path that a key of a plan is bought and renewed at. */
export const planPath = (name: string): string => `/v1/plans/${name}/keys`

/** `1.5` as `1.500000`: prices have six decimals. */
export function sixDecimals(price: string): string {
  const [whole = '0', fraction = ''] = price.split('.')
  return `${BigInt(whole)}.${fraction.padEnd(6, '0')}`
}

/** Plans as customers see them. `shopUrl`: address of the paid surface, where there is one. */
export function listPlans(plans: readonly PlanConfig[], shopUrl: string | undefined): ListedPlan[] {
  return plans.map((plan) => {
    const isSold = plan.sold && shopUrl !== undefined
    const hasPrice = plan.price !== undefined
    return {
      name: plan.name,
      description: plan.description ?? '',
      sold: isSold,
      price_usd: hasPrice ? sixDecimals(plan.price!) : null,
      period_days: hasPrice ? plan.period_days : null,
      buy_url: isSold ? shopUrl + planPath(plan.name) : null,
      requests_per_second: plan.requests_per_second,
      burst: burstOf(plan),
      daily_quota: plan.daily_quota ?? null,
      websocket_connections: plan.websocket_connections,
      webhooks: plan.webhooks,
      webhook_events_per_day: plan.webhook_events_per_day ?? null,
      webhook_bytes_per_day: plan.webhook_bytes_per_day ?? null,
      offchain: plan.offchain,
      statistics: plan.statistics,
      test_networks: plan.test_networks || plan.name === 'free',
    }
  })
}

/** `list` is called for every request: the paid surface may start later than this one. */
export const planRoutes =
  (list: () => ListedPlan[]): RouteGroup =>
  (app) => {
    app.get(
      '/plans',
      {
        cache: 'none',
        schema: {
          operationId: 'list-plans',
          summary: 'Plans with their limits and prices',
          tags: ['general'],
          response: { 200: Type.Array(ListedPlan) },
        },
        needsState: false,
      },
      () => list(),
    )
  }
