import { openPool } from '../db.ts'
import { SHARED_SCHEMA } from '../migrations/migrate.ts'

const ROLE = 'astrolabe_pay'
/** The bundled server listens on loopback only; its owner's password is as well known. */
const PASSWORD = 'astrolabe'

/** Rights on keys that selling them takes. Without `role` a key is one of a customer; labels and usage are not its business. */
const KEY_COLUMNS = [
  'select (id, account, role, digest, expires_at, revoked_at)',
  'insert (id, account, plan, label, digest, prefix, last4)',
  'update (plan, expires_at, revoked_at, changed_at)',
].join(', ')

/**
 * The address of the bundled database for who keeps the ledger: a role that sees the ledger and the ends of keys, so that a fault in what
 * strangers reach cannot touch the index or make keys of operators. `url` is that of its owner; the shared schema must be up to date.
 */
export async function openLedgerRole(url: string): Promise<string> {
  const sql = openPool('pay', { url, schema: SHARED_SCHEMA, max: 1 })
  try {
    await sql.begin(async (tx) => {
      // Two processes that start at once would both try to make it.
      await tx`select pg_advisory_xact_lock(hashtext(${ROLE}))`
      const known = await tx`select from pg_roles where rolname = ${ROLE}`
      if (known.length === 0) await tx.unsafe(`create role ${ROLE} login password '${PASSWORD}'`)
      await tx`grant usage on schema ${tx(SHARED_SCHEMA)} to ${tx(ROLE)}`
      for (const table of ['payment', 'payment_settler', 'payment_loss', 'payment_refund', 'plan_term'])
        await tx`grant select, insert, update, delete on ${tx(SHARED_SCHEMA)}.${tx(table)} to ${tx(ROLE)}`
      await tx.unsafe(`grant ${KEY_COLUMNS} on ${SHARED_SCHEMA}.api_key to ${ROLE}`)
      await tx`grant select, insert on ${tx(SHARED_SCHEMA)}.access_secret to ${tx(ROLE)}`
      await tx`grant insert on ${tx(SHARED_SCHEMA)}.change_log to ${tx(ROLE)}`
    })
  } finally {
    await sql.end({ timeout: 2 })
  }
  const own = new URL(url)
  own.username = ROLE
  own.password = PASSWORD
  return own.href
}
