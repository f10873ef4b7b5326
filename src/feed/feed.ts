import type { ApiContext } from '../api/route.ts'
import { RouteReader } from '../api/route-reader.ts'
import { allRoutes } from '../api/routes/all.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { Transient } from '../lib/errors.ts'
import { FairQueue } from '../lib/fair-queue.ts'
import { SingleFlight } from '../lib/single-flight.ts'
import { type HeightSummary, listHeightSummaries } from '../store/read/head/height-summary.ts'
import type { WebhookEvent } from '../types/webhook-events.ts'
import { HeightSummaries } from './height-summaries.ts'
import type { Entry, EventKind, Selection } from './kind.ts'
import { type EventKinds, openEventKinds } from './kinds/all.ts'

/** Events that a subscription wants. */
export type Wanted = { events: ReadonlySet<WebhookEvent>; selection: Selection }

export type FoundEvent = Pick<Entry, 'type' | 'position' | 'json'>

/** Events of one height in order, or none: then everything up to `height` was looked at. */
export type Found = { height: number; mark?: HeightSummary; events: readonly FoundEvent[] }

const KEEP_BYTES = 48 << 20
/** Reads of heights at once: replays must not take the pool from the requests. */
const READS = 4
const OVERHEAD = 200
const KINDS_AT_MOST = 16

/**
 * The objects of the chain by height, read once for all who push or post them and kept while they may be asked for again. Everything it
 * keeps belongs to the branch that the head watch shows: the head is confirmed after every read, and a fork empties it.
 */
export class Feed {
  readonly kinds: EventKinds
  readonly #ctx: ApiContext
  readonly #entries = new BoundedCache<number, Entry<unknown>[]>(KEEP_BYTES, (entries) =>
    entries.reduce((sum, { json }) => sum + json.length, OVERHEAD),
  )
  readonly #summaries: HeightSummaries
  readonly #queue = new FairQueue(READS)
  readonly #reading = new SingleFlight<Entry<unknown>[]>()
  readonly #preparing = new SingleFlight<void>()

  constructor(ctx: ApiContext) {
    this.#ctx = ctx
    this.kinds = openEventKinds(new RouteReader(allRoutes, ctx), ctx.db)
    this.#summaries = new HeightSummaries((from, to, keep) =>
      ctx.watch.readOnBranch(() => listHeightSummaries(ctx.db, { from, to }), keep),
    )
    ctx.watch.onChange((_, change) => {
      if (change !== 'rollback') return
      this.#entries.clear()
      this.#summaries.clear()
    })
  }

  /** Entries of a height, when they are kept. */
  peek<F, At extends { height: number }>(kind: EventKind<F, At>, height: number): readonly Entry<F>[] | undefined {
    return this.#entries.get(this.#keyOf(kind, height)) as Entry<F>[] | undefined
  }

  /**
   * Entries of a height, with what the selections look at: all that may be asked for are given at once, so that look-ups are made once.
   * Rejects when the database is away or the height is gone.
   */
  async load<F, At extends { height: number }>(
    kind: EventKind<F, At>,
    at: At,
    selections: () => readonly Selection[],
  ): Promise<readonly Entry<F>[]> {
    const key = this.#keyOf(kind, at.height)
    const read = () => this.#queue.run('', 1, () => this.#read(kind, at, key))
    const entries = (this.peek(kind, at.height) ?? (await this.#reading.run(key, read))) as Entry<F>[]
    if (!kind.prepare) return entries
    for (;;) {
      const open = selections().filter((selection) => !kind.isPrepared!(entries, selection))
      if (open.length === 0) return entries
      await this.#preparing.run(key, () => this.#ctx.watch.readOnBranch(() => kind.prepare!(at, entries, open)))
    }
  }

  /** The first height above `after`, up to `last`, with events that are wanted. `others` are asked for as well, by other calls. */
  async next(wanted: Wanted, after: number, last: number, others: () => readonly Wanted[] = () => []): Promise<Found> {
    const { events, selection } = wanted
    const marks = await this.#summaries.from(after + 1, last)
    if (marks.length === 0) throw gone(after + 1)
    const kinds = this.kinds.all.filter((kind) => isOfKind(wanted, kind))
    for (const mark of marks) {
      const found: FoundEvent[] = []
      for (const kind of kinds) {
        if (!kind.isIn(mark, selection)) continue
        const all = () => [wanted, ...others().filter((other) => isOfKind(other, kind))]
        const entries = await this.load(kind, mark, () => all().map((each) => each.selection))
        found.push(...entries.filter((entry) => events.has(entry.type) && kind.matches(entry, selection)))
      }
      if (found.length > 0) return { height: mark.height, mark, events: found }
    }
    return { height: marks.at(-1)!.height, events: [] }
  }

  #keyOf<F, At extends { height: number }>(kind: EventKind<F, At>, height: number): number {
    return height * KINDS_AT_MOST + this.kinds.all.indexOf(kind as unknown as EventKind)
  }

  #read<F, At extends { height: number }>(kind: EventKind<F, At>, at: At, key: number): Promise<Entry<F>[]> {
    return this.#ctx.watch.readOnBranch(
      () => kind.read(at),
      (entries) => {
        if ((this.#ctx.watch.head?.last_height ?? -1) < at.height) throw gone(at.height)
        this.#entries.set(key, entries)
        return entries
      },
    )
  }
}

const isOfKind = ({ events }: Wanted, { types }: EventKind) => types.some((type) => events.has(type))

const gone = (height: number) => new Transient('height_gone', `height ${height} is not there any more`, { height })
