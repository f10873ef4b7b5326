import { timingSafeEqual } from 'node:crypto'
import type { SqlPool } from '../db.ts'
import { isKeyText } from './key-text.ts'
import { KEYS_CHANNEL, type KeyRestrictions, type KeyRole, type KeySecrets, type KeySnapshotRow, readKeys } from './keys.ts'
import { digestKey } from './pepper.ts'

/** A key that may be used now. */
export type ActiveKey = {
  id: string
  account: string
  role: KeyRole
  plan: string
  label: string
  testNetworks: boolean
  restrictions: KeyRestrictions
  /** milliseconds of the wall clock; infinite without an end */
  expiresAt: number
}

export type KeyFailure = 'malformed' | 'unknown' | 'revoked' | 'expired'

type Known = ActiveKey & { digest: Buffer; revoked: boolean }

export type KeyRingOptions = {
  /** A change is seen by a notice at once, by this poll at the latest; revocation must hold everywhere within 5 s. */
  pollMs?: number
  /** everything is read again, which also drops rows that were deleted by hand */
  reloadMs?: number
  /** a replica, read from until the database itself has answered once; never later, as it may not know yet what was revoked */
  copy?: SqlPool
  /** wall clock, for expiry */
  now?: () => number
  onError?: (error: unknown) => void
}

/**
 * All keys in memory, followed from the database: a request with a key costs one HMAC and no query, and keys keep working while the
 * database is away. Keys are found by their digest, so that the time taken says nothing about how near a wrong key was.
 */
export class KeyRing {
  readonly #sql: SqlPool
  readonly #secrets: KeySecrets
  readonly #options: Required<Omit<KeyRingOptions, 'copy'>>
  #copy: SqlPool | undefined
  #byDigest = new Map<string, Known>()
  #byId = new Map<string, Known>()
  #lastChange: string | undefined
  #loadedAt = 0
  #isLoaded = false
  #reading: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #unlisten: (() => Promise<void>) | undefined
  #stopped = false

  constructor(sql: SqlPool, secrets: KeySecrets, options: KeyRingOptions = {}) {
    this.#sql = sql
    this.#secrets = secrets
    this.#copy = options.copy
    this.#options = { pollMs: 1000, reloadMs: 60_000, now: Date.now, onError: () => {}, ...options }
  }

  /** False until the keys were read once: until then nobody can say whether a key is right. */
  get isLoaded(): boolean {
    return this.#isLoaded
  }

  /** Reads the keys and follows them until `stop`. A database that is away does not keep a server from starting. */
  async start(): Promise<void> {
    await this.refresh().catch(this.#options.onError)
    this.#poll()
    this.#sql
      .listen(KEYS_CHANNEL, () => {
        this.refresh().catch(this.#options.onError)
      })
      .then((unlisten) => {
        if (this.#stopped) return unlisten()
        this.#unlisten = unlisten
      })
      // The poll does without notices.
      .catch(this.#options.onError)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#unlisten?.().catch(() => {})
    await this.#reading?.catch(() => {})
  }

  /** Reads what changed; calls that come meanwhile wait for the next read, so that they see what happened before them. */
  async refresh(): Promise<void> {
    await this.#reading?.catch(() => {})
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    await this.#reading
  }

  find(text: string): ActiveKey | KeyFailure {
    if (!isKeyText(text, this.#secrets.environment)) return 'malformed'
    const digest = digestKey(this.#secrets.pepper, text)
    const known = this.#byDigest.get(digest.toString('base64'))
    if (!known || !timingSafeEqual(known.digest, digest)) return 'unknown'
    if (known.revoked) return 'revoked'
    if (known.expiresAt <= this.#options.now()) return 'expired'
    return known
  }

  /** Plan of a key that has ended, which says what to renew. */
  planOf(text: string): string | undefined {
    return this.#byDigest.get(digestKey(this.#secrets.pepper, text).toString('base64'))?.plan
  }

  /** Milliseconds until a key ends. */
  timeLeft({ expiresAt }: ActiveKey): number {
    return expiresAt - this.#options.now()
  }

  /** Whether a key that was found before may still be used. */
  isActive(id: string): boolean {
    const known = this.#byId.get(id)
    return known !== undefined && !known.revoked && known.expiresAt > this.#options.now()
  }

  async #read(): Promise<void> {
    const now = this.#options.now()
    const isReload = !this.#isLoaded || this.#copy !== undefined || now - this.#loadedAt >= this.#options.reloadMs
    const rows = await this.#readRows(isReload ? undefined : this.#lastChange)
    const keys = isReload ? new Map<string, Known>() : this.#byDigest
    const byId = isReload ? new Map<string, Known>() : this.#byId
    for (const row of rows) {
      const known: Known = {
        id: row.id,
        account: row.account,
        role: row.role,
        plan: row.plan,
        label: row.label,
        testNetworks: row.test_networks,
        restrictions: row.restrictions,
        digest: row.digest,
        expiresAt: row.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.expires_at),
        revoked: row.revoked_at !== null,
      }
      keys.set(row.digest.toString('base64'), known)
      byId.set(row.id, known)
      if (this.#lastChange === undefined || row.changed_at > this.#lastChange) this.#lastChange = row.changed_at
    }
    this.#byDigest = keys
    this.#byId = byId
    this.#isLoaded = true
    if (isReload) this.#loadedAt = now
  }

  async #readRows(since: string | undefined): Promise<KeySnapshotRow[]> {
    const copy = this.#copy
    if (!copy) return readKeys(this.#sql, since)
    try {
      const rows = await readKeys(this.#sql)
      this.#copy = undefined
      return rows
    } catch {
      return readKeys(copy)
    }
  }

  #poll(): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => {
      this.refresh()
        .catch(this.#options.onError)
        .finally(() => this.#poll())
    }, this.#options.pollMs)
    this.#timer.unref()
  }
}
