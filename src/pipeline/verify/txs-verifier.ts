import type { ChainSource, Witness } from '../../chain/source.ts'
import { systemClock } from '../../lib/clock.ts'
import { NodeFault, Transient } from '../../lib/errors.ts'
import type { HeightRange } from '../../store/write/unverified.ts'
import type { Writer } from '../../store/write/writer.ts'
import { TxsRefused } from './recheck-tip.ts'
import type { ToldHeights } from './told.ts'
import type { TxsThread } from './txs-thread.ts'

export type VerifierParts = {
  source: ChainSource
  writer: Writer
  told: ToldHeights
  chainId: string
  thread: TxsThread
  /** No node has a height, or none tells the truth about it: it stays unverified for now. */
  onUnverifiable?: ((height: number, reason: string) => void) | undefined
}

/** Blocks that are asked for, or wait for the thread, at a time. */
const AT_ONCE = 4
/** Heights after which the progress is written. */
const SLICE = 64
/** Pause where everything is verified, and where a height cannot be. */
const IDLE_MS = 1000
const REST_MS = 30_000

/** A height that no node at hand tells truly. */
class Unverifiable extends Transient {}

/**
 * Compares the txs of heights that were written without it with the data root in their header, the lowest first, while the index continues. The
 * blocks are read once more: the index does not keep the bytes of txs.
 */
export class TxsVerifier {
  readonly #parts: VerifierParts
  readonly #signal: AbortSignal
  #failure: TxsRefused | undefined
  #tell: () => void = () => {}
  #told = new Promise<void>(() => {})
  #next = 0

  constructor(parts: VerifierParts, signal: AbortSignal) {
    this.#parts = parts
    this.#signal = signal
    this.#wait()
  }

  /** Resolves when a height was refuted. */
  refuted(): Promise<void> {
    return this.#told
  }

  throwIfRefuted(): void {
    const failure = this.#failure
    if (!failure) return
    this.#failure = undefined
    this.#wait()
    throw failure
  }

  /** Runs until aborted. */
  async run(): Promise<void> {
    const { writer, thread, onUnverifiable } = this.#parts
    // A thread of the lowest priority may not be done for a while: its heights are verified the next time.
    this.#signal.addEventListener('abort', () => void thread.close(), { once: true })
    try {
      while (!this.#signal.aborted) {
        const rest = await this.#verifyNext().catch((error: unknown) => {
          if (this.#signal.aborted) return 0
          // Whatever it is, the heights stay unverified and are tried again.
          const from = error instanceof Transient && typeof error.facts.height === 'number' ? error.facts.height : 0
          onUnverifiable?.(from, error instanceof Error ? error.message : String(error))
          return error instanceof Unverifiable ? REST_MS : IDLE_MS
        })
        if (rest > 0) await systemClock.sleep(rest, this.#signal).catch(() => {})
      }
    } finally {
      await thread.close()
      await writer.settled().catch(() => {})
    }
  }

  #wait(): void {
    this.#told = new Promise((resolve) => {
      this.#tell = resolve
    })
  }

  /** Gives the pause before the next. */
  async #verifyNext(): Promise<number> {
    const { writer, thread } = this.#parts
    // Heights are about to be taken back.
    if (this.#failure) return IDLE_MS
    const range = await writer.notes.findUnverified()
    if (!range) {
      await thread.close()
      return IDLE_MS
    }
    await this.#verifySlice({ from: range.from, to: Math.min(range.to, range.from + SLICE - 1) })
    return 0
  }

  /** Notes as much as was verified, whatever stops it. */
  async #verifySlice({ from, to }: HeightRange): Promise<void> {
    let verified = from - 1
    const ahead: Promise<void>[] = []
    try {
      for (let next = from; verified < to; ) {
        while (next <= to && ahead.length < AT_ONCE) {
          const work = this.#verifyHeight(next++)
          // Awaited in its turn.
          work.catch(() => {})
          ahead.push(work)
        }
        await ahead.shift()
        verified++
      }
    } catch (error) {
      if (!(error instanceof TxsRefused)) throw error
      this.#failure = error
      this.#tell()
    } finally {
      await Promise.allSettled(ahead)
      if (verified >= from) await this.#parts.writer.notes.verified({ from, to: verified })
    }
  }

  /** Ends well when a node has the block whose txs the header seals, and the index has the same. */
  async #verifyHeight(height: number): Promise<void> {
    const { source, thread, chainId, told } = this.#parts
    const reasons: string[] = []
    for (const witness of this.#inTurn(source.witnesses())) {
      this.#signal.throwIfAborted()
      const raw = await this.#ask(witness, height, reasons)
      this.#signal.throwIfAborted()
      if (!raw) continue
      const verdict = await thread.verify(raw, chainId)
      if (verdict.kind === 'verified') return
      if (verdict.kind === 'refuted') throw new TxsRefused({ height, origin: told.at(height)?.origin ?? '' }, verdict.reason)
      if (verdict.kind === 'other') {
        reasons.push(`${witness.origin} is on another branch`)
        continue
      }
      const fault = new NodeFault(verdict.fault.code ?? 'bad_block', verdict.fault.message, verdict.fault.facts)
      // A node that repeats false txs is the one that gave them.
      if (verdict.isIndexed) throw new TxsRefused({ height, origin: witness.origin }, fault.message)
      source.reportFault(witness.origin, fault)
      reasons.push(`${witness.origin}: ${fault.message}`)
    }
    throw new Unverifiable('txs_unverified', `the txs of height ${height} cannot be verified: ${reasons.join('; ')}`, { height })
  }

  async #ask(witness: Witness, height: number, reasons: string[]) {
    try {
      const raw = await witness.block(height, this.#signal)
      if (!raw) reasons.push(`${witness.origin} does not have it`)
      return raw
    } catch (error) {
      if (!(error instanceof Transient)) throw error
      reasons.push(error.message)
      return undefined
    }
  }

  #inTurn(witnesses: Witness[]): Witness[] {
    const first = this.#next++ % Math.max(witnesses.length, 1)
    return [...witnesses.slice(first), ...witnesses.slice(0, first)]
  }
}
