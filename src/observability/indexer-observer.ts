import type { Metrics } from './metrics.ts'

/** Values of `idx_status`. */
export const STATUS = { starting: 1, syncing: 2, live: 3, stalled: 4, halted: 5 } as const

export type NodeState = { label: string; quarantined: string | undefined; counts: Record<string, number> }

/** What an indexer tells about one network. Wired to the callbacks of `superviseRun` and `Writer.open`. */
export class IndexerObserver {
  readonly #metrics: Metrics
  readonly #network: string
  readonly #now: () => number
  readonly #nodeCounts = new Map<string, number>()

  constructor(metrics: Metrics, network: string, now: () => number = Date.now) {
    this.#metrics = metrics
    this.#network = network
    this.#now = now
    this.#setStatus('starting')
  }

  /** This process became the writer, or waits for another one. */
  wrote(isWriter: boolean): void {
    this.#metrics.writerLock.set({ network: this.#network }, isWriter ? 1 : 0)
  }

  head(height: number): void {
    this.#metrics.nodeHeadHeight.set({ network: this.#network }, height)
  }

  progress({ height, target, blocks }: { height: number; target: number; blocks: number }): void {
    const network = this.#network
    this.#metrics.writerLock.set({ network }, 1)
    this.#metrics.headHeight.set({ network }, height)
    this.#metrics.blocksCommitted.inc({ network }, blocks)
    this.#metrics.lastCommit.set({ network }, this.#now() / 1000)
    this.#setStatus(height >= target - 1 ? 'live' : 'syncing')
  }

  rolledBack(from: number, to: number): void {
    this.#metrics.rollbacks.inc({ network: this.#network })
    this.#metrics.rollbackDepth.set({ network: this.#network }, from - to)
  }

  stalled(): void {
    this.#setStatus('stalled')
  }

  halted(): void {
    this.#setStatus('halted')
    this.wrote(false)
  }

  /** Nodes count by themselves; what came since the last time is added. */
  nodes(states: readonly NodeState[]): void {
    const network = this.#network
    for (const { label: node, quarantined, counts } of states) {
      this.#metrics.nodeQuarantined.set({ network, node }, quarantined === undefined ? 0 : 1)
      for (const [outcome, count] of Object.entries(counts)) {
        const key = `${node} ${outcome}`
        this.#metrics.nodeRequests.inc({ network, node, method: 'any', outcome }, count - (this.#nodeCounts.get(key) ?? 0))
        this.#nodeCounts.set(key, count)
      }
    }
  }

  #setStatus(status: keyof typeof STATUS): void {
    this.#metrics.status.set({ network: this.#network }, STATUS[status])
  }
}
