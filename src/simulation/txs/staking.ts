/** Staking actions as SDK 0.50 tells them, with the coins they move between accounts and the pools. Times are those of the chain. */
import {
  MsgBeginRedelegateSchema,
  MsgDelegateSchema,
  MsgUndelegateSchema,
} from '../../decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import type { ChainEvent } from '../../types/chain.ts'
import { moduleText } from './accounts.ts'
import { anEvent, movedCoins } from './events.ts'
import { type Action, aMessage } from './tx.ts'

export const BONDED = moduleText('bonded_tokens_pool')
export const NOT_BONDED = moduleText('not_bonded_tokens_pool')

export const coin = (amount: bigint) => ({ denom: 'utia', amount: String(amount) })

export function delegating(from: string, operator: string, amount: bigint, newShares?: string): Action {
  return {
    message: aMessage(MsgDelegateSchema, { delegatorAddress: from, validatorAddress: operator, amount: coin(amount) }),
    events: delegationEvents(from, operator, amount, newShares),
  }
}

export function delegationEvents(from: string, operator: string, amount: bigint, newShares?: string): ChainEvent[] {
  return [
    ...movedCoins(from, BONDED, `${amount}utia`),
    anEvent('delegate', {
      validator: operator,
      delegator: from,
      amount: `${amount}utia`,
      new_shares: newShares ?? `${amount}.000000000000000000`,
    }),
  ]
}

/** `given`: what the event states when the chain could not give the whole requested amount back. */
export function undelegating(from: string, operator: string, requested: bigint, completion: string, given = requested): Action {
  return {
    message: aMessage(MsgUndelegateSchema, { delegatorAddress: from, validatorAddress: operator, amount: coin(requested) }),
    events: unbondingEvents(from, operator, given, completion),
  }
}

export function unbondingEvents(from: string, operator: string, given: bigint, completion: string): ChainEvent[] {
  return [
    ...movedCoins(BONDED, NOT_BONDED, `${given}utia`),
    anEvent('unbond', { validator: operator, delegator: from, amount: `${given}utia`, completion_time: completion }),
  ]
}

/** `completion` null: out of a validator that is not bonded, complete at once. */
export function redelegating(
  from: string,
  source: string,
  destination: string,
  amount: bigint,
  completion: string | null,
  moved: ChainEvent[] = [],
): Action {
  const message = aMessage(MsgBeginRedelegateSchema, {
    delegatorAddress: from,
    validatorSrcAddress: source,
    validatorDstAddress: destination,
    amount: coin(amount),
  })
  const event = anEvent('redelegate', {
    source_validator: source,
    destination_validator: destination,
    amount: `${amount}utia`,
    completion_time: completion ?? '0001-01-01T00:00:00Z',
  })
  return { message, events: [...moved, event] }
}

export function unbondingDone(to: string, operator: string, amount: bigint): ChainEvent[] {
  return [
    ...movedCoins(NOT_BONDED, to, `${amount}utia`),
    anEvent('complete_unbonding', { amount: `${amount}utia`, validator: operator, delegator: to }),
  ]
}

export function redelegationDone(to: string, source: string, destination: string, amount: bigint): ChainEvent {
  return anEvent('complete_redelegation', {
    amount: amount === 0n ? '' : `${amount}utia`,
    delegator: to,
    source_validator: source,
    destination_validator: destination,
  })
}
