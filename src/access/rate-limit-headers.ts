import type { FastifyReply } from 'fastify'
import type { Plan } from './plans.ts'
import type { Decision } from './rate-limit-account.ts'

const DAY_SECONDS = 86_400

const policies = new WeakMap<Plan, string>()

/** `RateLimit-Policy` and `RateLimit` (docs/rules.md R51); points, not requests, are counted. */
export function setLimitHeaders(reply: FastifyReply, plan: Plan, decision: Decision): void {
  let policy = policies.get(plan)
  if (policy === undefined) {
    const window = Math.max(1, Math.ceil(plan.burst / plan.rate))
    policy = `"burst";q=${plan.burst};w=${window}${plan.quota === undefined ? '' : `, "daily";q=${plan.quota};w=${DAY_SECONDS}`}`
    policies.set(plan, policy)
  }
  reply.header('ratelimit-policy', policy)
  reply.header('ratelimit', describe(decision))
}

function describe({ policy, remaining, remainingToday, seconds, allowed }: Decision): string {
  if (policy === 'burst' || remainingToday === undefined) return `"burst";r=${remaining};t=${seconds}`
  const daily = `"daily";r=${remainingToday};t=${secondsLeftToday()}`
  return allowed ? `"burst";r=${remaining};t=${seconds}, ${daily}` : daily
}

function secondsLeftToday(): number {
  return DAY_SECONDS - (Math.floor(Date.now() / 1000) % DAY_SECONDS)
}

/** Never less than what is left of the window, and not the same for all who were refused together. */
export function retryAfter({ seconds }: Pick<Decision, 'seconds'>): string {
  return String(seconds + Math.floor(Math.random() * Math.min(30, 1 + seconds * 0.2)))
}
