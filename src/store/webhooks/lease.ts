import { Transient } from '../../lib/errors.ts'
import type { SqlPool } from '../db.ts'
import type { Sql } from '../sql/statement.ts'

/** The right to deliver for a network, which one process has at a time. */
export type Lease = { network: string; holder: string }

/** Takes or renews the lease of a network; false while another process holds it. The clock of the database counts for all. */
export async function takeLease(sql: SqlPool, { network, holder }: Lease, seconds: number): Promise<boolean> {
  const rows = await sql`
    insert into webhook_lease as l (network, holder, until)
    values (${network}, ${holder}, clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (network) do update
    set holder = excluded.holder, until = excluded.until
    where l.holder = excluded.holder or l.until < clock_timestamp()
    returning network`
  return rows.length > 0
}

export async function leaveLease(sql: SqlPool, { network, holder }: Lease): Promise<void> {
  await sql`delete from webhook_lease where network = ${network} and holder = ${holder}`
}

/** Condition of every statement by which a deliverer writes: one that lost its lease unknowingly changes nothing. */
export const holdsLease = (sql: Sql, { network, holder }: Lease) =>
  sql`exists (select from webhook_lease l where l.network = ${network} and l.holder = ${holder})`

/** At the start of a transaction: nobody takes the lease over until it ends. */
export async function keepLease(sql: Sql, { network, holder }: Lease): Promise<void> {
  const rows = await sql`select from webhook_lease where network = ${network} and holder = ${holder} for share`
  if (rows.length === 0) throw new Transient('lease_lost', `another process delivers for ${network}`)
}
