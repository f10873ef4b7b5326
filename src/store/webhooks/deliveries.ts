import type { SqlPool } from '../db.ts'
import { optional } from '../sql/fragment.ts'

export type DeliveryState = 'pending' | 'delivered' | 'reverted'

export type DeliveryRow = {
  number: number
  id: string
  type: string
  height: number
  position: number
  state: DeliveryState
  attempts: number
  status: number | null
  error: string | null
  duration_ms: number | null
  created_at: string
  attempted_at: string | null
}

const columns = (sql: SqlPool) => sql`
  number, id, type, height, position, state, attempts, status, error, duration_ms, created_at, attempted_at`

export function listDeliveries(
  sql: SqlPool,
  f: { webhookId: string; limit: number; cursor?: number | undefined; state?: DeliveryState | undefined },
): Promise<DeliveryRow[]> {
  return sql<DeliveryRow[]>`
    select ${columns(sql)}
    from webhook_delivery
    where webhook_id = ${f.webhookId}
      ${optional`and number < ${f.cursor}`}
      ${optional`and state = ${f.state}`}
    order by number desc
    limit ${f.limit}`
}

export async function findDelivery(
  sql: SqlPool,
  webhookId: string,
  id: string,
): Promise<(DeliveryRow & { data: unknown }) | undefined> {
  const [row] = await sql<(DeliveryRow & { data: unknown })[]>`
    select ${columns(sql)}, data
    from webhook_delivery
    where webhook_id = ${webhookId} and id = ${id}
    order by number desc
    limit 1`
  return row
}

/** Events that the chain does not hold and that are still to be sent, before anything else and in their order. */
export type Notice = { webhook_id: string; id: string; type: string; height: number; data: Record<string, unknown> }

export function listNotices(sql: SqlPool, network: string): Promise<Notice[]> {
  return sql<Notice[]>`
    select d.webhook_id, d.id, d.type, d.height, d.data
    from webhook_delivery d
    join webhook w on w.id = d.webhook_id
    where w.network = ${network} and d.state = 'pending' and d.data is not null
    order by d.number`
}

/** Rows that say nothing any more. That the end of a key was told is known until it has ended. */
export async function forgetDeliveries(sql: SqlPool, network: string, days: number): Promise<void> {
  await sql`
    delete from webhook_delivery d
    using webhook w
    where w.id = d.webhook_id and w.network = ${network} and d.state <> 'pending'
      and d.created_at < now() - make_interval(days => case when d.type = 'key.expiring' then greatest(${days}, 8) else ${days} end)`
}
