import { OperatorError } from '../../lib/errors.ts'
import type { AccessDb, AccessTx } from './db.ts'
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

/** `text` is here and nowhere else. */
export type MadeKey = { id: string; account: string; text: string; expiresAt: Date | undefined }

export function createKey(sql: AccessDb, secrets: KeySecrets, key: NewKey): Promise<MadeKey> {
  return sql.begin(async (tx) => {
    const { account } = key
    if (account !== undefined && (await tx`select from api_key where account = ${account} limit 1`).length === 0)
      throw new OperatorError('unknown_account', `there is no account ${account}: \`astrolabe keys list\` shows all of them`)
    return insertKey(tx, secrets, key)
  })
}

async function insertKey(
  tx: AccessTx,
  secrets: KeySecrets,
  { role, plan, label, testNetworks = false, expiresAt, account = `acc_${randomBase62(10)}` }: NewKey,
): Promise<MadeKey> {
  const { text, prefix, last4 } = makeKeyText(secrets.environment)
  const id = randomBase62(10)
  // One rotation of an account at a time, or two of them would make three keys.
  await tx`select pg_advisory_xact_lock(hashtext(${`api_key ${account}`}))`
  const [row] = await tx<{ active: number }[]>`
    select count(*) as active
    from api_key
    where account = ${account} and revoked_at is null and (expires_at is null or expires_at > now())`
  if (row!.active >= ACTIVE_KEYS)
    throw new OperatorError('too_many_keys', `account ${account} has ${ACTIVE_KEYS} active keys already: revoke one first`)
  await tx`
    insert into api_key (id, account, role, plan, label, test_networks, digest, prefix, last4, expires_at)
    values (${id}, ${account}, ${role}, ${plan}, ${label}, ${testNetworks}, ${digestKey(secrets.pepper, text)}, ${prefix}, ${last4},
            ${expiresAt?.toISOString() ?? null})`
  await tx`select pg_notify(${KEYS_CHANNEL}, '')`
  return { id, account, text, expiresAt }
}

/**
 * A second key for the same account, for as long as the first one was for; that one works on for the time of grace. Both or neither: a
 * new key whose old one never ends would be a leak.
 */
export function rotateKey(
  sql: AccessDb,
  secrets: KeySecrets,
  id: string,
  graceMs: number,
): Promise<MadeKey & { oldExpiresAt: Date }> {
  return sql.begin(async (tx) => {
    const [old] = await tx<(KeyRow & { active: boolean })[]>`
      select id, account, role, plan, label, test_networks, expires_at,
             revoked_at is null and (expires_at is null or expires_at > now()) as active
      from api_key
      where id = ${id}`
    if (!old) throw unknownKey(id)
    if (!old.active) throw new OperatorError('key_inactive', `key ${id} is revoked or expired: create a new one`)
    const made = await insertKey(tx, secrets, {
      role: old.role,
      plan: old.plan,
      label: old.label,
      testNetworks: old.test_networks,
      expiresAt: old.expires_at === null ? undefined : new Date(old.expires_at),
      account: old.account,
    })
    const oldExpiresAt = new Date(Math.min(Date.now() + graceMs, old.expires_at === null ? Infinity : Date.parse(old.expires_at)))
    await tx`
      update api_key
      set expires_at = ${oldExpiresAt.toISOString()}, changed_at = clock_timestamp()
      where id = ${id}`
    return { ...made, oldExpiresAt }
  })
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
