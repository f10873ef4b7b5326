import { userInfo } from 'node:os'
import type { SqlPool } from '../db.ts'
import { optional } from '../sql/fragment.ts'
import type { Sql } from '../sql/statement.ts'

/** Author of a change: a user of the operating system who runs a command, the id of a key with its role, or a payment. */
export type Actor = { kind: 'command' | 'client' | 'operator' | 'admin' | 'payment'; name: string }

export type Change = { action: string; account?: string; keyId?: string; details?: Record<string, unknown> }

export type ChangeRow = {
  number: number
  at: string
  actor_kind: string
  actor: string
  action: string
  account: string | null
  key_id: string | null
  details: Record<string, unknown>
}

/** Author of what a program does on the server itself. */
export const localUser = (): Actor => ({ kind: 'command', name: userInfo().username })

/**
 * Within the transaction of the change, so that neither is there without the other. It is committed for good, also on connections that do
 * not wait for the disk: a key that was handed out must not be gone after a crash, nor one that was revoked be back.
 */
export async function noteChange(sql: Sql, by: Actor, { action, account, keyId, details = {} }: Change): Promise<void> {
  await sql`
    insert into change_log (actor_kind, actor, action, account, key_id, details)
    select ${by.kind}, ${by.name}, ${action}, ${account ?? null}, ${keyId ?? null}, ${JSON.stringify(details)}::jsonb
    from set_config('synchronous_commit', 'on', true)`
}

export type ChangePage = { limit: number; cursor?: number | undefined; account?: string | undefined }

/** Newest first; `cursor` is the number of the last row of the page before. */
export function listChanges(sql: SqlPool, { limit, cursor, account }: ChangePage): Promise<ChangeRow[]> {
  return sql<ChangeRow[]>`
    select number, at, actor_kind, actor, action, account, key_id, details
    from change_log
    where true ${optional`and number < ${cursor}`} ${optional`and account = ${account}`}
    order by number desc
    limit ${limit}`
}
