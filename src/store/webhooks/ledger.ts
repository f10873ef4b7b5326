import { Batcher } from '../../lib/batcher.ts'
import type { SqlPool } from '../db.ts'
import type { Sql } from '../sql/statement.ts'
import { holdsLease, type Lease } from './lease.ts'
import { type PausedReason, WEBHOOKS_CHANNEL } from './subscriptions.ts'
import { addUsage, type DayUsage } from './usage.ts'

export type BegunEvent = { id: string; type: string; height: number; position: number }
export type Beginning = { webhookId: string; epoch: number; events: readonly BegunEvent[] }
/** By event; an event that is missing may not be sent: the subscription has changed, or another process delivers. */
export type BegunStates = ReadonlyMap<string, 'pending' | 'delivered'>

/** How far a subscription has got and how it fares. */
export type Progress = {
  height: number
  failures: number
  failingSince: string | null
  nextAttemptAt: string | null
  lastError: string | null
  hasSucceeded: boolean
}

/** A request that was posted: what it was about, whose it was and how it went. */
export type Attempt = {
  id: string
  account: string
  bytes: number
  ok: boolean
  status: number | null
  error: string | null
  durationMs: number
}

export type Settlement = { webhookId: string; epoch: number; attempt?: Attempt; progress?: Progress }

const LARGEST = 500

/**
 * What deliverers write, many subscriptions at a time. An event is written before it is sent for the first time, so that a fork finds it
 * even when the process ends in between, and its outcome afterwards: what is lost between the two is sent again.
 */
export class Ledger {
  readonly #sql: SqlPool
  readonly #lease: Lease
  readonly #beginnings: Batcher<Beginning, BegunStates>
  readonly #settlements: Batcher<Settlement, readonly DayUsage[]>

  constructor(sql: SqlPool, lease: Lease) {
    this.#sql = sql
    this.#lease = lease
    this.#beginnings = new Batcher((items) => this.#begin(items), LARGEST)
    this.#settlements = new Batcher((items) => this.#settle(items), LARGEST)
  }

  begin(beginning: Beginning): Promise<BegunStates> {
    return this.#beginnings.add(beginning)
  }

  /** Tells what the accounts of the batch have had posted today. */
  settle(settlement: Settlement): Promise<readonly DayUsage[]> {
    return this.#settlements.add(settlement)
  }

  /** Events that were delivered in an earlier epoch are sent again: the owner, or a fork, went back. */
  async #begin(items: readonly Beginning[]): Promise<BegunStates[]> {
    const rows = items.flatMap(({ webhookId, epoch, events }) => events.map((event) => ({ webhookId, epoch, ...event })))
    const begun = await this.#sql<{ webhook_id: string; id: string; state: 'pending' | 'delivered' }[]>`
      insert into webhook_delivery as d (webhook_id, id, epoch, type, height, position, state)
      select r.webhook_id, r.id, r.epoch, r.type, r.height, r.position, 'pending'
      from unnest(${rows.map(({ webhookId }) => webhookId)}::text[], ${rows.map(({ id }) => id)}::text[],
                  ${rows.map(({ epoch }) => epoch)}::integer[], ${rows.map(({ type }) => type)}::text[],
                  ${rows.map(({ height }) => height)}::integer[], ${rows.map(({ position }) => position)}::integer[])
           with ordinality as r(webhook_id, id, epoch, type, height, position, place)
      join webhook w on w.id = r.webhook_id and w.epoch = r.epoch
      where ${holdsLease(this.#sql, this.#lease)}
      order by r.place
      on conflict (webhook_id, id) where state <> 'reverted' do update
      set epoch = excluded.epoch, state = case when d.epoch = excluded.epoch then d.state else 'pending' end
      returning webhook_id, id, state`
    const states = new Map<string, Map<string, 'pending' | 'delivered'>>()
    for (const { webhook_id: webhookId, id, state } of begun) {
      const own = states.get(webhookId) ?? new Map()
      states.set(webhookId, own.set(id, state))
    }
    return items.map(({ webhookId }) => states.get(webhookId) ?? new Map())
  }

  async #settle(items: readonly Settlement[]): Promise<(readonly DayUsage[])[]> {
    const attempts = items.flatMap(({ webhookId, attempt }) => (attempt ? [{ webhookId, ...attempt }] : []))
    const progress = items.flatMap(({ webhookId, epoch, progress: each }) => (each ? [{ webhookId, epoch, ...each }] : []))
    const usage = await this.#sql.begin(async (sql) => {
      const [used] = await Promise.all([
        attempts.length > 0 ? addUsage(sql, attempts) : ([] as DayUsage[]),
        attempts.length > 0 && this.#writeAttempts(sql, attempts),
        progress.length > 0 && this.#writeProgress(sql, progress),
      ])
      return used
    })
    return items.map(() => usage)
  }

  #writeAttempts(sql: Sql, attempts: readonly (Attempt & { webhookId: string })[]) {
    return sql`
      update webhook_delivery d
      set state = case when r.ok and d.state = 'pending' then 'delivered' else d.state end,
          attempts = d.attempts + 1, status = r.status, error = r.error, duration_ms = r.duration_ms, attempted_at = clock_timestamp()
      from unnest(${attempts.map(({ webhookId }) => webhookId)}::text[], ${attempts.map(({ id }) => id)}::text[],
                  ${attempts.map(({ ok }) => String(ok))}::text[]::boolean[], ${attempts.map(({ status }) => status)}::integer[],
                  ${attempts.map(({ error }) => error)}::text[], ${attempts.map(({ durationMs }) => durationMs)}::integer[])
           as r(webhook_id, id, ok, status, error, duration_ms)
      where d.webhook_id = r.webhook_id and d.id = r.id and d.state <> 'reverted'`
  }

  #writeProgress(sql: Sql, progress: readonly (Progress & { webhookId: string; epoch: number })[]) {
    return sql`
      update webhook w
      set height = greatest(w.height, r.height), failures = r.failures, failing_since = r.failing_since,
          next_attempt_at = r.next_attempt_at, last_error = r.last_error,
          last_success_at = case when r.has_succeeded then clock_timestamp() else w.last_success_at end
      from unnest(${progress.map(({ webhookId }) => webhookId)}::text[], ${progress.map(({ epoch }) => epoch)}::integer[],
                  ${progress.map(({ height }) => height)}::integer[], ${progress.map(({ failures }) => failures)}::integer[],
                  ${progress.map(({ failingSince }) => failingSince)}::timestamptz[],
                  ${progress.map(({ nextAttemptAt }) => nextAttemptAt)}::timestamptz[],
                  ${progress.map(({ lastError }) => lastError)}::text[],
                  ${progress.map(({ hasSucceeded }) => String(hasSucceeded))}::text[]::boolean[])
           as r(id, epoch, height, failures, failing_since, next_attempt_at, last_error, has_succeeded)
      where w.id = r.id and w.epoch = r.epoch and ${holdsLease(sql, this.#lease)}`
  }

  /** False when it was changed meanwhile. `until`: it continues on its own then. */
  async pause(webhookId: string, epoch: number, reason: PausedReason, until?: Date): Promise<boolean> {
    const rows = await this.#sql`
      update webhook set state = 'paused', paused_reason = ${reason}, paused_until = ${until?.toISOString() ?? null}
      where id = ${webhookId} and epoch = ${epoch} and state = 'active' and ${holdsLease(this.#sql, this.#lease)}
      returning id`
    if (rows.length > 0) await this.#sql`select pg_notify(${WEBHOOKS_CHANNEL}, ${this.#lease.network})`
    return rows.length > 0
  }
}
