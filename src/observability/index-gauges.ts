import type { Db } from '../store/db.ts'
import { findStateProof } from '../store/read/head/state-proof.ts'
import { countConnections, countUnknown, listUnknownTypes } from '../store/read/unknown.ts'
import type { ReadServers } from '../store/replicas/read-servers.ts'
import type { Metrics } from './metrics.ts'
import type { NetworkHealth } from './network-health.ts'

/** Different words for types of messages that nobody knows: a label must not grow without bound. */
const MAX_TYPES = 50

/** Sources are asked every second or so. */
const SILENCE_SECONDS = 15

export type GaugedNetwork = { name: string; db: Db; health: NetworkHealth; servers?: ReadServers | undefined }

/** Gauges read from the database when metrics are scraped: any process that serves a network can report them. */
export class IndexGauges {
  readonly #metrics: Metrics
  readonly #networks: readonly GaugedNetwork[]
  readonly #seen = new Map<string, { height: number; messages: number; txs: number }>()
  readonly #types = new Set<string>()
  readonly #now: () => number

  constructor(metrics: Metrics, networks: readonly GaugedNetwork[], now: () => number = Date.now) {
    this.#metrics = metrics
    this.#networks = networks
    this.#now = now
  }

  async update(): Promise<void> {
    for (const { name, servers } of this.#networks) if (servers) this.#updateServers(name, servers)
    await Promise.allSettled(this.#networks.map((network) => this.#updateNetwork(network)))
    const [first] = this.#networks
    if (first) await this.#updateConnections(first.db)
  }

  #updateServers(network: string, servers: ReadServers): void {
    for (const { place: server, isUp, isUsed, lagBlocks, lagSeconds } of servers.states()) {
      this.#metrics.serverUp.set({ network, server }, isUp ? 1 : 0)
      this.#metrics.serverUsed.set({ network, server }, isUsed ? 1 : 0)
      this.#metrics.serverLagBlocks.set({ network, server }, lagBlocks)
      this.#metrics.serverLagSeconds.set({ network, server }, lagSeconds)
    }
  }

  async #updateNetwork({ name: network, db, health }: GaugedNetwork): Promise<void> {
    const startedAt = performance.now()
    const lag = await health.readLag()
    this.#metrics.dbPoolWait.observe({ network }, (performance.now() - startedAt) / 1000)
    if (!lag) return
    this.#metrics.headHeight.set({ network }, lag.height)
    if (lag.sourceHeight !== undefined) this.#metrics.nodeHeadHeight.set({ network }, lag.sourceHeight)
    this.#metrics.lagBlocks.set({ network }, lag.lagBlocks)
    // Of a source that is silent nobody knows how far ahead it is: the silence itself is the lag.
    this.#metrics.lagSeconds.set({ network }, Math.max(lag.lagSeconds, lag.seenSeconds > SILENCE_SECONDS ? lag.seenSeconds : 0))
    if (lag.headAgeSeconds !== undefined) this.#metrics.headAge.set({ network }, lag.headAgeSeconds)
    this.#metrics.chainStill.set({ network }, lag.isChainStill ? 1 : 0)
    const proof = await findStateProof(db)
    if (proof) {
      this.#metrics.stateProvenHeight.set({ network }, proof.height)
      this.#metrics.stateProvenAt.set({ network }, Date.parse(proof.proven_at) / 1000)
      this.#metrics.stateProvenRecords.set({ network }, proof.records)
    }
    const seen = this.#seen.get(network)
    if (seen && seen.height !== lag.height) this.#metrics.lastCommit.set({ network }, this.#now() / 1000)
    await this.#countUnknown(network, db, lag.height, seen)
  }

  /** New messages and txs that could not be read, since the last look. */
  async #countUnknown(
    network: string,
    db: Db,
    height: number,
    seen: { height: number; messages: number; txs: number } | undefined,
  ): Promise<void> {
    const { messages, txs } = await countUnknown(db)
    if (seen && txs > seen.txs) this.#metrics.decodeFailures.inc({ network, kind: 'tx' }, txs - seen.txs)
    if (seen && messages > seen.messages)
      for (const { type, count } of await listUnknownTypes(db, seen.height, height)) {
        if (this.#types.size < MAX_TYPES) this.#types.add(type)
        this.#metrics.unknownMessages.inc({ network, type: this.#types.has(type) ? type : 'other' }, count)
      }
    this.#seen.set(network, { height, messages, txs })
  }

  async #updateConnections(db: Db): Promise<void> {
    const rows = await countConnections(db)
    this.#metrics.dbPool.reset()
    for (const { state, count } of rows) this.#metrics.dbPool.set({ state }, count)
  }
}
