import type { Db } from '../store/db.ts'
import { readSchemaVersion } from '../store/inspect.ts'
import { readMigrations } from '../store/migrate.ts'
import { findHead, type Head } from '../store/read/head.ts'
import { findSourceHead, type SourceHeadRow } from '../store/read/source-head.ts'
import type { CheckResult, ReadyCheck } from './server.ts'

export type NetworkHealthOptions = {
  name: string
  db: Db
  /** this process writes the index, or stands by to */
  isIndexer: boolean
  /** once caught up, the index may be this far behind its source */
  maxLagSeconds: number
  /** an API process is of no use with a head older than this; undefined: of use with any */
  maxServedAgeSeconds?: number | undefined
  now?: () => number
}

export type Lag = {
  height: number
  sourceHeight: number | undefined
  lagBlocks: number
  /** block time, so that a recorded chain has none at its end */
  lagSeconds: number
  /** since the indexer last heard from its source */
  seenSeconds: number
}

/** Whether one network is served and followed: its schema, its database, how far the index is behind its source. */
export class NetworkHealth {
  readonly #options: NetworkHealthOptions
  #known: number | undefined
  #hasCaughtUp = false

  constructor(options: NetworkHealthOptions) {
    this.#options = options
  }

  checks(): ReadyCheck[] {
    const { name } = this.#options
    return [
      { name: `${name}.schema`, run: () => this.#checkSchema() },
      { name: `${name}.head`, run: () => this.#checkHead() },
    ]
  }

  /** Undefined before the first block. */
  async readLag(): Promise<Lag | undefined> {
    const { db } = this.#options
    const [head, source] = await Promise.all([findHead(db), findSourceHead(db)])
    if (!head) return undefined
    const lag = lagOf(head, source, (this.#options.now ?? Date.now)())
    if (lag.lagBlocks <= 1) this.#hasCaughtUp = true
    return lag
  }

  /** A schema that is older or newer than the program gives wrong answers, or none. */
  async #checkSchema(): Promise<CheckResult> {
    this.#known ??= (await readMigrations('network')).at(-1)?.version ?? 0
    const version = await readSchemaVersion(this.#options.db)
    return { ok: version === this.#known, version, expected: this.#known }
  }

  async #checkHead(): Promise<CheckResult> {
    const lag = await this.readLag()
    if (!lag) return { ok: false, reason: 'nothing is indexed yet' }
    const { maxLagSeconds, maxServedAgeSeconds, isIndexer } = this.#options
    const age = Math.max(lag.lagSeconds, lag.seenSeconds)
    const facts = { height: lag.height, node_height: lag.sourceHeight, lag_blocks: lag.lagBlocks, age_seconds: age }
    // While it catches up for the first time an indexer does what it should.
    if (isIndexer) return { ok: !this.#hasCaughtUp || age <= maxLagSeconds, synced: this.#hasCaughtUp, ...facts }
    return { ok: maxServedAgeSeconds === undefined || age <= maxServedAgeSeconds, ...facts }
  }
}

function lagOf(head: Head, source: SourceHeadRow | undefined, now: number): Lag {
  const ahead = source && source.height > head.last_height ? source : undefined
  return {
    height: head.last_height,
    sourceHeight: source?.height,
    lagBlocks: ahead ? ahead.height - head.last_height : 0,
    lagSeconds: ahead ? Math.max(0, Math.round((Date.parse(ahead.time) - Date.parse(head.last_time)) / 1000)) : 0,
    seenSeconds: source ? Math.max(0, Math.round((now - Date.parse(source.seen_at)) / 1000)) : 0,
  }
}
