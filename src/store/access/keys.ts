import { OperatorError } from '../../lib/errors.ts'
import type { SqlPool } from '../db.ts'
import { optional } from '../sql/fragment.ts'
import type { Sql } from '../sql/statement.ts'
import { type Actor, localUser, noteChange } from './change-log.ts'
import { makeKeyText, randomBase62 } from './key-text.ts'
import { digestKey } from './pepper.ts'

/** `client` keys belong to callers of the key surface, the others to people who work with the operator's API. */
export type KeyRole = 'client' | 'operator' | 'admin'

export const KEYS_CHANNEL = 'astrolabe_keys'

/** Keys of an account that may be in use at a time, and that may be made in a day: all servers hold all keys in memory. */
const ACTIVE_KEYS = 20
const KEYS_PER_DAY = 100

export type KeySecrets = { environment: string; pepper: string }

/** Each list bounds where or for what a key may be used; an absent one does not. */
export type KeyRestrictions = {
  /** `Origin` of browsers */
  origins?: string[]
  /** addresses and CIDR ranges of clients */
  addresses?: string[]
  networks?: string[]
  /** operation ids of the key surface */
  operations?: string[]
}

export type NewKey = {
  role: KeyRole
  plan: string
  label: string
  testNetworks?: boolean
  expiresAt?: Date | undefined
  restrictions?: KeyRestrictions | undefined
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
  restrictions: KeyRestrictions
  prefix: string
  last4: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  /** key that a rotation made in its place */
  replaced_by: string | null
}

export type KeySnapshotRow = Pick<
  KeyRow,
  'id' | 'account' | 'role' | 'plan' | 'label' | 'test_networks' | 'restrictions' | 'expires_at' | 'revoked_at'
> & { digest: Buffer; changed_at: string }

/** `text` is here and nowhere else. */
export type MadeKey = { id: string; account: string; text: string; expiresAt: Date | undefined }

export function createKey(sql: SqlPool, secrets: KeySecrets, key: NewKey, by: Actor = localUser()): Promise<MadeKey> {
  return sql.begin(async (tx) => {
    const { account } = key
    if (account !== undefined) {
      const [known] = await tx<{ role: KeyRole }[]>`select role from api_key where account = ${account} limit 1`
      if (!known) throw unknownAccount(account)
      if (known.role !== key.role)
        throw new OperatorError(
          'other_role',
          `account ${account} has keys of role ${known.role}: another role needs its own account`,
        )
    }
    const made = await insertKey(tx, secrets, key)
    const { role, plan, label, testNetworks = false, restrictions = {} } = key
    await noteChange(tx, by, {
      action: 'create_key',
      account: made.account,
      keyId: made.id,
      details: { role, plan, name: label, test_networks: testNetworks, restrictions, expires_at: made.expiresAt ?? null },
    })
    return made
  })
}

async function insertKey(
  tx: Sql,
  secrets: KeySecrets,
  { role, plan, label, testNetworks = false, expiresAt, restrictions = {}, account = `acc_${randomBase62(10)}` }: NewKey,
): Promise<MadeKey> {
  const { text, prefix, last4 } = makeKeyText(secrets.environment)
  const id = randomBase62(10)
  await lockAccount(tx, account)
  const [row] = await tx<{ active: number; today: number }[]>`
    select count(*) filter (where ${isActive(tx)}) as active, count(*) filter (where created_at > now() - interval '1 day') as today
    from api_key
    where account = ${account}`
  if (row!.active >= ACTIVE_KEYS)
    throw new OperatorError('too_many_keys', `account ${account} has ${ACTIVE_KEYS} active keys already: revoke one first`)
  if (row!.today >= KEYS_PER_DAY)
    throw new OperatorError(
      'too_many_keys',
      `account ${account} was given ${KEYS_PER_DAY} keys within a day: wait until tomorrow`,
    )
  await tx`
    insert into api_key (id, account, role, plan, label, test_networks, restrictions, digest, prefix, last4, expires_at)
    values (${id}, ${account}, ${role}, ${plan}, ${label}, ${testNetworks}, ${JSON.stringify(restrictions)}::jsonb,
            ${digestKey(secrets.pepper, text)}, ${prefix}, ${last4}, ${expiresAt?.toISOString() ?? null})`
  await announceKeys(tx)
  return { id, account, text, expiresAt }
}

/**
 * A second key for the same account, for as long as the first one was for; that one works on for the time of grace. Both or neither: a
 * new key whose old one never ends would be a leak.
 */
export function rotateKey(
  sql: SqlPool,
  secrets: KeySecrets,
  id: string,
  graceMs: number,
  by: Actor = localUser(),
): Promise<MadeKey & { oldExpiresAt: Date }> {
  return sql.begin(async (tx) => {
    const old = await lockKey(tx, id)
    if (!old.active) throw new OperatorError('key_inactive', `key ${id} is revoked or expired: create a new one`)
    if (old.replaced_by !== null)
      throw new OperatorError('key_replaced', `key ${id} was rotated already: rotate its successor ${old.replaced_by}`)
    const made = await insertKey(tx, secrets, {
      role: old.role,
      plan: old.plan,
      label: old.label,
      testNetworks: old.test_networks,
      restrictions: old.restrictions,
      expiresAt: old.expires_at === null ? undefined : new Date(old.expires_at),
      account: old.account,
    })
    const oldExpiresAt = new Date(Math.min(Date.now() + graceMs, old.expires_at === null ? Infinity : Date.parse(old.expires_at)))
    await tx`
      update api_key
      set expires_at = ${oldExpiresAt.toISOString()}, replaced_by = ${made.id}, changed_at = clock_timestamp()
      where id = ${id}`
    const details = { new_key: made.id, old_key_until: oldExpiresAt.toISOString() }
    await noteChange(tx, by, { action: 'rotate_key', account: old.account, keyId: id, details })
    return { ...made, oldExpiresAt }
  })
}

/**
 * Every server knows within seconds. `keepsOwner`: refused for the last key with which the account can still change its keys.
 */
export function revokeKey(
  sql: SqlPool,
  id: string,
  by: Actor = localUser(),
  { keepsOwner = false }: { keepsOwner?: boolean } = {},
): Promise<void> {
  return sql.begin(async (tx) => {
    const { account } = await lockKey(tx, id)
    if (keepsOwner) {
      const others = await tx`
        select from api_key
        where account = ${account} and id <> ${id} and replaced_by is null and restrictions = '{}' and ${isActive(tx)}
        limit 1`
      if (others.length === 0)
        throw new OperatorError(
          'last_key',
          `key ${id} is the last one that can change the keys of the account: rotate it instead`,
        )
    }
    const revoked = await tx`
      update api_key
      set revoked_at = now(), changed_at = clock_timestamp()
      where id = ${id} and revoked_at is null
      returning id`
    if (revoked.length === 0) return
    await noteChange(tx, by, { action: 'revoke_key', account, keyId: id })
    await announceKeys(tx)
  })
}

/** Changes of the keys of an account happen one at a time: two rotations at once would make two successors. */
export async function lockAccount(tx: Sql, account: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext(${`api_key ${account}`}))`
}

/** Has all servers read the keys that changed, when the transaction commits. */
export async function announceKeys(tx: Sql): Promise<void> {
  await tx`select pg_notify(${KEYS_CHANNEL}, '')`
}

type LockedKey = Pick<
  KeyRow,
  'account' | 'role' | 'plan' | 'label' | 'test_networks' | 'restrictions' | 'expires_at' | 'replaced_by'
> & { active: boolean }

async function lockKey(tx: Sql, id: string): Promise<LockedKey> {
  const [found] = await tx<{ account: string }[]>`select account from api_key where id = ${id}`
  if (!found) throw unknownKey(id)
  await lockAccount(tx, found.account)
  const [key] = await tx<LockedKey[]>`
    select account, role, plan, label, test_networks, restrictions, expires_at, replaced_by, ${isActive(tx)} as active
    from api_key
    where id = ${id}`
  return key!
}

export const isActive = (sql: Sql) => sql`(revoked_at is null and (expires_at is null or expires_at > now()))`

export type ListedKey = KeyRow & { last_used: string | null }

/** Oldest first; of one account when it is named. */
export function listKeys(sql: SqlPool, account?: string): Promise<ListedKey[]> {
  return sql<ListedKey[]>`
    select k.id, k.account, k.role, k.plan, k.label, k.test_networks, k.restrictions, k.prefix, k.last4, k.created_at, k.expires_at,
           k.revoked_at, k.replaced_by, (select max(u.day) from api_usage u where u.key_id = k.id) as last_used
    from api_key k
    ${optional`where k.account = ${account}`}
    order by k.created_at, k.id`
}

export async function findKeyRole(sql: SqlPool, id: string): Promise<KeyRole | undefined> {
  const [key] = await sql<{ role: KeyRole }[]>`select role from api_key where id = ${id}`
  return key?.role
}

/** Keys that changed since the time of the database's own clock; all of them without one. */
export function readKeys(sql: SqlPool, since?: string): Promise<KeySnapshotRow[]> {
  return sql<KeySnapshotRow[]>`
    select id, account, role, plan, label, test_networks, restrictions, digest, expires_at, revoked_at, changed_at
    from api_key
    ${optional`where changed_at > ${since}::timestamptz - interval '10 seconds'`}`
}

function unknownKey(id: string): OperatorError {
  return new OperatorError('unknown_key', `there is no key ${id}: \`astrolabe keys list\` shows all of them`)
}

export function unknownAccount(account: string): OperatorError {
  return new OperatorError('unknown_account', `there is no account ${account}: \`astrolabe keys list\` shows all of them`)
}
