import { BadRequest, HttpError } from '../api/http/errors.ts'
import { OperatorError } from '../lib/errors.ts'
import { type AccountPage, type AccountRow, changePlan, listAccounts } from '../store/access/accounts.ts'
import { type Actor, type Change, type ChangePage, type ChangeRow, listChanges, noteChange } from '../store/access/change-log.ts'
import {
  createKey,
  findKeyRole,
  type KeyRestrictions,
  type KeyRole,
  type KeySecrets,
  type ListedKey,
  listKeys,
  type MadeKey,
  revokeKey,
  rotateKey,
} from '../store/access/keys.ts'
import { listUsage, type UsageRow } from '../store/access/usage.ts'
import type { SqlPool } from '../store/db.ts'
import { listWebhooks, type WebhookRow } from '../store/webhooks/subscriptions.ts'
import { type KnownNames, readRestrictions } from './restrictions.ts'

export type AccountManagerParts = {
  sql: SqlPool
  secrets: KeySecrets
  /** names of the plans of the configuration */
  plans: readonly string[]
  /** asked when the first key with restrictions is made */
  knownNames: () => KnownNames
  /** of the old key after a rotation, when nothing else is asked for */
  graceHours: number
}

export type KeyWish = {
  name: string
  plan: string
  role?: KeyRole
  testNetworks?: boolean | undefined
  expiresAt?: Date | undefined
  restrictions?: KeyRestrictions | undefined
  /** absent: a new one */
  account?: string | undefined
}

/** Days that usage is told for. */
export const USAGE_DAYS = 31

const HOUR_MS = 3_600_000

/** Accounts and their keys: the one way to change them, for commands, owners and operators. Every change is logged with its author. */
export class AccountManager {
  readonly #parts: AccountManagerParts

  constructor(parts: AccountManagerParts) {
    this.#parts = parts
  }

  async createKey(wish: KeyWish, by: Actor): Promise<MadeKey> {
    const { name, plan, role = 'client', testNetworks = false, expiresAt, restrictions = {}, account } = wish
    this.#checkPlan(plan)
    if (expiresAt && !(expiresAt.getTime() > Date.now()))
      throw new OperatorError('bad_expiry', 'the end of a key is a time in the future, as 2027-01-31')
    const { sql, secrets, knownNames } = this.#parts
    const kept = Object.keys(restrictions).length === 0 ? {} : readRestrictions(restrictions, knownNames())
    const key = {
      role,
      plan,
      label: name,
      testNetworks,
      expiresAt,
      restrictions: kept,
      ...(account !== undefined && { account }),
    }
    return createKey(sql, secrets, key, by)
  }

  rotateKey(id: string, by: Actor, graceHours = this.#parts.graceHours): Promise<MadeKey & { oldExpiresAt: Date }> {
    return rotateKey(this.#parts.sql, this.#parts.secrets, id, graceHours * HOUR_MS, by)
  }

  revokeKey(id: string, by: Actor, options?: { keepsOwner: boolean }): Promise<void> {
    return revokeKey(this.#parts.sql, id, by, options)
  }

  async changePlan(account: string, plan: string, by: Actor): Promise<void> {
    this.#checkPlan(plan)
    await changePlan(this.#parts.sql, account, plan, by)
  }

  #checkPlan(plan: string): void {
    const { plans } = this.#parts
    if (!plans.includes(plan))
      throw new OperatorError('unknown_plan', `there is no plan ${plan}: the configuration has ${plans.join(', ')}`)
  }

  /** Throws 404: keys of others are unknown. */
  async ownKey(account: string, id: string): Promise<ListedKey> {
    const key = (await this.keys(account)).find((each) => each.id === id)
    if (!key) throw new HttpError(404, 'unknown_key', `the account has no key ${id}`)
    return key
  }

  /** Throws 404 or 403: keys with a role are made and revoked by the command alone. */
  async checkClientKey(id: string): Promise<void> {
    const role = await findKeyRole(this.#parts.sql, id)
    if (role === undefined) throw new HttpError(404, 'unknown_key', `there is no key ${id}`)
    if (role !== 'client')
      throw new HttpError(403, 'key_of_operator', `key ${id} has role ${role}: \`astrolabe keys\` changes it`)
  }

  /** Accounts of callers alone; throws 404. */
  async account(account: string): Promise<AccountRow> {
    const [row] = await listAccounts(this.#parts.sql, { limit: 1, account })
    if (!row) throw new HttpError(404, 'unknown_account', `there is no account ${account}`)
    return row
  }

  accounts(page: AccountPage): Promise<AccountRow[]> {
    return listAccounts(this.#parts.sql, page)
  }

  /** Oldest first; of all accounts when none is named. */
  keys(account?: string): Promise<ListedKey[]> {
    return listKeys(this.#parts.sql, account)
  }

  usage(account: string): Promise<UsageRow[]> {
    return listUsage(this.#parts.sql, account, USAGE_DAYS)
  }

  webhooks(account: string): Promise<WebhookRow[]> {
    return listWebhooks(this.#parts.sql, { account })
  }

  /** Logs a change that was made elsewhere. */
  noteChange(change: Change, by: Actor): Promise<void> {
    return noteChange(this.#parts.sql, by, change)
  }

  changes(page: ChangePage): Promise<ChangeRow[]> {
    return listChanges(this.#parts.sql, page)
  }
}

const STATUS: Record<string, number> = {
  unknown_key: 404,
  unknown_account: 404,
  key_inactive: 409,
  key_replaced: 409,
  last_key: 409,
  too_many_keys: 403,
  other_role: 409,
}

const PARAMS: Record<string, string> = { unknown_plan: 'plan', bad_expiry: 'expires_at' }

/** Refusals of the manager as answers over HTTP; anything else as it is. */
export function toHttpError(error: unknown): unknown {
  if (!(error instanceof OperatorError)) return error
  const { code, message } = error
  if (code in PARAMS) return new BadRequest(message, PARAMS[code], code)
  return code in STATUS ? new HttpError(STATUS[code]!, code, message) : error
}
