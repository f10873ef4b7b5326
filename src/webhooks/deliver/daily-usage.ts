import type { Plans } from '../../access/plans.ts'
import type { DayUsage } from '../../store/webhooks/usage.ts'

const DAY_MS = 86_400_000

/** Usage of accounts today, as the database last said: it counts for all processes and networks. */
export class DailyUsage {
  readonly #plans: Plans
  readonly #now: () => number
  #used = new Map<string, DayUsage>()

  constructor(plans: Plans, now: () => number) {
    this.#plans = plans
    this.#now = now
  }

  replace(usages: readonly DayUsage[]): void {
    this.#used = new Map(usages.map((usage) => [usage.account, usage]))
  }

  hear(usages: readonly DayUsage[]): void {
    for (const usage of usages) this.#used.set(usage.account, usage)
  }

  /** `plans`: those of the account's keys; the most generous counts. */
  isUsedUp({ account, plans }: { account: string; plans: readonly string[] }): boolean {
    const used = this.#used.get(account)
    if (used?.day !== new Date(this.#now()).toISOString().slice(0, 10)) return false
    const { byName, free } = this.#plans
    const owned = plans.map((name) => byName.get(name) ?? free)
    const { POSITIVE_INFINITY: endless } = Number
    const isWithin = owned.some(
      ({ webhookEvents = endless, webhookBytes = endless }) => used.events < webhookEvents && used.bytes < webhookBytes,
    )
    return !isWithin
  }

  /** When the next day begins. */
  get endsAt(): Date {
    return new Date((Math.floor(this.#now() / DAY_MS) + 1) * DAY_MS)
  }
}
