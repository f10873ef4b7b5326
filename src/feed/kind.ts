import type { OwnerFilter } from '../api/match/filter.ts'
import type { HeightSummary } from '../store/read/head/height-summary.ts'
import type { WebhookEvent } from '../types/webhook-events.ts'

/** Selection of a subscriber, ready for comparing. Values of one kind are alternatives, kinds are combined. */
export type Selection = OwnerFilter & {
  readonly messageTypes?: ReadonlySet<string> | undefined
  readonly validators?: ReadonlySet<number> | undefined
  readonly proposalStatus?: ReadonlySet<string> | undefined
  readonly minAmount?: bigint | undefined
  readonly denom?: string | undefined
  readonly minGasPrice?: number | undefined
}

/** An event before it is known who gets it. `json` is the object as REST writes it. */
export type Entry<F = unknown> = { type: WebhookEvent; position: number; json: string; facts: F }

/**
 * One kind of event: what it is read from and what its filters look at. Events of a height are in the order of the kinds (kinds/all.ts)
 * and, within a kind, of the block. Everything follows from the chain, so the same height gives the same events at any time.
 * `At` is what has to be known of the height to read it: the height alone for what is pushed.
 */
export interface EventKind<F = unknown, At extends { height: number } = HeightSummary> {
  readonly types: readonly WebhookEvent[]
  /** Whether a height can hold such an event for this selection: heights that cannot are never read. */
  isIn(mark: HeightSummary, selection: Selection): boolean
  read(at: At): Promise<Entry<F>[]>
  matches(entry: Entry<F>, selection: Selection): boolean
  /** Facts that only some selections need, looked up for those. */
  isPrepared?(entries: readonly Entry<F>[], selection: Selection): boolean
  prepare?(at: { height: number }, entries: readonly Entry<F>[], selections: readonly Selection[]): Promise<void>
}

/** A kind that a height alone is enough to read. */
export type PlainKind<F = unknown> = EventKind<F, { height: number }>
