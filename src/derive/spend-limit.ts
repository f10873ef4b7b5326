/** How a payment shrinks the limit of a grant: by the chain's own arithmetic. */
import { microsOf, timeOfMicros } from '../lib/time.ts'
import type { CoinAmount, GrantLimit, Spending } from '../types/effects.ts'
import { parseAmount } from './coins.ts'

export function spendFrom({ spend_limit, period }: GrantLimit, coins: readonly Spending[], time: string): GrantLimit {
  const open = period && renewed(period, spend_limit, time)
  return {
    spend_limit: spend_limit && subtract(spend_limit, coins),
    period: open && { ...open, can_spend: subtract(open.can_spend, coins) },
  }
}

type Period = NonNullable<GrantLimit['period']>

/** A period that is over begins again with the first payment after it; one that was left out entirely begins at that payment. */
function renewed(period: Period, left: GrantLimit['spend_limit'], time: string): Period {
  const [now, end, length] = [microsOf(time), microsOf(period.reset), Math.round(period.seconds * 1e6)]
  if (now < end) return period
  const can_spend = left && !covers(left, period.spend_limit) ? left : period.spend_limit
  const next = end + length
  return { ...period, can_spend, reset: timeOfMicros(now > next ? now + length : next) }
}

function covers(coins: readonly CoinAmount[], others: readonly CoinAmount[]): boolean {
  return others.every(({ denom, amount }) => amountIn(coins, denom) >= (parseAmount(amount) ?? 0n))
}

/** Denoms of which nothing is left are left out, as on the chain, which never lets an amount fall below 0. */
function subtract(coins: readonly CoinAmount[], spent: readonly Spending[]): CoinAmount[] {
  return coins.flatMap(({ denom, amount }) => {
    const left = spent.reduce((sum, coin) => (coin.denom === denom ? sum - coin.amount : sum), parseAmount(amount) ?? 0n)
    return left > 0n ? [{ denom, amount: String(left) }] : []
  })
}

function amountIn(coins: readonly CoinAmount[], denom: string): bigint {
  return parseAmount(coins.find((coin) => coin.denom === denom)?.amount) ?? 0n
}
