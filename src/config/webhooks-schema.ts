import { type Static, Type } from 'typebox'

export const WebhooksSchema = Type.Object(
  {
    enabled: Type.Boolean({ default: true, description: 'serve /v1/webhooks and deliver events' }),
    deliver: Type.Boolean({
      default: true,
      env: 'WEBHOOKS_DELIVER',
      description: 'deliver from this process when no other one does; false: only manage subscriptions',
    }),
    allow_http: Type.Boolean({
      default: false,
      env: 'WEBHOOKS_ALLOW_HTTP',
      description: 'targets may be http:// too; for receivers on a private network',
    }),
    private_targets: Type.Array(Type.String(), {
      default: [],
      env: 'WEBHOOKS_PRIVATE_TARGETS',
      description: 'addresses or CIDR ranges that targets may have although they are not public',
    }),
    timeout_seconds: Type.Number({ minimum: 1, maximum: 60, default: 15, description: 'time that a receiver has to answer' }),
    concurrency: Type.Integer({
      minimum: 4,
      maximum: 2000,
      default: 128,
      description: 'requests under way per network; a quarter of them for receivers that fail or are slow',
    }),
    retry_max_seconds: Type.Number({
      minimum: 1,
      maximum: 86_400,
      default: 600,
      description: 'longest wait between two attempts',
    }),
    pause_after_hours: Type.Number({
      exclusiveMinimum: 0,
      maximum: 720,
      default: 72,
      description: 'time of failure after which a subscription is paused',
    }),
    keep_days: Type.Integer({ minimum: 1, maximum: 365, default: 7, description: 'how long deliveries can be listed' }),
  },
  { default: {}, additionalProperties: false, description: 'events that are posted to subscribers' },
)

export type WebhooksConfig = Static<typeof WebhooksSchema>
