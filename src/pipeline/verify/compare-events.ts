import { hashEventsOf, haveSameEvents } from '../../chain/events-hash.ts'
import type { ChainSource, Witness } from '../../chain/source.ts'
import { systemClock } from '../../lib/clock.ts'
import { NodeFault, Transient } from '../../lib/errors.ts'
import type { ToldHeights } from './told.ts'

/** Digests of the events of one height by the nodes that told them. */
export type Opinions = Map<string, string>

/** Digests of the events of a height by node. One that does not have them, or does not answer, has no opinion. */
export async function askEvents(source: ChainSource, height: number, signal: AbortSignal, except?: string): Promise<Opinions> {
  const opinions: Opinions = new Map()
  const asked = source.witnesses().filter(({ origin }) => origin !== except)
  await Promise.all(
    asked.map(async (witness) => {
      const told = await askOne(source, witness, height, signal)
      if (told !== undefined) opinions.set(witness.origin, told)
    }),
  )
  return opinions
}

async function askOne(source: ChainSource, witness: Witness, height: number, signal: AbortSignal): Promise<string | undefined> {
  try {
    const results = await witness.results(height, signal)
    return results && hashEventsOf(results, height)
  } catch (error) {
    if (error instanceof NodeFault) source.reportFault(witness.origin, error)
    else if (!(error instanceof Transient)) throw error
    return undefined
  }
}

/** A height about whose events nodes disagree, or tell something else than what was taken; `guilty` are those that tell what was taken. */
export type FalseHeight = { height: number; guilty: string[] }

/** Looks for the highest such height below `below`, down to `floor`. */
export async function findFalseHeight(
  source: ChainSource,
  told: ToldHeights,
  { below, floor }: { below: number; floor: number },
  signal: AbortSignal,
): Promise<FalseHeight | undefined> {
  for (let height = below - 1; height >= floor; height--) {
    const opinions = await askEvents(source, height, signal)
    const known = told.at(height)
    const taken = known && (known.eventsHash ?? opinions.get(known.origin))
    const versions = new Set([...opinions.values(), ...(taken === undefined ? [] : [taken])])
    if (versions.size > 1) return { height, guilty: [...opinions].filter(([, hash]) => hash === taken).map(([origin]) => origin) }
  }
  return undefined
}

/** Nodes disagree about the events of a height: `alike` tell the same as its origin, `others` something else. */
export type Dispute = { height: number; origin: string; alike: string[]; others: string[] }

/** Most nodes tell the events of a height in another order than its origin: nothing else can decide it. */
export class EventsOutvoted extends NodeFault {
  readonly height: number
  readonly origin: string
  constructor({ height, origin, others }: Dispute) {
    super('events_outvoted', `most nodes tell the events of height ${height} in another order`, { height, origin, others })
    this.height = height
    this.origin = origin
  }
}

/** A block at the tip waits no longer than this for the opinion of others; they are asked again with the next one. */
const PATIENCE_MS = 500
/** Heights without an opinion that are asked for again. */
const MAX_LATE = 10

type Compared = { height: number; origin: string; eventsHash?: string | undefined }

/** Compares events between nodes by digest, where blocks carry one. */
export class EventComparer {
  readonly #source: ChainSource
  readonly #told: ToldHeights
  readonly #onDispute: ((dispute: Dispute) => void) | undefined
  #late: Compared[] = []

  constructor(source: ChainSource, told: ToldHeights, onDispute?: (dispute: Dispute) => void) {
    this.#source = source
    this.#told = told
    this.#onDispute = onDispute
  }

  /**
   * The heights about which nodes disagree, among these and those for which nobody had an opinion before: proofs of state have to decide.
   * Throws EventsOutvoted where they cannot.
   */
  async compare(blocks: readonly Compared[], signal: AbortSignal): Promise<ReadonlySet<number>> {
    const disputed = new Set<number>()
    const outvoted: Dispute[] = []
    if (this.#source.witnesses().length < 2) return disputed
    const wanted = [...this.#late, ...blocks.filter(({ eventsHash }) => eventsHash !== undefined)]
    this.#late = []
    await Promise.all(
      wanted.map(async (block) => {
        const { height, origin, eventsHash } = block
        const opinions = await within(PATIENCE_MS, askEvents(this.#source, height, signal, origin))
        if (!opinions || opinions.size === 0) {
          this.#late = [...this.#late, block].slice(-MAX_LATE)
          return
        }
        const others = [...opinions].filter(([, hash]) => hash !== eventsHash).map(([other]) => other)
        if (others.length === 0) return
        const dispute = { height, origin, alike: [...opinions.keys()].filter((other) => !others.includes(other)), others }
        this.#onDispute?.(dispute)
        disputed.add(height)
        if (isOutvoted(eventsHash!, [...opinions.values()])) outvoted.push(dispute)
      }),
    )
    const first = outvoted.sort((a, b) => a.height - b.height).find(({ height }) => this.#told.mayOutvote(height))
    if (first) throw new EventsOutvoted(first)
    return disputed
  }
}

/** Whether more than half of all, the one who told `own` included, tell the same events in one other order. */
function isOutvoted(own: string, opinions: readonly string[]): boolean {
  const reordered = opinions.filter((hash) => hash !== own && haveSameEvents(hash, own))
  const most = Math.max(0, ...reordered.map((hash) => reordered.filter((other) => other === hash).length))
  return 2 * most > opinions.length + 1
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const over = new AbortController()
  const late = systemClock.sleep(ms, over.signal).then(
    () => undefined,
    () => undefined,
  )
  return Promise.race([work, late]).finally(() => over.abort())
}
