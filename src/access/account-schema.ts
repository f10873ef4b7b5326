import { Type } from 'typebox'
import type { RouteSchema } from '../api/route.ts'
import { Bool, Integer, Model, Nullable, Text, Time } from '../api/schema/values.ts'
import { USAGE_DAYS } from './accounts.ts'
import { Restrictions } from './restrictions.ts'

export const KeyName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'name of the key, for its owner',
})
export const GraceHours = Type.Number({
  minimum: 0,
  maximum: 8760,
  description: 'how long the old key works on; 0: not at all. Default: a setting of the service',
})

const key = {
  id: Text,
  name: Text,
  key: Type.String({ description: 'beginning and end of its text' }),
  restrictions: Restrictions,
  state: Type.Enum(['active', 'expired', 'revoked']),
  created_at: Time,
  expires_at: Nullable(Time),
  replaced_by: Nullable(Type.String({ description: 'id of the key that a rotation made in its place' })),
  last_used: Nullable(Type.String({ format: 'date' })),
}

export const Key = Model('ApiKey', key)

const NewKeyText = Type.String({ description: 'the key itself: shown here and never again' })

const CreatedKey = Model('CreatedApiKey', { ...key, text: NewKeyText })

const RotatedKey = Model('RotatedApiKey', { ...key, text: NewKeyText, old_key_until: Time })

export const UsageDays = Type.Array(
  Type.Object({
    day: Type.String({ format: 'date' }),
    requests: Type.Integer(),
    points: Type.Integer({ description: 'cost of the requests served: 1 read, 2 list, 5 statistics, 10 export' }),
    refused: Type.Integer({ description: 'requests over the limit' }),
  }),
  { description: `the last ${USAGE_DAYS} days with requests, newest first; all keys of the account together` },
)

const Usage = Type.Object({
  key: Type.String({ description: 'id of the key' }),
  plan: Type.String(),
  requests_per_second: Type.Number(),
  burst: Type.Number(),
  daily_quota: Type.Union([Type.Number(), Type.Null()]),
  days: UsageDays,
})

const Account = Model('Account', {
  account: Text,
  plan: Text,
  valid_until: Nullable(Type.String({ ...Time, description: 'end of the key that lasts longest; null: no end' })),
  test_networks: Type.Boolean({ ...Bool, description: 'whether the key of the request works on test networks' }),
  key: Type.String({ description: 'id of the key of the request' }),
  keys: Type.Array(Key, { description: 'oldest first' }),
  webhooks: Type.Array(
    Model('AccountWebhook', { id: Text, network: Text, url: Text, state: Type.Enum(['active', 'paused']), height: Integer }),
    { description: 'of all networks' },
  ),
})

export const NewKey = Type.Object({ name: KeyName, restrictions: Type.Optional(Restrictions) }, { additionalProperties: false })

export const Rotation = Type.Object({ grace_hours: Type.Optional(GraceHours) }, { additionalProperties: false })

const tags = ['account']
const One = Type.Object({ id: Type.String({ minLength: 1, maxLength: 40 }) })

/** Operations of the holder of a key on its account. */
export const accountOperations = {
  usage: {
    operationId: 'get-usage',
    summary: 'Requests per day of the key in the header `apikey`',
    notOnPage: 'tells the holder of a key how much of the plan is left; the page only shows and rotates the key itself',
    tags: ['general'],
    response: { 200: Usage },
  },
  account: {
    operationId: 'get-account',
    summary: 'Account of the key: plan, validity, keys without their text, webhooks',
    tags,
    response: { 200: Account },
  },
  create: {
    operationId: 'create-key',
    summary: 'Create another key of the account; the answer holds its text, once',
    notOnPage: 'for programs of the holder of a key; the page only shows and rotates the key itself',
    tags,
    body: NewKey,
    response: { 200: CreatedKey },
  },
  remove: {
    operationId: 'delete-key',
    summary: 'Revoke a key of the account; the answer is its last state',
    notOnPage: 'for programs of the holder of a key; the page only shows and rotates the key itself',
    tags,
    params: One,
    response: { 200: Key },
  },
  rotate: {
    operationId: 'rotate-key',
    summary: 'Create a key with the same name and restrictions and let the old one expire',
    tags,
    params: One,
    body: Rotation,
    response: { 200: RotatedKey },
  },
} satisfies Record<string, RouteSchema>
