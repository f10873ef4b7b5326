import type { Db } from '../store/db.ts'
import { readMigrations } from '../store/migrations/migrate.ts'
import { findHead, type Head } from '../store/read/head/head.ts'
import { findSourceHead, type SourceHeadRow } from '../store/read/head/source-head.ts'
import { findStateProof } from '../store/read/head/state-proof.ts'
import { findVerified } from '../store/read/head/verified.ts'
import { readSchemaVersion } from '../store/replicas/inspect.ts'
import type { Newest, ReadServers } from '../store/replicas/read-servers.ts'
import type { CheckResult, ReadyCheck } from './server.ts'

export type NetworkHealthOptions = {
  name: string
  db: Db
  /** where there are several to read from; `db` is the one that is chosen */
  servers?: ReadServers | undefined
  /** this process writes the index, or stands by to */
  isIndexer: boolean
  /** blocks come from nodes, so that their times can be compared with this machine's clock; a recording is as old as it is */
  isLive: boolean
  /** once caught up, the newest block may be this old, or this far behind the source */
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
  /** of the newest block that is indexed, by its own time; undefined for a recording */
  headAgeSeconds: number | undefined
  /** the index has all that its source has, the source answers, and no block came for longer than allowed */
  isChainStill: boolean
}

/** Whether one network is served and followed: its schema, its database, how far the index is behind its source. */
export class NetworkHealth {
  readonly #options: NetworkHealthOptions
  #known: number | undefined
  #hasCaughtUp = false
  #source: { height: number; since: number } | undefined

  constructor(options: NetworkHealthOptions) {
    this.#options = options
  }

  checks(): ReadyCheck[] {
    const { name, servers } = this.#options
    return [
      { name: `${name}.schema`, run: () => this.#checkSchema() },
      { name: `${name}.head`, run: () => this.#checkHead() },
      ...(servers ? [{ name: `${name}.servers`, run: async () => checkServers(servers) }] : []),
    ]
  }

  /** Undefined before the first block. */
  async readLag(): Promise<Lag | undefined> {
    const { db, servers } = this.#options
    const [head, shown] = await Promise.all([findHead(db), findSourceHead(db)])
    if (!head) return undefined
    const now = (this.#options.now ?? Date.now)()
    // A server that is behind does not know what it misses: the others do.
    const lag = lagOf(head, newerOf(shown, servers?.newest()), now)
    if (lag.lagBlocks <= 1) this.#hasCaughtUp = true
    const headAgeSeconds = this.#options.isLive ? secondsSince(head.last_time, now) : undefined
    return { ...lag, headAgeSeconds, isChainStill: this.#isStill(lag, headAgeSeconds, now) }
  }

  /** A node that is itself catching up has old blocks too, but new ones all the time. */
  #isStill({ sourceHeight, lagBlocks, seenSeconds }: SourceLag, headAge: number | undefined, now: number): boolean {
    if (sourceHeight === undefined || headAge === undefined) return false
    if (this.#source?.height !== sourceHeight) this.#source = { height: sourceHeight, since: now }
    const { maxLagSeconds } = this.#options
    const stillSeconds = Math.min(headAge, (now - this.#source.since) / 1000)
    return lagBlocks === 0 && seenSeconds <= maxLagSeconds && stillSeconds > maxLagSeconds
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
    const age = Math.max(lag.lagSeconds, lag.seenSeconds, lag.headAgeSeconds ?? 0)
    const facts = { height: lag.height, node_height: lag.sourceHeight, lag_blocks: lag.lagBlocks, age_seconds: age }
    // An index that was never compared with proofs is as ready as any: not every node gives them.
    const [proof, verified] = await Promise.all([findStateProof(this.#options.db), findVerified(this.#options.db)])
    // While it catches up for the first time an indexer does what it should.
    const limit = isIndexer ? (this.#hasCaughtUp ? maxLagSeconds : undefined) : maxServedAgeSeconds
    const isOk = limit === undefined || age <= limit
    return {
      ok: isOk,
      ...(isIndexer && { synced: this.#hasCaughtUp }),
      ...facts,
      ...(verified && { verified_height: verified.height }),
      ...(proof && { state_proven: proof }),
      ...(!isOk && { reason: explainAge(lag, limit) }),
    }
  }
}

function explainAge({ lagBlocks, lagSeconds, seenSeconds, headAgeSeconds, isChainStill }: Lag, limit: number): string {
  if (seenSeconds > limit) return `no node has answered for ${seenSeconds} s`
  if (isChainStill) return `the chain stands still: no node has a block newer than ${headAgeSeconds} s`
  if (lagSeconds > limit) return `the index is ${lagBlocks} blocks and ${lagSeconds} s behind its source`
  return `the newest block is ${headAgeSeconds} s old: the nodes are behind their chain, or it stands still`
}

type SourceLag = Omit<Lag, 'headAgeSeconds' | 'isChainStill'>

function newerOf(shown: SourceHeadRow | undefined, newest: Newest | undefined): SourceHeadRow | undefined {
  if (!newest || (shown && shown.height >= newest.height)) return shown
  const { height, time, seenAt } = newest
  return { height, time: time ?? shown?.time ?? '', seen_at: seenAt ?? shown?.seen_at ?? '' }
}

/** One that is down is named; as long as another can be read from, the process is of use. */
function checkServers(servers: ReadServers): CheckResult {
  const states = servers.states()
  const used = states.find(({ isUsed }) => isUsed)
  const down = states.flatMap(({ place, trouble }) => (trouble === undefined ? [] : [{ server: place, reason: trouble }]))
  return {
    ok: used !== undefined,
    reading_from: used?.place ?? null,
    ...(down.length > 0 && { down }),
    ...(!used && { reason: servers.explain() }),
    servers: states.map(({ place, role, isUp, height, lagBlocks, lagSeconds }) => ({
      server: place,
      role,
      up: isUp,
      height: height ?? null,
      lag_blocks: lagBlocks,
      lag_seconds: Math.round(lagSeconds * 10) / 10,
    })),
  }
}

function lagOf(head: Head, source: SourceHeadRow | undefined, now: number): SourceLag {
  const ahead = source && source.height > head.last_height ? source : undefined
  return {
    height: head.last_height,
    sourceHeight: source?.height,
    lagBlocks: ahead ? ahead.height - head.last_height : 0,
    lagSeconds: ahead ? secondsBetween(head.last_time, ahead.time) : 0,
    seenSeconds: source ? secondsSince(source.seen_at, now) : 0,
  }
}

const secondsBetween = (from: string, to: string): number =>
  Math.max(0, Math.round((Date.parse(to || from) - Date.parse(from)) / 1000))

function secondsSince(time: string, now: number): number {
  return time === '' ? 0 : Math.max(0, Math.round((now - Date.parse(time)) / 1000))
}
