/** Staking actions as SDK 0.50 tells them, with the coins they move. */
import { PubKeySchema } from '../../src/decode/gen/cosmos/crypto/ed25519/types_pb.ts'
import {
  MsgBeginRedelegateSchema,
  MsgCancelUnbondingDelegationSchema,
  MsgCreateValidatorSchema,
  MsgDelegateSchema,
  MsgUndelegateSchema,
} from '../../src/decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import type { ChainEvent } from '../../src/types/chain.ts'
import { aMessage, anAny, anEvent, aTx, type BuiltTx, blockTime, moduleText, movedCoins } from '../builders.ts'

const BONDED = moduleText('bonded_tokens_pool')
const NOT_BONDED = moduleText('not_bonded_tokens_pool')

/** The chain of the builders unbonds for 60 seconds: ten blocks. */
export const UNBONDING_BLOCKS = 10

const coin = (amount: bigint) => ({ denom: 'utia', amount: String(amount) })

export function aDelegation(from: string, operator: string, amount: bigint, newShares?: string): BuiltTx {
  const message = aMessage(MsgDelegateSchema, { delegatorAddress: from, validatorAddress: operator, amount: coin(amount) })
  return aTx({ from, actions: [{ message, events: delegationEvents(from, operator, amount, newShares) }] })
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
export function anUnbonding(from: string, operator: string, requested: bigint, height: number, given = requested): BuiltTx {
  const message = aMessage(MsgUndelegateSchema, { delegatorAddress: from, validatorAddress: operator, amount: coin(requested) })
  return aTx({ from, actions: [{ message, events: unbondingEvents(from, operator, given, height) }] })
}

export function unbondingEvents(from: string, operator: string, given: bigint, height: number): ChainEvent[] {
  return [
    ...movedCoins(BONDED, NOT_BONDED, `${given}utia`),
    anEvent('unbond', {
      validator: operator,
      delegator: from,
      amount: `${given}utia`,
      completion_time: blockTime(height + UNBONDING_BLOCKS),
    }),
  ]
}

/** Takes back what began to unbond at `height`. */
export function aCancelledUnbonding(from: string, operator: string, amount: bigint, height: number): BuiltTx {
  const message = aMessage(MsgCancelUnbondingDelegationSchema, {
    delegatorAddress: from,
    validatorAddress: operator,
    amount: coin(amount),
    creationHeight: BigInt(height),
  })
  const event = anEvent('cancel_unbonding_delegation', {
    amount: `${amount}utia`,
    validator: operator,
    delegator: from,
    creation_height: String(height),
  })
  return aTx({ from, actions: [{ message, events: [...movedCoins(NOT_BONDED, BONDED, `${amount}utia`), event] }] })
}

/** `height` null: out of a validator that is not bonded, complete at once. */
export function aRedelegation(
  from: string,
  source: string,
  destination: string,
  amount: bigint,
  height: number | null,
  moved: ChainEvent[] = [],
): BuiltTx {
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
    completion_time: height === null ? '0001-01-01T00:00:00Z' : blockTime(height + UNBONDING_BLOCKS),
  })
  return aTx({ from, actions: [{ message, events: [...moved, event] }] })
}

export function unbondingDone(to: string, operator: string, amount: bigint): ChainEvent[] {
  return [
    ...movedCoins(NOT_BONDED, to, `${amount}utia`),
    anEvent('complete_unbonding', { amount: `${amount}utia`, validator: operator, delegator: to }),
  ]
}

export function burned(pool: 'bonded' | 'not_bonded', amount: bigint): ChainEvent[] {
  const burner = pool === 'bonded' ? BONDED : NOT_BONDED
  return [
    anEvent('coin_spent', { spender: burner, amount: `${amount}utia` }),
    anEvent('burn', { burner, amount: `${amount}utia` }),
  ]
}

/** Somebody makes a validator again whose first one was removed; its stake waits in the pool of those that are not bonded. */
export function aSecondBeginning({ text, operator }: { text: string; operator: string }, key: Uint8Array): BuiltTx {
  const message = aMessage(MsgCreateValidatorSchema, {
    description: { moniker: 'two again' },
    commission: { rate: '200000000000000000', maxRate: '600000000000000000', maxChangeRate: '10000000000000000' },
    minSelfDelegation: '1',
    validatorAddress: operator,
    pubkey: anAny(PubKeySchema, { key }),
    value: coin(3_000_000n),
  })
  const events = [
    ...movedCoins(text, NOT_BONDED, '3000000utia'),
    anEvent('create_validator', { validator: operator, amount: '3000000utia' }),
  ]
  return aTx({ from: text, actions: [{ message, events }] })
}
