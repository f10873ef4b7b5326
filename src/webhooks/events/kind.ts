import type { HeightMark } from '../../store/read/head/height-mark.ts'
import type { Selection } from '../filters.ts'
import type { EventType } from './types.ts'

/** An event before it is known who gets it. `json` is the object as REST writes it. */
export type Entry<F> = { type: EventType; position: number; json: string; facts: F }

/**
 * One kind of event: what it is read from and what its filters look at. Events of a height are in the order of the kinds (all.ts) and,
 * within a kind, of the block. Everything follows from the chain, so the same height gives the same events at any time.
 */
export interface EventKind<F> {
  readonly types: readonly EventType[]
  /** Whether a height can hold such an event for this selection: heights that cannot are never read. */
  isIn(mark: HeightMark, selection: Selection): boolean
  read(mark: HeightMark): Promise<Entry<F>[]>
  matches(entry: Entry<F>, selection: Selection): boolean
  /** Facts that only some selections need, looked up for those. */
  isPrepared?(entries: readonly Entry<F>[], selection: Selection): boolean
  prepare?(mark: HeightMark, entries: readonly Entry<F>[], selections: readonly Selection[]): Promise<void>
}
