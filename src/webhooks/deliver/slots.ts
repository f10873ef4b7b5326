import { FairQueue } from '../../lib/fair-queue.ts'

/** A receiver that takes longer is slow: its request gives its slot back and its next one waits with those that fail. */
export const SLOW_MS = 1000

/** One account has at most so many of the slots: others need not wait for its requests to end. */
const ACCOUNT_SHARE = 0.75
const TROUBLED_SHARE = 0.25

type SlowRequest = { account: string; cut: () => void }

/**
 * Bounds the requests under way. Accounts take turns, and subscriptions that fail or are slow share a part of their own. A request that
 * is slow gives its slot back and continues beside the others; when too many do, the account with the most of them loses its oldest one.
 */
export class DeliverySlots {
  readonly #healthy: FairQueue
  readonly #troubled: FairQueue
  readonly #most: number
  readonly #slowMs: number
  /** gave their slot back and are still under way, oldest first */
  readonly #slow = new Set<SlowRequest>()

  constructor(concurrency: number, slowMs = SLOW_MS) {
    const troubled = Math.max(1, Math.floor(concurrency * TROUBLED_SHARE))
    this.#most = concurrency
    this.#slowMs = slowMs
    this.#troubled = openQueue(troubled)
    this.#healthy = openQueue(Math.max(1, concurrency - troubled))
  }

  /** `job` is told when it loses its slot. */
  async run<T>(account: string, isTroubled: boolean, job: (cut: AbortSignal) => Promise<T>): Promise<T> {
    const cutting = new AbortController()
    if (isTroubled) return this.#troubled.run(account, 1, () => job(cutting.signal))
    // An object, so that the queue waits for the slot and not for the outcome.
    const { outcome } = await this.#healthy.run(account, 1, async () => {
      const started = { outcome: job(cutting.signal) }
      if (!(await endsWithin(started.outcome, this.#slowMs))) this.#goOn({ account, cut: () => cutting.abort() }, started.outcome)
      return started
    })
    return outcome
  }

  #goOn(request: SlowRequest, outcome: Promise<unknown>): void {
    this.#slow.add(request)
    const end = () => this.#slow.delete(request)
    outcome.then(end, end)
    if (this.#slow.size <= this.#most) return
    const counts = new Map<string, number>()
    for (const { account } of this.#slow) counts.set(account, (counts.get(account) ?? 0) + 1)
    const most = Math.max(...counts.values())
    const oldest = [...this.#slow].find(({ account }) => counts.get(account) === most)!
    this.#slow.delete(oldest)
    oldest.cut()
  }
}

const openQueue = (slots: number) => new FairQueue(slots, Math.max(1, Math.floor(slots * ACCOUNT_SHARE)))

async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const end = () => true
  const isOver = await Promise.race([work.then(end, end), late])
  clearTimeout(timer)
  return isOver
}
