import { BoundedCache } from '../../lib/bounded-cache.ts'
import type { Answer } from './answer.ts'

/** Rough cost of a map entry and its objects beside the bytes. */
const OVERHEAD = 400
/** Answers above this are computed again: a few of them would push out everything else. */
const MAX_ANSWER = 1 << 20

/** Part of the memory for closed things. */
const CLOSED_SHARE = 0.25

const sizeOf = ({ body }: Answer, key: string) => OVERHEAD + key.length + body.length

/**
 * Answers of one network, kept for exactly one head; those about closed things until a block is taken back.
 * Keys are the request's own text first (no parsing on a hit) and the normalised form second.
 */
export class AnswerCache {
  readonly #ofHead: BoundedCache<string, Answer>
  readonly #closed: BoundedCache<string, Answer>

  constructor(budgetBytes: number, closedShare = CLOSED_SHARE) {
    this.#ofHead = new BoundedCache(budgetBytes * (1 - closedShare), sizeOf)
    this.#closed = new BoundedCache(budgetBytes * closedShare, sizeOf)
  }

  get(key: string): Answer | undefined {
    return this.#ofHead.get(key) ?? this.#closed.get(key)
  }

  set(key: string, answer: Answer): void {
    if (answer.body.length > MAX_ANSWER) return
    if (answer.kept === 'closed') this.#closed.set(key, answer)
    else if (answer.kept === 'head') this.#ofHead.set(key, answer)
  }

  /** The head moved: what was true of the one before is forgotten. */
  advance(): void {
    this.#ofHead.clear()
  }

  /** Blocks were taken back: nothing is certain any more. */
  rollBack(): void {
    this.#ofHead.clear()
    this.#closed.clear()
  }
}
