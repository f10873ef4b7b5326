import { randomUUID } from 'node:crypto'
import { withDeadline } from '../lib/deadline.ts'
import type { LimitStore, PointsAsk } from '../store/access/limit-store.ts'
import type { Plan } from './plans.ts'
import { type Decision, LimitedAccount } from './rate-limit-account.ts'

export type RateLimiterOptions = {
  /** the shared counters are asked this often about accounts that have no hurry */
  tickMs?: number
  /** an answer of the shared counters is believed for this long */
  freshMs?: number
  /** the shared counters count as away after this long without an answer */
  timeoutMs?: number
  /** time between two tries while they are away */
  retryMs?: number
  /** accounts held in memory */
  maxAccounts?: number
  /** wall clock, milliseconds */
  now?: () => number
  onStore?: (state: 'up' | 'down', error?: unknown) => void
}

/** Servers tell each other that they are there this often. */
const MEET_MS = 1000

/** Unused points go back after this long. */
const IDLE_MS = 1000
const FORGET_MS = 60_000
const ASKS_AT_ONCE = 2000
const SWEEP_MS = 1000
const SWEPT_AT_ONCE = 2000

/**
 * Token buckets that hold over all servers. Points are taken from the shared counters in advance and in batches, and spent here: hardly
 * a request waits. Every point is taken before it is spent or settled right after, so that all servers together give no more than the
 * plan. While the shared counters are away each server keeps buckets of its own: never unlimited, never an error.
 */
export class RateLimiter {
  readonly #store: LimitStore
  readonly #options: Required<RateLimiterOptions>
  readonly #accounts = new Map<string, LimitedAccount>()
  readonly #due = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #timerAt = 0
  #asking: Promise<void> | undefined
  /** requests that wait for the shared counters */
  #waiting = 0
  #isDown = false
  #isStopped = false
  #sweptAt = 0
  readonly #name = randomUUID()
  /** False also while nobody knows. */
  #isAlone = false
  #meeting: NodeJS.Timeout | undefined

  constructor(store: LimitStore, options: RateLimiterOptions = {}) {
    this.#store = store
    this.#options = {
      tickMs: 50,
      freshMs: 1000,
      timeoutMs: 1500,
      retryMs: 1000,
      maxAccounts: 200_000,
      now: Date.now,
      onStore: () => {},
      ...options,
    }
  }

  get size(): number {
    return this.#accounts.size
  }

  /** Decides at once. */
  take(name: string, plan: Plan, cost: number): Decision {
    const now = this.#options.now()
    const account = this.#accountOf(name, plan, now)
    account.usedAt = now
    account.demand += cost
    const allowed = this.#isDown ? account.spendOwn(cost, now) : account.spend(cost, now, this.#options.freshMs)
    if (this.#isDown) this.#schedule(name, this.#options.retryMs)
    // Asked early enough that the next points are there before the last are spent; where the bucket is empty there is no hurry.
    else if (account.tokens < account.demand)
      this.#schedule(name, account.isPlentiful || account.inBucket(now) < cost ? this.#options.tickMs : 0)
    return account.describe(allowed, cost, now)
  }

  /**
   * Decides at once where this server can. A request is not refused for points that the bucket probably holds but this server does not:
   * it waits for the answer of the shared counters.
   */
  decide(name: string, plan: Plan, cost: number): Decision | Promise<Decision> {
    const decision = this.take(name, plan, cost)
    if (decision.allowed || this.#isDown || this.#isStopped) return decision
    const account = this.#accounts.get(name)!
    return account.mayHold(cost, this.#options.now()) ? this.#decideLater(name, account, cost) : decision
  }

  async #decideLater(name: string, account: LimitedAccount, cost: number): Promise<Decision> {
    account.awaited += cost
    this.#waiting++
    const answered = new Promise<void>((resolve) => account.waiters.push(resolve))
    this.#schedule(name, 0)
    try {
      await answered
    } finally {
      account.awaited -= cost
      this.#waiting--
    }
    return this.take(name, account.plan, cost)
  }

  /** Takes points for what has been served already. The bucket may go below zero: nothing is served from it until it has filled up. */
  owe(name: string, plan: Plan, points: number): void {
    const account = this.#accountOf(name, plan, this.#options.now())
    account.debt += points
    this.#schedule(name, this.#isDown ? this.#options.retryMs : this.#options.tickMs)
  }

  /** Opens the way to the shared counters, so that the first request does not find it cold. */
  async start(): Promise<void> {
    try {
      await withTimeout(this.#store.take([]), this.#options.timeoutMs)
    } catch (error) {
      this.#setDown(true, error)
    }
    await this.meet()
    this.#meeting = setInterval(() => void this.meet(), MEET_MS)
    this.#meeting.unref()
  }

  /** Says that this server is there, and learns whether others are. */
  async meet(): Promise<void> {
    try {
      this.#isAlone = (await withTimeout(this.#store.meet(this.#name), this.#options.timeoutMs)) === 1
    } catch {
      // That the counters are away is found out by asking for points.
      this.#isAlone = false
    }
  }

  /** Settles what is open and gives back what was not used. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    clearInterval(this.#meeting)
    await this.#asking
    for (const [name, { tokens, debt }] of this.#accounts) if (tokens !== 0 || debt !== 0) this.#due.add(name)
    // Points that cannot be settled now are lost with the process.
    do await this.#ask()
    while (this.#due.size > 0 && !this.#isDown)
    // A process that ends without leaving is dropped from the list after a few seconds.
    if (!this.#isDown) await withTimeout(this.#store.leave(this.#name), this.#options.timeoutMs).catch(() => {})
  }

  #accountOf(name: string, plan: Plan, now: number): LimitedAccount {
    let account = this.#accounts.get(name)
    if (!account) {
      if (this.#accounts.size >= this.#options.maxAccounts) this.#forgetFirst()
      account = new LimitedAccount(plan, now)
      this.#accounts.set(name, account)
    }
    account.plan = plan
    account.isAlone = this.#isAlone
    return account
  }

  #schedule(name: string, delayMs: number): void {
    this.#due.add(name)
    if (this.#asking || this.#isStopped) return
    const at = this.#options.now() + delayMs
    if (this.#timer && this.#timerAt <= at) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => this.#tick(), delayMs)
    this.#timer.unref()
  }

  #tick(): void {
    this.#timer = undefined
    this.#asking = this.#ask().finally(() => {
      this.#asking = undefined
      this.#sweep()
      const [next] = this.#due
      if (next !== undefined)
        this.#schedule(next, this.#isDown ? this.#options.retryMs : this.#waiting > 0 ? 0 : this.#options.tickMs)
    })
  }

  async #ask(): Promise<void> {
    const asks: PointsAsk[] = []
    const waiters: (() => void)[] = []
    for (const name of this.#due) {
      if (asks.length === ASKS_AT_ONCE) break
      this.#due.delete(name)
      const account = this.#accounts.get(name)
      if (!account) continue
      asks.push(this.#makeAsk(name, account))
      waiters.push(...account.waiters.splice(0))
    }
    if (asks.length === 0) return
    try {
      const grants = await withTimeout(this.#store.take(asks), this.#options.timeoutMs)
      const now = this.#options.now()
      for (const { account: name, granted, tokens, used } of grants) {
        const account = this.#accounts.get(name)
        if (!account) continue
        account.settling = 0
        account.tokens += granted
        account.hear(tokens, used, now)
        if (account.tokens > 0) this.#returnLater(name, account)
      }
      this.#setDown(false)
    } catch (error) {
      for (const { account, spent } of asks) this.#restore(account, spent)
      this.#setDown(true, error)
    }
    for (const wake of waiters) wake()
  }

  /** Asks for the owed points and a few times the need of the last requests, so that few points lie idle while other processes need them. */
  #makeAsk(name: string, account: LimitedAccount): PointsAsk {
    const { plan, demand, tokens, debt, awaited } = account
    const isIdle = this.#isStopped || this.#options.now() - account.usedAt > IDLE_MS
    const inAdvance = isIdle || account.isPlentiful ? 0 : Math.min(plan.burst / 4, Math.ceil(demand * 4))
    const wanted = Math.max(0, Math.max(inAdvance, awaited) - tokens)
    account.settling = debt
    account.debt = 0
    account.demand = 0
    if (isIdle) account.tokens = 0
    return {
      account: name,
      spent: isIdle ? debt - tokens : debt,
      wanted,
      rate: plan.rate,
      burst: plan.burst,
      quota: plan.quota,
    }
  }

  #restore(name: string, spent: number): void {
    const account = this.#accounts.get(name)
    if (!account) return
    account.settling = 0
    if (spent >= 0) account.debt += spent
    else account.tokens -= spent
    // Asked again until it works: that is how we learn that the counters are back.
    if (!this.#isStopped) this.#due.add(name)
  }

  #returnLater(name: string, account: LimitedAccount): void {
    if (account.isWatched) return
    account.isWatched = true
    setTimeout(() => {
      account.isWatched = false
      if (account.tokens <= 0 || this.#isStopped) return
      if (this.#options.now() - account.usedAt > IDLE_MS) this.#schedule(name, 0)
      else this.#returnLater(name, account)
    }, IDLE_MS).unref()
  }

  #setDown(isDown: boolean, error?: unknown): void {
    if (isDown === this.#isDown) return
    this.#isDown = isDown
    if (!isDown) for (const account of this.#accounts.values()) account.forgetOwn()
    this.#options.onStore(isDown ? 'down' : 'up', error)
  }

  /** Forgets accounts that nobody used for a while; the ones in use move to the end of the map, so that each walk meets others. */
  #sweep(): void {
    const now = this.#options.now()
    if (now - this.#sweptAt < SWEEP_MS) return
    this.#sweptAt = now
    let seen = 0
    for (const [name, account] of this.#accounts) {
      if (++seen > SWEPT_AT_ONCE) return
      this.#accounts.delete(name)
      const isOpen = account.tokens !== 0 || account.debt !== 0
      if (isOpen || now - account.usedAt < FORGET_MS) this.#accounts.set(name, account)
    }
  }

  #forgetFirst(): void {
    for (const [name, { waiters }] of this.#accounts) {
      this.#accounts.delete(name)
      for (const wake of waiters) wake()
      return
    }
  }
}

const withTimeout = <T>(work: Promise<T>, ms: number): Promise<T> => withDeadline(work, ms, () => new Error('no answer in time'))
