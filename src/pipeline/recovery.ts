import { ResultsRefused } from '../chain/link.ts'
import type { ChainSource } from '../chain/source.ts'
import type { StateRecord } from '../client/proof/state-record.ts'
import { ForkDetected, Invariant, NodeFault, OperatorError } from '../lib/errors.ts'
import type { Writer } from '../store/write/writer.ts'
import { BlockImpossible } from './catch-up.ts'
import { resolveFork } from './fork.ts'
import { askEvents, EventsOutvoted, type FalseHeight, findFalseHeight } from './verify/compare-events.ts'
import { findFirstFalse, isRightAfter, type StateSearch } from './verify/find-false-state.ts'
import { TxsRefused } from './verify/recheck-tip.ts'
import { StateRefuted } from './verify/state-prover.ts'
import type { ToldHeights } from './verify/told.ts'

export type RecoveryOptions = {
  maxRollbackDepth: number
  verifyCommits: boolean
  onRollback?: (from: number, to: number) => void
  onFault?: (fault: NodeFault) => void
  /** The txs of a height are false, and it cannot be taken back any more. */
  onRefuted?: (fault: TxsRefused) => void
}

/** What an operator can do where nothing else is left. */
const FROM_THE_START = 'after `astrolabe rollback --to 0` the chain is read again from its beginning'

/** Mends what can be mended after a run of blocks failed: takes back what was refuted, blames who told it, follows a fork. */
export class Recovery {
  readonly #source: ChainSource
  readonly #writer: Writer
  readonly #options: RecoveryOptions
  readonly #signal: AbortSignal
  readonly #told: ToldHeights
  readonly #search: StateSearch
  #narrow: { until: number; blocks: number } | undefined
  #checkedUntil = 0

  constructor(source: ChainSource, search: StateSearch, options: RecoveryOptions, signal: AbortSignal) {
    this.#source = source
    this.#writer = search.writer
    this.#told = search.told
    this.#search = search
    this.#options = options
    this.#signal = signal
  }

  /** Throws what cannot be mended. */
  async handle(error: unknown): Promise<void> {
    if (error instanceof ForkDetected) await this.#resolve(error)
    else if (error instanceof BlockImpossible) await this.#doubt(error)
    else if (error instanceof StateRefuted) await this.#disprove(error)
    else if (error instanceof TxsRefused) await this.#takeBackTxs(error)
    else if (error instanceof ResultsRefused || error instanceof EventsOutvoted) await this.#takeBack(error)
    else if (error instanceof NodeFault && typeof error.facts.origin === 'string') await this.#blame(error, error.facts.origin)
    else throw error
  }

  async #blame(fault: NodeFault, origin: string): Promise<void> {
    await this.#writer.settled()
    this.#source.reportFault(origin, fault)
    this.#options.onFault?.(fault)
  }

  /** Takes back a block that was found false after it may have been written. */
  async #takeBack(fault: ResultsRefused | TxsRefused | EventsOutvoted): Promise<void> {
    await this.#writer.settled()
    await this.#revert(fault.height - 1)
    if (fault.origin === '') this.#options.onFault?.(fault)
    else await this.#blame(fault, fault.origin)
  }

  /** Whoever gave false txs once may have done so again: everything that is read again is checked before it is written. */
  async #takeBackTxs(fault: TxsRefused): Promise<void> {
    const last = this.#writer.head!.last_height
    try {
      await this.#takeBack(fault)
      this.#checkedUntil = last
    } catch (error) {
      if (!(error instanceof OperatorError) || error.code !== 'undo_missing') throw error
      await this.#writer.notes.refuted(fault.height, fault.message)
      this.#options.onRefuted?.(fault)
    }
  }

  /** Up to this height, what was taken back is read again: all data roots are checked, and all events compared. */
  get checkedUntil(): number {
    return this.#checkedUntil
  }

  /** Heights up to `until` are read again in batches of this size at most, so that what is false in them is found by its height. */
  get batchBlocks(): number {
    return this.#narrow && this.#writer.head!.last_height < this.#narrow.until ? this.#narrow.blocks : Number.POSITIVE_INFINITY
  }

  /** The state that a signed header seals is not what the index has: the first height that made it so is taken back. */
  async #disprove(fault: StateRefuted): Promise<void> {
    await this.#restart()
    const { record } = fault.claim
    const last = this.#writer.head!.last_height
    if (last >= fault.height) return this.#convictAny(await findFirstFalse(this.#search, record, fault.height), fault)
    const isRight = await isRightAfter(this.#search, record, last)
    if (isRight === false) return this.#convictAny(await findFirstFalse(this.#search, record, last), fault)
    if (fault.from === fault.height) return this.#convict(fault.height, fault)
    this.#narrow = { until: fault.height, blocks: Math.ceil((fault.height - fault.from) / 8) }
  }

  /** Events of these heights that were taken are false. Several are read again in smaller parts, which are proven one by one. */
  async #convictAny(heights: { from: number; to: number } | undefined, fault: StateRefuted | BlockImpossible): Promise<void> {
    if (!heights)
      throw new Invariant(
        fault.code,
        `${fault.message}; it was so before anything that can be taken back: ${FROM_THE_START}`,
        fault.facts,
        fault,
      )
    const { from, to } = heights
    if (from === to) return this.#convict(to, fault)
    await this.#revert(from - 1)
    this.#narrow = { until: to, blocks: Math.ceil((to - from + 1) / 8) }
    this.#checkedUntil = to
  }

  /** The events of `height` that were taken are false: whoever tells them is put aside, unless everybody does. */
  async #convict(height: number, fault: StateRefuted | BlockImpossible): Promise<void> {
    const opinions = await askEvents(this.#source, height, this.#signal)
    const known = this.#told.at(height)
    const taken = known && (known.eventsHash ?? opinions.get(known.origin))
    await this.#revert(height - 1)
    // After a restart nobody knows who told what was taken: it is read again.
    if (!known) return
    if ([...opinions.values()].every((hash) => hash === taken))
      throw new Invariant(
        fault.code,
        `${fault.message}; the events of height ${height} are told alike by ${[...opinions.keys()].join(' and ')}`,
        { ...fault.facts, height, origins: [...opinions.keys()] },
        fault,
      )
    const guilty = [...opinions].filter(([, hash]) => hash === taken).map(([origin]) => origin)
    for (const origin of new Set([known.origin, ...guilty])) {
      const reason = `the events that it told of height ${height} are false: ${fault.message}`
      await this.#blame(new NodeFault('events_refuted', reason, { ...fault.facts, height, origin }), origin)
    }
  }

  /** A batch was applied and not written: memory is read again from what is committed. */
  async #restart(): Promise<void> {
    await this.#writer.settled()
    await this.#writer.reload()
  }

  /**
   * A block does not fit what the index holds: either it is told wrongly, or one before it was. A proof decides where there is one.
   * Otherwise heights about which nodes disagree are taken back first, then the node is blamed that others contradict, then everything
   * is taken back that can be. When the same comes out again, nothing is left to try with these nodes.
   */
  async #doubt(fault: BlockImpossible): Promise<void> {
    await this.#restart()
    const { height, origin } = fault
    const last = this.#writer.head!.last_height
    const record = recordOf(fault)
    const isRight = record && (await isRightAfter(this.#search, record, last))
    if (isRight === false) return this.#convictAny(await findFirstFalse(this.#search, record!, last), fault)
    if (isRight && last === height - 1) return this.#blame(fault, origin)
    if (isRight) {
      this.#narrow = { until: height, blocks: Math.ceil((height - last - 1) / 8) }
      return
    }
    const reach = await this.#writer.listReach()
    const floor = (reach.findLast((end) => end <= last - this.#options.maxRollbackDepth) ?? reach[0] ?? last) + 1
    const found = await findFalseHeight(this.#source, this.#told, { below: height, floor }, this.#signal)
    if (found) return this.#refute(found, fault)
    const opinions = await askEvents(this.#source, height, this.#signal)
    const others = this.#source.witnesses().filter((witness) => witness.origin !== origin)
    if (others.some((witness) => opinions.get(witness.origin) !== opinions.get(origin))) return this.#blame(fault, origin)
    const origins = [origin, ...others.map((witness) => witness.origin)]
    const tries = this.#told.countTries(height, origins)
    if (tries === 0) return this.#revert(floor - 1)
    // Older heights are many: they are gone through once, and only where nodes can contradict each other.
    const lowest = (reach[0] ?? last) + 1
    const isWorthwhile = tries === 1 && others.length > 0
    const older = isWorthwhile
      ? await findFalseHeight(this.#source, this.#told, { below: floor, floor: lowest }, this.#signal)
      : undefined
    if (older) return this.#refute(older, fault)
    throw new Invariant(
      fault.code,
      `${fault.message}, which ${origins.join(' and ')} tell alike, also after all heights from ${floor} on were read again; ${FROM_THE_START}`,
      { ...fault.facts, origins },
      fault,
    )
  }

  async #refute({ height, guilty }: FalseHeight, fault: BlockImpossible): Promise<void> {
    await this.#revert(height - 1)
    this.#checkedUntil = height
    for (const origin of guilty) {
      const reason = `the events that it told of height ${height} make block ${fault.height} impossible, and other nodes tell others`
      await this.#blame(new NodeFault('events_refuted', reason, { height, origin }), origin)
    }
  }

  async #revert(height: number): Promise<void> {
    const last = this.#writer.head!.last_height
    if (last <= height) return
    this.#options.onRollback?.(last, await this.#writer.revertTo(height))
  }

  async #resolve(error: ForkDetected): Promise<void> {
    const { origin } = error.facts
    if (typeof origin !== 'string') throw error
    await this.#writer.settled()
    const { maxRollbackDepth: maxDepth, verifyCommits, onRollback = () => {} } = this.#options
    const fault = await resolveFork(this.#source, this.#writer, origin, { maxDepth, verifyCommits, onRollback }, this.#signal)
    if (fault) await this.#blame(fault, origin)
  }
}

/** The balance that a block would leave below zero. */
function recordOf({ facts: { address, denom } }: BlockImpossible): StateRecord | undefined {
  return typeof address === 'string' && typeof denom === 'string' ? { kind: 'balance', address, denom } : undefined
}
