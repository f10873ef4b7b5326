import type { WebhookEvent } from '../../types/webhook-events.ts'
import type { SqlPool } from '../db.ts'
import { optional } from '../sql/fragment.ts'
import type { Sql } from '../sql/statement.ts'

export type PausedReason = 'owner' | 'failing' | 'gone' | 'quota'

export type WebhookRow = {
  id: string
  network: string
  account: string
  url: string
  description: string
  events: WebhookEvent[]
  /** as the owner gave them */
  filters: Record<string, unknown>
  secret: Buffer
  old_secret: Buffer | null
  old_secret_until: string | null
  state: 'active' | 'paused'
  paused_reason: PausedReason | null
  paused_until: string | null
  /** everything up to this height was delivered, or did not match */
  height: number
  epoch: number
  failures: number
  failing_since: string | null
  next_attempt_at: string | null
  last_error: string | null
  last_success_at: string | null
  created_at: string
}

export type NewWebhook = Pick<
  WebhookRow,
  'id' | 'network' | 'account' | 'url' | 'description' | 'events' | 'filters' | 'secret' | 'height'
>

/** `network`: absent for all of them. */
export type Owner = { account: string; network?: string }

/** Tells deliverers that something changed; the payload is the network. */
export const WEBHOOKS_CHANNEL = 'astrolabe_webhooks'

const columns = (sql: Sql) => sql`
  id, network, account, url, description, events, filters, secret, old_secret, old_secret_until, state, paused_reason, paused_until, height,
  epoch, failures, failing_since, next_attempt_at, last_error, last_success_at, created_at`

/** Two that are made at once must not exceed the limit together. Undefined: the account has as many as it may. */
export function insertWebhook(sql: SqlPool, webhook: NewWebhook, limit: number): Promise<WebhookRow | undefined> {
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext(${`webhook ${webhook.account}`}))`
    const [count] = await tx<{ count: number }[]>`select count(*) as count from webhook where account = ${webhook.account}`
    if (count!.count >= limit) return undefined
    const { id, network, account, url, description, events, filters, secret, height } = webhook
    const [row] = await tx<WebhookRow[]>`
      insert into webhook (id, network, account, url, description, events, filters, secret, state, height)
      values (${id}, ${network}, ${account}, ${url}, ${description}, ${events}::text[], ${JSON.stringify(filters)}::jsonb, ${secret}, 'active', ${height})
      returning ${columns(tx)}`
    await tx`select pg_notify(${WEBHOOKS_CHANNEL}, ${network})`
    return row!
  })
}

export function listWebhooks(sql: SqlPool, { account, network }: Owner): Promise<WebhookRow[]> {
  return sql<WebhookRow[]>`
    select ${columns(sql)}
    from webhook
    where account = ${account} ${optional`and network = ${network}`}
    order by created_at, id`
}

/** Of all accounts, for the operator. */
export function listAllWebhooks(sql: SqlPool): Promise<WebhookRow[]> {
  return sql<WebhookRow[]>`select ${columns(sql)} from webhook order by network, account, created_at, id`
}

export async function findWebhook(sql: SqlPool, id: string): Promise<WebhookRow | undefined> {
  const [row] = await sql<WebhookRow[]>`select ${columns(sql)} from webhook where id = ${id}`
  return row
}

/** Changes of an owner. A new position moves the epoch. */
export type WebhookChange = Partial<
  Pick<WebhookRow, 'url' | 'description' | 'events' | 'filters' | 'state' | 'paused_reason' | 'height'>
>

export async function changeWebhook(sql: SqlPool, id: string, change: WebhookChange): Promise<WebhookRow | undefined> {
  const { url, description, events, filters, state, paused_reason, height } = change
  const isResumed = state === 'active'
  const [row] = await sql<WebhookRow[]>`
    update webhook
    set url = coalesce(${url ?? null}, url),
        description = coalesce(${description ?? null}, description),
        events = coalesce(${events ?? null}::text[], events),
        filters = coalesce(${filters ? JSON.stringify(filters) : null}::jsonb, filters),
        state = coalesce(${state ?? null}, state),
        paused_reason = ${state === undefined ? sql`paused_reason` : (paused_reason ?? null)},
        paused_until = ${state === undefined ? sql`paused_until` : null},
        height = coalesce(${height ?? null}::integer, height),
        epoch = epoch + ${height === undefined ? 0 : 1},
        failures = case when ${isResumed} then 0 else failures end,
        failing_since = case when ${isResumed} then null else failing_since end,
        next_attempt_at = case when ${isResumed} then null else next_attempt_at end
    where id = ${id}
    returning ${columns(sql)}`
  if (row) await sql`select pg_notify(${WEBHOOKS_CHANNEL}, ${row.network})`
  return row
}

/** The old secret signs beside the new one until `oldUntil`. */
export async function replaceSecret(sql: SqlPool, id: string, secret: Buffer, oldUntil: Date): Promise<void> {
  const [row] = await sql<{ network: string }[]>`
    update webhook
    set old_secret = secret, old_secret_until = ${oldUntil.toISOString()}, secret = ${secret}
    where id = ${id}
    returning network`
  if (row) await sql`select pg_notify(${WEBHOOKS_CHANNEL}, ${row.network})`
}

export async function deleteWebhook(sql: SqlPool, id: string): Promise<void> {
  const [row] = await sql<{ network: string }[]>`delete from webhook where id = ${id} returning network`
  if (row) await sql`select pg_notify(${WEBHOOKS_CHANNEL}, ${row.network})`
}

/** `plans`: of the keys that may be used. */
export type DeliverableRow = WebhookRow & { plans: string[] }

/** Deliverable subscriptions: those whose account still has a key that may be used. */
export function listDeliverable(sql: SqlPool, network: string): Promise<DeliverableRow[]> {
  return sql<DeliverableRow[]>`
    select ${columns(sql)}, k.plans
    from webhook w
    join lateral (
      select array_agg(distinct plan) as plans
      from api_key
      where account = w.account and revoked_at is null and (expires_at is null or expires_at > now())
    ) k on k.plans is not null
    where network = ${network} and state = 'active'
    order by id`
}

/** Subscriptions whose day is over go on. */
export async function resumeRested(sql: SqlPool, network: string): Promise<void> {
  await sql`
    update webhook set state = 'active', paused_reason = null, paused_until = null
    where network = ${network} and state = 'paused' and paused_until <= now()`
}
