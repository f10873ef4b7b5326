import { ResultsRefused } from '../chain/link.ts'
import type { ChainSource } from '../chain/source.ts'
import { ForkDetected, Invariant, NodeFault } from '../lib/errors.ts'
import type { Writer } from '../store/write/writer.ts'
import { BlockImpossible } from './catch-up.ts'
import { resolveFork } from './fork.ts'
import { TxsRefused } from './recheck-tip.ts'

export type RecoveryOptions = {
  maxRollbackDepth: number
  verifyCommits: boolean
  onRollback?: (from: number, to: number) => void
  onFault?: (fault: NodeFault) => void
}

/** Mends what can be mended after a run of blocks failed: takes back what was refuted, blames who told it, follows a fork. */
export class Recovery {
  readonly #source: ChainSource
  readonly #writer: Writer
  readonly #options: RecoveryOptions
  readonly #signal: AbortSignal
  /** who told of a block that cannot be, by height */
  readonly #impossible = new Map<number, string>()

  constructor(source: ChainSource, writer: Writer, options: RecoveryOptions, signal: AbortSignal) {
    this.#source = source
    this.#writer = writer
    this.#options = options
    this.#signal = signal
  }

  /** Throws what cannot be mended. */
  async handle(error: unknown): Promise<void> {
    if (error instanceof ForkDetected) await this.#resolve(error)
    else if (error instanceof BlockImpossible) await this.#doubt(error)
    else if (error instanceof ResultsRefused || error instanceof TxsRefused) await this.#takeBack(error)
    else if (error instanceof NodeFault && typeof error.facts.origin === 'string') await this.#blame(error, error.facts.origin)
    else throw error
  }

  async #blame(fault: NodeFault, origin: string): Promise<void> {
    await this.#writer.settled()
    this.#source.reportFault(origin, fault)
    this.#options.onFault?.(fault)
  }

  /** It showed late that what a node told is false: the block may be written already. */
  async #takeBack(fault: ResultsRefused | TxsRefused): Promise<void> {
    await this.#writer.settled()
    const last = this.#writer.head!.last_height
    if (last >= fault.height) {
      await this.#writer.revertTo(fault.height - 1)
      this.#options.onRollback?.(last, fault.height - 1)
    }
    await this.#blame(fault, fault.origin)
  }

  /** First of all the node is wrong; only when another one tells the same, we are. */
  async #doubt(fault: BlockImpossible): Promise<void> {
    // The batch was applied in part: memory is read again from what is committed.
    await this.#writer.settled()
    await this.#writer.reload()
    const other = this.#impossible.get(fault.height)
    if (other !== undefined && other !== fault.origin)
      throw new Invariant(
        fault.code,
        `${fault.message}, and the nodes ${other} and ${fault.origin} agree on that block: Astrolabe reads it wrongly, please report it`,
        { ...fault.facts, origins: [other, fault.origin] },
        fault,
      )
    this.#impossible.set(fault.height, fault.origin)
    await this.#blame(fault, fault.origin)
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
