import type { Random } from '../../lib/random.ts'

/** Ways in which a replay node can fail on command. */
export const FAULT_NAMES = [
  // the HTTP answer as a whole
  'truncated',
  'html',
  'empty',
  'http-500',
  'http-429',
  'http-503',
  'slow',
  'silence',
  'reset',
  'gzip-bomb',
  // the envelope of a call
  'rpc-error',
  'wrong-type',
  'wrong-id',
  'missing-member',
  'deep-nesting',
  // what the call is about
  'wrong-chain-id',
  'wrong-height',
  'missing-results',
  'null-results',
  'results-not-kept',
  'tampered-header',
  'tampered-tx',
  'tampered-blob',
  'tampered-results',
  'tampered-validators',
  // proofs of state
  'pruned-state',
  'no-proofs',
  'tampered-proof',
  // where the node says it stands
  'catching-up',
  'head-backwards',
  'lagging',
  'over-claims',
  'results-late',
  'pruned',
  'socket-silent',
] as const

export type FaultName = (typeof FAULT_NAMES)[number]

export type FaultOptions = {
  /** Chance that a call in question is hit; 1 without it. */
  probability?: number
  /** Hits this many times, then no more. */
  times?: number
  /** Only these RPC methods. */
  methods?: string[]
  /** Only calls about these heights. */
  from?: number
  to?: number
  /** `slow`: time to the end of the answer. */
  delayMs?: number
  /** `http-429`, `http-503`. */
  retryAfterSeconds?: number
  /** `head-backwards`, `lagging`, `catching-up`: blocks behind the true head; `over-claims`: above it; `pruned`: lowest height. */
  blocks?: number
}

export type Call = { method: string; height?: number | undefined }

/** Which faults are on. One seeded random drives them all, so that a run can be repeated. */
export class FaultSwitch {
  readonly #active = new Map<FaultName, FaultOptions & { left: number }>()
  readonly #random: Random
  /** How often each fault hit. */
  readonly hits = new Map<FaultName, number>()

  constructor(random: Random) {
    this.#random = random
  }

  set(name: FaultName, options: FaultOptions = {}): void {
    this.#active.set(name, { ...options, left: options.times ?? Number.POSITIVE_INFINITY })
  }

  clear(name?: FaultName): void {
    if (name) this.#active.delete(name)
    else this.#active.clear()
  }

  /** Whether `name` hits this call now; counts it when it does. */
  strike(name: FaultName, call: Call): FaultOptions | undefined {
    const fault = this.#active.get(name)
    if (!fault || fault.left <= 0) return undefined
    if (fault.methods && !fault.methods.includes(call.method)) return undefined
    const { height } = call
    if (fault.from !== undefined && (height === undefined || height < fault.from)) return undefined
    if (fault.to !== undefined && (height === undefined || height > fault.to)) return undefined
    if (fault.probability !== undefined && this.#random() >= fault.probability) return undefined
    fault.left--
    this.hits.set(name, (this.hits.get(name) ?? 0) + 1)
    return fault
  }

  /** For faults of the whole answer: the first of `names` that hits one of the calls. */
  strikeAny(names: readonly FaultName[], calls: readonly Call[]): { name: FaultName; options: FaultOptions } | undefined {
    for (const name of names) {
      for (const call of calls) {
        const options = this.strike(name, call)
        if (options) return { name, options }
      }
    }
    return undefined
  }
}
