import type { ApiContext } from '../../api/route.ts'
import { Transient } from '../../lib/errors.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import { type HeightMark, listHeightMarks } from '../../store/read/head/height-mark.ts'
import type { Selection } from '../filters.ts'
import { openEventKinds } from './all.ts'
import type { Entry, EventKind } from './kind.ts'
import { Marks } from './marks.ts'
import type { EventType } from './types.ts'

/** What a subscription wants. */
export type Wanted = { events: ReadonlySet<EventType>; selection: Selection }

export type FoundEvent = Pick<Entry<unknown>, 'type' | 'position' | 'json'>

/** Events of one height in order, or none: then everything up to `height` was looked at. */
export type Found = { height: number; mark?: HeightMark; events: readonly FoundEvent[] }

export type FeedOptions = {
  /** the branch that is read: what belongs to another is refused */
  fork: () => number
  /** all that may be asked for, so that look-ups are made once for all */
  wanted: () => Iterable<Wanted>
}

const KEEP_BYTES = 32 << 20

type Kept = { entries: Entry<unknown>[]; bytes: number }

/** Events of the chain by height, read once for all subscriptions. What it gives belongs to one branch. */
export class EventFeed {
  readonly #ctx: ApiContext
  readonly #options: FeedOptions
  readonly #kinds: readonly EventKind<unknown>[]
  readonly #marks: Marks
  readonly #kept = new Map<string, Kept>()
  readonly #reading = new SingleFlight<Entry<unknown>[]>()
  readonly #preparing = new SingleFlight<void>()
  #bytes = 0

  constructor(ctx: ApiContext, options: FeedOptions) {
    this.#ctx = ctx
    this.#options = options
    this.#kinds = openEventKinds(ctx)
    this.#marks = new Marks((from, to) => this.#onBranch(() => listHeightMarks(ctx.db, { from, to })))
  }

  /** The first height above `after`, up to `last`, with events that are wanted. */
  async next({ events, selection }: Wanted, after: number, last: number): Promise<Found> {
    const marks = await this.#marks.from(after + 1, last)
    if (marks.length === 0) throw new Transient('height_gone', `height ${after + 1} is not there`, { height: after + 1 })
    const kinds = this.#kinds
      .map((kind, index) => ({ kind, index }))
      .filter(({ kind }) => kind.types.some((type) => events.has(type)))
    for (const mark of marks) {
      const found: FoundEvent[] = []
      for (const { kind, index } of kinds) {
        if (!kind.isIn(mark, selection)) continue
        const entries = await this.#load(kind, index, mark, selection)
        found.push(...entries.filter((entry) => events.has(entry.type) && kind.matches(entry, selection)))
      }
      if (found.length > 0) return { height: mark.height, mark, events: found }
    }
    return { height: marks.at(-1)!.height, events: [] }
  }

  dropAbove(height: number): void {
    this.#marks.dropAbove(height)
    for (const [key, kept] of this.#kept) if (Number.parseInt(key, 10) > height) this.#remove(key, kept)
  }

  async #load(kind: EventKind<unknown>, index: number, mark: HeightMark, selection: Selection): Promise<Entry<unknown>[]> {
    const key = `${mark.height} ${index}`
    const entries = this.#kept.get(key)?.entries ?? (await this.#reading.run(key, () => this.#read(kind, key, mark)))
    while (kind.prepare && !kind.isPrepared!(entries, selection))
      await this.#preparing.run(key, () => this.#onBranch(() => kind.prepare!(mark, entries, this.#selections(kind, selection))))
    return entries
  }

  async #read(kind: EventKind<unknown>, key: string, mark: HeightMark): Promise<Entry<unknown>[]> {
    const entries = await this.#onBranch(() => kind.read(mark))
    const bytes = entries.reduce((sum, { json }) => sum + json.length, 200)
    this.#kept.set(key, { entries, bytes })
    this.#bytes += bytes
    for (const [at, old] of this.#kept) {
      if (this.#bytes <= KEEP_BYTES || at === key) break
      this.#remove(at, old)
    }
    return entries
  }

  #selections(kind: EventKind<unknown>, own: Selection): Selection[] {
    const others = [...this.#options.wanted()].filter(({ events }) => kind.types.some((type) => events.has(type)))
    return [own, ...others.map(({ selection }) => selection)]
  }

  #remove(key: string, { bytes }: Kept): void {
    this.#kept.delete(key)
    this.#bytes -= bytes
  }

  /** Rejects when the chain was reorganised before or while it was read: it may be of either branch. */
  async #onBranch<T>(read: () => Promise<T>): Promise<T> {
    const fork = this.#options.fork()
    const value = await read()
    await this.#ctx.watch.confirm()
    if (this.#ctx.watch.fork !== fork) throw new Transient('chain_reorganising', 'the chain is being reorganised')
    return value
  }
}
