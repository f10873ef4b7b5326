import type { SourceHead } from '../chain/source.ts'
import type { Clock } from '../lib/clock.ts'
import { AstrolabeError } from '../lib/errors.ts'

export type WatchdogLimits = {
  /** shortest time without a commit that counts as a stall */
  minMs: number
  /** the same in block times, where blocks are slow */
  blockTimes: number
}

/** Of a source that was silent for longer nobody knows where it stood meanwhile. */
const SILENT_MS = 5000

export const WATCHDOG_LIMITS: WatchdogLimits = { minMs: 30_000, blockTimes: 5 }

/** The pipeline made no progress although the chain did, also after it was rebuilt: a new process has to try (exit code 75). */
export class PipelineStalled extends AstrolabeError {
  constructor(facts: Record<string, unknown>) {
    super('stalled', 'the chain advances but nothing is committed, and rebuilding the pipeline did not help', facts)
  }
}

/** Compares what the source says with what is committed (docs/rules.md R58). It decides; others act. */
export class CommitWatchdog {
  readonly #clock: Clock
  readonly #limits: WatchdogLimits
  #committedHeight: number
  /** since when the source has been known to be ahead: silence of the source, or a pause of the chain, is not ours */
  #aheadSince: number | undefined
  #seenAt = Number.NEGATIVE_INFINITY
  #first: SourceHead | undefined
  #newest: SourceHead | undefined
  /** where the source stood when the last commit was seen */
  #heightThen: number | undefined

  constructor(clock: Clock, limits: WatchdogLimits, committedHeight: number) {
    this.#clock = clock
    this.#limits = limits
    this.#committedHeight = committedHeight
  }

  sawHead(head: SourceHead): void {
    const now = this.#clock.now()
    if (now - this.#seenAt > SILENT_MS || head.height <= this.#committedHeight) this.#aheadSince = undefined
    if (head.height > this.#committedHeight) this.#aheadSince ??= now
    this.#seenAt = now
    this.#first ??= head
    this.#newest = head
    this.#heightThen ??= head.height
  }

  sawCommit(height: number): void {
    this.#committedHeight = height
    this.#aheadSince = this.#clock.now()
    this.#heightThen = this.#newest?.height
  }

  /** Facts about the stall; undefined while all is well. A source that stands still is no stall of ours. */
  findStall(): Record<string, unknown> | undefined {
    const sourceHeight = this.#newest?.height ?? 0
    const hasAdvanced = this.#heightThen !== undefined && sourceHeight > this.#heightThen
    if (!hasAdvanced || sourceHeight <= this.#committedHeight) return undefined
    const now = this.#clock.now()
    if (this.#aheadSince === undefined || now - this.#seenAt > SILENT_MS) return undefined
    const silentMs = now - this.#aheadSince
    const limitMs = Math.max(this.#limits.minMs, this.#limits.blockTimes * this.#blockMs())
    return silentMs < limitMs
      ? undefined
      : { sourceHeight, committedHeight: this.#committedHeight, silentMs: Math.round(silentMs) }
  }

  /** As the source's own headers tell it, since we watch. */
  #blockMs(): number {
    if (!this.#first || !this.#newest || this.#newest.height <= this.#first.height) return 0
    return (Date.parse(this.#newest.time) - Date.parse(this.#first.time)) / (this.#newest.height - this.#first.height)
  }
}
