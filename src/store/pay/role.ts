import { openPool } from '../db.ts'
import { SHARED_SCHEMA } from '../migrations/migrate.ts'

const ROLE = 'astrolabe_pay'
/** The bundled server listens on loopback only; its owner's password is as well known. */
const PASSWORD = 'astrolabe'

/**
 * The address of the bundled database for who keeps the ledger: a role that sees the ledger and nothing else, so that a fault in what
 * strangers reach cannot touch keys or the index. `url` is that of its owner; the shared schema must be up to date.
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
      for (const table of ['payment', 'payment_settler', 'payment_loss', 'payment_refund'])
        await tx`grant select, insert, update, delete on ${tx(SHARED_SCHEMA)}.${tx(table)} to ${tx(ROLE)}`
    })
  } finally {
    await sql.end({ timeout: 2 })
  }
  const own = new URL(url)
  own.username = ROLE
  own.password = PASSWORD
  return own.href
}
