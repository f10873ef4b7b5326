import { type Static, Type } from 'typebox'

export const PlanSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,30}$', description: 'name of the plan; `free` is the one without a key' }),
    description: Type.Optional(Type.String({ maxLength: 300, description: 'one sentence for customers' })),
    price: Type.Optional(
      Type.String({
        pattern: '^[0-9]{1,6}(\\.[0-9]{1,6})?$',
        description: 'USD for a period, at most six decimals, e.g. `49.00`',
      }),
    ),
    period_days: Type.Integer({ minimum: 1, maximum: 3660, default: 30, description: 'days that the price buys' }),
    sold: Type.Boolean({
      default: false,
      description: 'the paid surface sells keys of this plan for its price; otherwise keys are arranged by the operator',
    }),
    requests_per_second: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      description: 'points per second: a read costs 1, a list 2, statistics 5, an export 10',
    }),
    burst_seconds: Type.Number({
      minimum: 1,
      maximum: 600,
      default: 10,
      description: 'burst, in seconds of the rate',
    }),
    daily_quota: Type.Optional(Type.Integer({ minimum: 1, description: 'points per day (UTC); absent: no quota' })),
    websocket_connections: Type.Integer({ minimum: 0, maximum: 100_000, default: 10, description: 'open WebSockets at a time' }),
    webhooks: Type.Integer({ minimum: 0, maximum: 100_000, default: 10, description: 'webhook subscriptions of an account' }),
    webhook_events_per_day: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'requests to receivers of webhooks per day (UTC), taken or not; absent: no quota',
      }),
    ),
    webhook_bytes_per_day: Type.Optional(
      Type.Integer({ minimum: 1, description: 'bytes of their bodies per day (UTC); absent: no quota' }),
    ),
    offchain: Type.Boolean({ default: true, description: 'price, names, relayers and chain metadata' }),
    statistics: Type.Boolean({ default: true, description: 'statistics and time series' }),
    test_networks: Type.Boolean({
      default: false,
      description: 'keys of this plan also work on test networks (the free plan always does)',
    }),
  },
  { additionalProperties: false },
)

export type PlanConfig = Static<typeof PlanSchema>

const DEFAULT_PLANS = [
  {
    name: 'free',
    requests_per_second: 10,
    daily_quota: 200_000,
    websocket_connections: 10,
    webhooks: 2,
    webhook_events_per_day: 50_000,
    webhook_bytes_per_day: 250_000_000,
  },
  {
    name: 'developer',
    requests_per_second: 50,
    daily_quota: 2_000_000,
    websocket_connections: 50,
    webhooks: 20,
    webhook_events_per_day: 500_000,
    webhook_bytes_per_day: 2_500_000_000,
  },
  {
    name: 'business',
    requests_per_second: 250,
    daily_quota: 15_000_000,
    websocket_connections: 250,
    webhooks: 200,
    webhook_events_per_day: 5_000_000,
    webhook_bytes_per_day: 25_000_000_000,
  },
]

const DEMO_PRICES: Record<string, { price: string; description: string }> = {
  developer: { price: '49.00', description: 'For applications of one team' },
  business: { price: '199.00', description: 'For services with customers of their own' },
}

/** The default plans with prices, which only a local test chain takes: elsewhere nothing has a price that nobody has set. */
export function demoPlans(): Record<string, unknown>[] {
  return DEFAULT_PLANS.map((plan) => (plan.name in DEMO_PRICES ? { ...plan, ...DEMO_PRICES[plan.name], sold: true } : plan))
}

export const AccessSchema = Type.Object(
  {
    plans: Type.Array(PlanSchema, {
      minItems: 1,
      default: DEFAULT_PLANS,
      description: 'what callers may do; one of them is `free`',
    }),
    environment: Type.String({
      pattern: '^[a-z]{2,8}$',
      default: 'live',
      env: 'KEY_ENVIRONMENT',
      description: 'part of every key; a key of another environment is refused',
    }),
    pepper: Type.Optional(
      Type.String({
        minLength: 32,
        env: 'KEY_PEPPER',
        description: 'secret under which keys are stored, the same on all replicas; without it one is created in the data folder',
      }),
    ),
    limits_url: Type.Optional(
      Type.String({
        pattern: '^postgres(ql)?://',
        env: 'LIMITS_URL',
        description: 'PostgreSQL for the rate-limit counters; default: the database',
      }),
    ),
    trusted_proxies: Type.Array(Type.String(), {
      default: [],
      env: 'TRUSTED_PROXIES',
      description: 'addresses or CIDR ranges whose X-Forwarded-For is trusted',
    }),
    limit_loopback: Type.Boolean({
      default: false,
      description: '`start` only: limit callers on this machine too; a server on a public address always does',
    }),
    rotation_grace_hours: Type.Number({
      minimum: 0,
      maximum: 8760,
      default: 24,
      description: 'grace period of the old key after a rotation',
    }),
  },
  { default: {}, additionalProperties: false },
)

export const AttributionSchema = Type.Object(
  {
    name: Type.String({ default: 'Astrolabe', description: 'name of the service to credit' }),
    url: Type.String({ pattern: '^https?://', default: 'https://astrolabe.example', description: 'site of the operator' }),
    text: Type.String({
      default: 'Free use, also commercial, requires attribution: say that you use the service, and link to its site.',
      description: 'the condition',
    }),
    example: Type.String({ default: 'Data provided by Astrolabe', description: 'a line that meets it' }),
    license_url: Type.Optional(
      Type.String({ description: 'terms of use; goes into the Link header (default: /v1/attribution of the same address)' }),
    ),
  },
  { default: {}, additionalProperties: false, description: 'what users of the free plan owe' },
)

export type AccessConfig = Static<typeof AccessSchema>
export type AttributionConfig = Static<typeof AttributionSchema>
