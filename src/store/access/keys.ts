import { OperatorError } from '../../lib/errors.ts'
import type { AccessDb } from './db.ts'
import { makeKeyText, randomBase62 } from './key-text.ts'
import { digestKey } from './pepper.ts'

/** `client` keys belong to callers of the key surface, the others to people who work with the operator's API. */
export type KeyRole = 'client' | 'operator' | 'admin'

export const KEYS_CHANNEL = 'astrolabe_keys'

/** Keys of an account that may be in use at a time: the old and the new one of a rotation. */
const ACTIVE_KEYS = 2

export type KeySecrets = { environment: string; pepper: string }

export type NewKey = {
  role: KeyRole
  plan: string
  label: string
  testNetworks?: boolean
  expiresAt?: Date | undefined
  /** of an existing customer; a new one otherwise */
  account?: string
}

export type KeyRow = {
  id: string
  account: string
  role: KeyRole
  plan: string
  label: string
  test_networks: boolean
  prefix: string
  last4: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
}

export type KeySnapshotRow = Pick<
  KeyRow,
  'id' | 'account' | 'role' | 'plan' | 'label' | 'test_networks' | 'expires_at' | 'revoked_at'
> & { digest: Buffer; changed_at: string }

/** The text of the key is in the answer and nowhere else. */
export async function createKey(
  sql: AccessDb,
  secrets: KeySecrets,
  { role, plan, label, testNetworks = false, expiresAt, account }: NewKey,
): Promise<{ id: string; account: string; text: string }> {
  const { text, prefix, last4 } = makeKeyText(secrets.environment)
  const id = randomBase62(10)
  const owner = account ?? `acc_${randomBase62(10)}`
  await sql.begin(async (tx) => {
    // One rotation of an account at a time, or two of them would make three keys.
    await tx`select pg_advisory_xact_lock(hashtext(${`api_key ${owner}`}))`
    const [row] = await tx<{ active: number }[]>`
      select count(*) as active
      from api_key
      where account = ${owner} and revoked_at is null and (expires_at is null or expires_at > now())`
    if (Number(row!.active) >= ACTIVE_KEYS)
      throw new OperatorError('too_many_keys', `account ${owner} has ${ACTIVE_KEYS} active keys already: revoke one first`)
    await tx`
      insert into api_key (id, account, role, plan, label, test_networks, digest, prefix, last4, expires_at)
      values (${id}, ${owner}, ${role}, ${plan}, ${label}, ${testNetworks}, ${digestKey(secrets.pepper, text)}, ${prefix}, ${last4},
              ${expiresAt?.toISOString() ?? null})`
    await tx`select pg_notify(${KEYS_CHANNEL}, '')`
  })
  return { id, account: owner, text }
}

/** A second key for the same account; the old one works on for the time of grace. */
export async function rotateKey(
  sql: AccessDb,
  secrets: KeySecrets,
  id: string,
  graceMs: number,
): Promise<{ id: string; account: string; text: string; oldExpiresAt: Date }> {
  const [old] = await sql<(KeyRow & { active: boolean })[]>`
    select id, account, role, plan, label, test_networks, expires_at,
           revoked_at is null and (expires_at is null or expires_at > now()) as active
    from api_key
    where id = ${id}`
  if (!old) throw unknownKey(id)
  if (!old.active) throw new OperatorError('key_over', `key ${id} is revoked or expired: create a new one`)
  const made = await createKey(sql, secrets, {
    role: old.role,
    plan: old.plan,
    label: old.label,
    testNetworks: old.test_networks,
    account: old.account,
  })
  const oldExpiresAt = new Date(Date.now() + graceMs)
  const expiry = oldExpiresAt.toISOString()
  await sql`
    update api_key
    set expires_at = least(coalesce(expires_at, ${expiry}::timestamptz), ${expiry}::timestamptz), changed_at = clock_timestamp()
    where id = ${id}`
  await sql`select pg_notify(${KEYS_CHANNEL}, '')`
  return { ...made, oldExpiresAt }
}

/** Every server knows within seconds. */
export async function revokeKey(sql: AccessDb, id: string): Promise<void> {
  const rows = await sql`
    update api_key
    set revoked_at = coalesce(revoked_at, now()), changed_at = clock_timestamp()
    where id = ${id}
    returning id`
  if (rows.length === 0) throw unknownKey(id)
  await sql`select pg_notify(${KEYS_CHANNEL}, '')`
}

export type ListedKey = KeyRow & { last_used: string | null }

export function listKeys(sql: AccessDb): Promise<ListedKey[]> {
  return sql<ListedKey[]>`
    select k.id, k.account, k.role, k.plan, k.label, k.test_networks, k.prefix, k.last4, k.created_at, k.expires_at, k.revoked_at,
           (select max(u.day) from api_usage u where u.key_id = k.id) as last_used
    from api_key k
    order by k.created_at, k.id`
}

/** Keys that changed since the time of the database's own clock; all of them without one. */
export function readKeys(sql: AccessDb, since?: string): Promise<KeySnapshotRow[]> {
  return sql<KeySnapshotRow[]>`
    select id, account, role, plan, label, test_networks, digest, expires_at, revoked_at, changed_at
    from api_key
    ${since === undefined ? sql`` : sql`where changed_at > ${since}::timestamptz - interval '10 seconds'`}`
}

function unknownKey(id: string): OperatorError {
  return new OperatorError('unknown_key', `there is no key ${id}: \`astrolabe keys list\` shows all of them`)
}
