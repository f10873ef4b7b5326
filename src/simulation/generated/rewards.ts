import type { ChainEvent } from '../../types/chain.ts'
import { moduleText } from '../txs/accounts.ts'
import { anEvent, mintedCoins, movedCoins } from '../txs/events.ts'
import type { Actors } from './actors.ts'
import type { Profile } from './profile.ts'
import type { Delegation, GeneratedState, ValidatorState } from './state.ts'

export const ONE = 10n ** 18n
const YEAR_MS = 31_556_952_000n
/** 2.67 % of a billion TIA. */
const ANNUAL_PROVISIONS = 26_700_000_000_000n
const MINT = moduleText('mint')
export const COLLECTOR = moduleText('fee_collector')
const DISTRIBUTION = moduleText('distribution')

/** The new coins of the time since the last block and the fees of that block go to the validators; 2 % stay with the community. */
export function beginBlock(state: GeneratedState, time: number, profile: Profile, { validators }: Actors): ChainEvent[] {
  const minted = (ANNUAL_PROVISIONS * BigInt(time - state.time)) / YEAR_MS
  const shared = minted + (state.balances[COLLECTOR] ?? 0n)
  const total = state.validators.reduce((sum, { tokens }) => sum + tokens, 0n)
  const earnings = state.validators.flatMap((validator, i) => {
    const rewards = (shared * ONE * 98n * validator.tokens) / (100n * total)
    const commission = (rewards * BigInt(profile.validators[i]!.commission)) / 100n
    validator.commission += commission
    validator.earned += ((rewards - commission) * ONE) / validator.tokens
    const { operator } = validators[i]!
    return [
      anEvent('commission', { amount: decText(commission), validator: operator }),
      anEvent('rewards', { amount: decText(rewards), validator: operator }),
    ]
  })
  return [
    ...mintedCoins('mint', `${minted}utia`),
    ...movedCoins(MINT, COLLECTOR, `${minted}utia`),
    anEvent('message', { sender: MINT }),
    anEvent('mint', {
      inflation_rate: '0.026700000000000000',
      annual_provisions: `${ANNUAL_PROVISIONS}.000000000000000000`,
      amount: String(minted),
    }),
    ...movedCoins(COLLECTOR, DISTRIBUTION, `${shared}utia`),
    anEvent('message', { sender: COLLECTOR }),
    ...earnings,
  ]
}

/** What a delegation has earned is paid, as on every change of it. */
export function payRewards(delegation: Delegation, validator: ValidatorState, operator: string): ChainEvent[] {
  const paid = (delegation.amount * (validator.earned - delegation.paidTo)) / ONE / ONE
  delegation.paidTo = validator.earned
  const amount = paid === 0n ? '' : `${paid}utia`
  return [
    ...(paid === 0n ? [] : movedCoins(DISTRIBUTION, delegation.by, amount)),
    anEvent('withdraw_rewards', { amount, validator: operator, delegator: delegation.by }),
  ]
}

/** Whole utia of the commission that waits. */
export function payCommission(validator: ValidatorState, to: string): ChainEvent[] {
  const paid = validator.commission / ONE
  validator.commission -= paid * ONE
  return [...movedCoins(DISTRIBUTION, to, `${paid}utia`), anEvent('withdraw_commission', { amount: `${paid}utia` })]
}

const decText = (amount: bigint) => `${amount / ONE}.${String(amount % ONE).padStart(18, '0')}utia`
