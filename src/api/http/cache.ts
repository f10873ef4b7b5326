import type { Answer } from './answer.ts'

/** Rough cost of a map entry and its objects beside the bytes. */
const OVERHEAD = 400
/** Answers above this are computed again: a few of them would push out everything else. */
const MAX_ANSWER = 1 << 20

/**
 * Bytes-bounded map that forgets: when `current` is full it becomes `previous`, so at most the budget lives and used entries survive.
 * A hit costs one look-up, which a linked list of recent use does not.
 */
class Generations {
  readonly #half: number
  #bytes = 0
  #current = new Map<string, Answer>()
  #previous = new Map<string, Answer>()
  constructor(budget: number) {
    this.#half = budget / 2
  }

  get(key: string): Answer | undefined {
    const answer = this.#current.get(key)
    if (answer) return answer
    const older = this.#previous.get(key)
    if (older) this.set(key, older)
    return older
  }

  set(key: string, answer: Answer): void {
    const size = OVERHEAD + key.length + answer.body.length
    if (this.#bytes + size > this.#half) {
      this.#previous = this.#current
      this.#current = new Map()
      this.#bytes = 0
    }
    this.#bytes += size
    this.#current.set(key, answer)
  }

  clear(): void {
    this.#current = new Map()
    this.#previous = new Map()
    this.#bytes = 0
  }
}

/**
 * Answers of one network, kept for exactly one head; those about closed things until a block is taken back.
 * Keys are the request's own text first (no parsing on a hit) and the normalised form second.
 */
export class AnswerCache {
  readonly #ofHead: Generations
  readonly #closed: Generations

  constructor(budgetBytes: number) {
    this.#ofHead = new Generations(budgetBytes * 0.75)
    this.#closed = new Generations(budgetBytes * 0.25)
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
