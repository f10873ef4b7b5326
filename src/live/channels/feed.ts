import type { Filters } from '../protocol.ts'
import type { PushMessage } from '../push-message.ts'

/** What a session needs of a channel of heights. */
export interface HeightFeed {
  /** Messages of a height for one filter, none when nothing matches; undefined when they have to be loaded first. */
  peek(height: number, filters: Filters, filterKey: string): readonly PushMessage[] | undefined
  /** Makes `peek` answer for all of `filters`. Rejects when the database is away or the height is gone. */
  load(height: number, filters: readonly Filters[]): Promise<void>
  /** Forgets the heights that a fork took back. */
  dropAbove(height: number): void
}
