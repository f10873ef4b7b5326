import { Invariant } from '../lib/errors.ts'
import type { IndexerFacts } from '../types/indexer-facts.ts'
import type { Metrics } from './metrics.ts'
import type { ReadyCheck } from './server.ts'

/** Values of `idx_status`. */
export const STATUS = { starting: 1, syncing: 2, live: 3, stalled: 4, halted: 5 } as const

export type NodeState = { label: string; quarantined: string | undefined; failures: number }

/** Way of a block through the indexer: waiting for the source, threads, memory, database; then its txs are verified in the background. */
export type Stage = 'fetch' | 'decode' | 'apply' | 'commit' | 'verify'

/** Observer of the indexer of one network. Wired to the callbacks of `superviseRun` and `Writer.open`. */
export class IndexerObserver {
  readonly #metrics: Metrics
  readonly #network: string
  readonly #now: () => number
  #role: IndexerFacts['role'] = 'none'
  #status: IndexerFacts['status'] = 'starting'
  #rollbacks: IndexerFacts['rollbacks'] = { count: 0, last: null }
  #audit: IndexerFacts['audit'] = null

  constructor(metrics: Metrics, network: string, now: () => number = Date.now) {
    this.#metrics = metrics
    this.#network = network
    this.#now = now
    this.#setStatus('starting')
  }

  /** This process became the writer, waits for another one, or is neither at the moment. */
  became(role: IndexerFacts['role']): void {
    this.#role = role
    this.#metrics.writerLock.set({ network: this.#network }, role === 'writer' ? 1 : 0)
  }

  /** An indexer that neither writes nor stands by is of no use (docs/rules.md R61). */
  check(): ReadyCheck {
    return { name: `${this.#network}.writer`, run: async () => ({ ok: this.#role !== 'none', role: this.#role }) }
  }

  /** Everything that the source has is committed. */
  caughtUp(): void {
    this.#setStatus('live')
  }

  head(height: number): void {
    this.#metrics.nodeHeadHeight.set({ network: this.#network }, height)
  }

  stage(stage: Stage, seconds: number): void {
    this.#metrics.stageDuration.observe({ network: this.#network, stage }, seconds)
  }

  progress({ height, target, blockBytes }: { height: number; target: number; blockBytes: readonly number[] }): void {
    const network = this.#network
    this.#metrics.headHeight.set({ network }, height)
    this.#metrics.blocksCommitted.inc({ network }, blockBytes.length)
    const sizes = this.#metrics.blockBytes.labels({ network })
    for (const bytes of blockBytes) sizes.observe(bytes)
    this.#metrics.lastCommit.set({ network }, this.#now() / 1000)
    this.#setStatus(height >= target - 1 ? 'live' : 'syncing')
  }

  rolledBack(from: number, to: number): void {
    this.#metrics.rollbacks.inc({ network: this.#network })
    this.#metrics.rollbackDepth.set({ network: this.#network }, from - to)
    this.#rollbacks = { count: this.#rollbacks.count + 1, last: { at: this.#time(), from, to } }
  }

  /** Nodes gave proofs of state, or did not. */
  proves(nodes: Iterable<string>, isProof: boolean): void {
    for (const node of nodes) this.#metrics.nodeProvesState.set({ network: this.#network, node }, isProof ? 1 : 0)
  }

  /** Nodes tell different events of a height. */
  disputed(): void {
    this.#metrics.disputes.inc({ network: this.#network })
  }

  stalled(): void {
    this.#setStatus('stalled')
  }

  /** Nodes leave nothing to go on with: what is indexed stays and is served, and they are asked again. */
  stoodStill(error: unknown): void {
    if (error instanceof Invariant && this.#status !== 'halted') this.violated(error.code)
    this.#setStatus('halted')
    this.became('standby')
  }

  /** The indexer ended with `error`; one that broke a rule of ours counts as that. */
  halted(error: unknown): void {
    if (error instanceof Invariant) this.violated(error.code)
    this.#setStatus('halted')
    this.became('none')
  }

  violated(name: string, count = 1): void {
    this.#metrics.invariantViolations.inc({ network: this.#network, name }, count)
  }

  /** The invariants were sampled over some heights; `violations` are the names of those that do not hold. */
  sampled(heights: { from: number; to: number }, violations: string[]): void {
    this.#audit = { at: this.#time(), ...heights, violations }
  }

  /** For an operator's eyes: the same as the metrics say, with reasons. */
  facts(states: readonly NodeState[]): IndexerFacts {
    return {
      status: this.#status,
      role: this.#role,
      nodes: states.map(({ label, quarantined, failures }) => ({ node: label, quarantined: quarantined ?? null, failures })),
      rollbacks: this.#rollbacks,
      audit: this.#audit,
    }
  }

  nodes(states: readonly NodeState[]): void {
    for (const { label: node, quarantined } of states)
      this.#metrics.nodeQuarantined.set({ network: this.#network, node }, quarantined === undefined ? 0 : 1)
  }

  #setStatus(status: keyof typeof STATUS): void {
    this.#status = status
    this.#metrics.status.set({ network: this.#network }, STATUS[status])
  }

  #time(): string {
    return new Date(this.#now()).toISOString()
  }
}
