import { Type } from 'typebox'
import type { RouteSchema } from '../api/route.ts'
import { Cursor, Limit } from '../api/schema/query.ts'
import { Bool, Integer, Maybe, Model, Text, Time } from '../api/schema/values.ts'
import { EVENT_TYPES } from './event-types.ts'
import { WebhookFilters } from './filters.ts'

const EventTypes = Type.Array(Type.Enum(EVENT_TYPES), { minItems: 1, maxItems: EVENT_TYPES.length, description: 'what is sent' })
const Target = Type.String({ minLength: 1, maxLength: 2048, description: 'where events are posted: https, a public address' })
const Description = Type.String({ maxLength: 200, description: 'a note of the owner' })
const From = Type.Integer({
  minimum: 1,
  description: 'first height to send; the past is sent too. Without it: what comes from now on',
})

const state = {
  id: Text,
  url: Target,
  description: Description,
  events: EventTypes,
  filters: WebhookFilters,
  state: Type.Enum(['active', 'paused']),
  paused_reason: Maybe(
    Type.Enum(['owner', 'failing', 'gone', 'quota'], {
      description:
        'by the owner; after days of failure; because the receiver answered 410; because the events or bytes of the day that the plan has are used up',
    }),
  ),
  paused_until: Maybe(Type.String({ ...Time, description: 'when it continues on its own' })),
  height: Type.Integer({ description: 'everything up to this height was delivered or did not match; may be some blocks behind' }),
  failures: Type.Integer({ description: 'failed attempts in a row' }),
  failing_since: Maybe(Time),
  next_attempt_at: Maybe(Time),
  last_error: Maybe(Text),
  last_success_at: Maybe(Time),
  created_at: Time,
}

export const Webhook = Model('Webhook', state)

export const CreatedWebhook = Model('CreatedWebhook', {
  ...state,
  secret: Type.String({ description: 'whsec_…: verifies what is sent; shown once' }),
})

export const WebhookSecret = Model('WebhookSecret', {
  secret: Type.String({ description: 'whsec_…: shown once' }),
  old_secret_until: Type.String({ ...Time, description: 'until then each event is signed with both' }),
})

export const WebhookDelivery = Model('WebhookDelivery', {
  number: Type.Integer({ description: 'position in the list; the cursor' }),
  id: Type.String({ description: '`webhook-id` of the event' }),
  type: Text,
  height: Integer,
  position: Integer,
  state: Type.Enum(['pending', 'delivered', 'reverted']),
  attempts: Integer,
  status: Maybe(Type.Integer({ description: 'HTTP status of the last answer' })),
  error: Maybe(Text),
  duration_ms: Maybe(Integer),
  created_at: Time,
  attempted_at: Maybe(Time),
})

export const WebhookAttempt = Model('WebhookAttempt', {
  id: Type.String({ description: '`webhook-id` that was sent' }),
  ok: Bool,
  status: Maybe(Integer),
  error: Maybe(Text),
  duration_ms: Integer,
})

export const NewWebhook = Type.Object(
  {
    url: Target,
    events: EventTypes,
    filters: Type.Optional(WebhookFilters),
    description: Type.Optional(Description),
    from: Type.Optional(From),
  },
  { additionalProperties: false },
)

export const WebhookChange = Type.Object(
  {
    url: Type.Optional(Target),
    events: Type.Optional(EventTypes),
    filters: Type.Optional(Type.Unsafe<WebhookFilters>({ ...WebhookFilters, description: 'replaces all filters' })),
    description: Type.Optional(Description),
    from: Type.Optional(
      Type.Integer({ minimum: 1, description: 'continue at this height: events from there on are sent, again if need be' }),
    ),
  },
  { additionalProperties: false },
)

const tags = ['webhook']
const One = Type.Object({ id: Type.String({ minLength: 1, maxLength: 40 }) })
const OneDelivery = Type.Object({ id: One.properties.id, delivery: Type.String({ minLength: 1, maxLength: 60 }) })

/** Operations of owners on their subscriptions. */
export const operations = {
  list: {
    operationId: 'list-webhooks',
    summary: 'Webhooks of the account of the key, oldest first',
    tags,
    response: { 200: Type.Array(Webhook) },
  },
  create: {
    operationId: 'create-webhook',
    summary: 'Subscribe to events; the answer holds the signing secret, once',
    tags,
    body: NewWebhook,
    response: { 200: CreatedWebhook },
  },
  get: {
    operationId: 'get-webhook',
    summary: 'A webhook and how it fares',
    notOnPage: 'listWebhooks answers all of them whole',
    tags,
    params: One,
    response: { 200: Webhook },
  },
  change: {
    operationId: 'change-webhook',
    summary: 'Change target, events, filters or position',
    notOnPage: 'the page deletes a webhook and creates another; programs change them',
    tags,
    params: One,
    body: WebhookChange,
    response: { 200: Webhook },
  },
  remove: {
    operationId: 'delete-webhook',
    summary: 'Delete a webhook; the answer is its last state',
    tags,
    params: One,
    response: { 200: Webhook },
  },
  test: {
    operationId: 'test-webhook',
    summary: 'Post an event of type webhook.test now and tell how the receiver answered',
    tags,
    params: One,
    response: { 200: WebhookAttempt },
  },
  pause: {
    operationId: 'pause-webhook',
    summary: 'Send nothing until it is resumed; the position is kept',
    tags,
    params: One,
    response: { 200: Webhook },
  },
  resume: {
    operationId: 'resume-webhook',
    summary: 'Continue where it was paused',
    tags,
    params: One,
    response: { 200: Webhook },
  },
  rotate: {
    operationId: 'rotate-webhook-secret',
    summary: 'A new signing secret; the old one signs too for a while',
    tags,
    params: One,
    response: { 200: WebhookSecret },
  },
  deliveries: {
    operationId: 'list-webhook-deliveries',
    summary: 'Events that were sent or are about to be, newest first',
    tags,
    params: One,
    querystring: Type.Object({
      limit: Limit,
      cursor: Cursor,
      state: Type.Optional(Type.Enum(['pending', 'delivered', 'reverted'])),
    }),
    response: { 200: Type.Array(WebhookDelivery) },
  },
  replay: {
    operationId: 'replay-webhook-delivery',
    summary: 'Post one event again now, under its own id',
    tags,
    params: OneDelivery,
    response: { 200: WebhookAttempt },
  },
} satisfies Record<string, RouteSchema>
