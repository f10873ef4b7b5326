import type { PlanConfig } from '../config/access-schema.ts'
import { type ListedPlan, listPlans } from './plan-list.ts'

/** Where keys of plans are sold, for those who ask the key surface. */
export class Shop {
  readonly #configs: readonly PlanConfig[]
  #url: string | undefined
  #plans: ListedPlan[]

  constructor(configs: readonly PlanConfig[], url: string | undefined) {
    this.#configs = configs
    this.#url = url?.replace(/\/+$/, '')
    this.#plans = listPlans(configs, this.#url)
  }

  /** Address of the paid surface, where it sells plans. */
  get url(): string | undefined {
    return this.#configs.some(({ sold }) => sold) ? this.#url : undefined
  }

  get plans(): ListedPlan[] {
    return this.#plans
  }

  /** The paid surface is at `url` from now on. */
  open(url: string): void {
    this.#url = url.replace(/\/+$/, '')
    this.#plans = listPlans(this.#configs, this.#url)
  }

  /** How to go on when a key of the plan ends, as the end of a sentence. */
  sayHow(plan: string): string {
    const url = this.#plans.find(({ name }) => name === plan)?.buy_url
    return url ? `renew it by POST ${url} with the key in the header apikey` : 'ask the operator for another one'
  }
}
