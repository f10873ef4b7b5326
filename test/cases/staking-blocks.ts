/** Staking txs of a chain that unbonds for ten blocks. */
import { PubKeySchema } from '../../src/decode/gen/cosmos/crypto/ed25519/types_pb.ts'
import {
  MsgCancelUnbondingDelegationSchema,
  MsgCreateValidatorSchema,
} from '../../src/decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import {
  BONDED,
  coin,
  delegating,
  NOT_BONDED,
  redelegating,
  unbondingEvents as unbondingEventsAt,
  undelegating,
} from '../../src/simulation/txs/staking.ts'
import type { ChainEvent } from '../../src/types/chain.ts'
import { aMessage, anAny, anEvent, aTx, type BuiltTx, blockTime, movedCoins } from '../builders.ts'

export { delegationEvents, redelegationDone, unbondingDone } from '../../src/simulation/txs/staking.ts'

/** The chain of the builders unbonds for 60 seconds: ten blocks. */
export const UNBONDING_BLOCKS = 10

const completionOf = (height: number) => blockTime(height + UNBONDING_BLOCKS)

export function aDelegation(from: string, operator: string, amount: bigint, newShares?: string): BuiltTx {
  return aTx({ from, actions: [delegating(from, operator, amount, newShares)] })
}

/** `given`: what the event states when the chain could not give the whole requested amount back. */
export function anUnbonding(from: string, operator: string, requested: bigint, height: number, given = requested): BuiltTx {
  return aTx({ from, actions: [undelegating(from, operator, requested, completionOf(height), given)] })
}

export const unbondingEvents = (from: string, operator: string, given: bigint, height: number): ChainEvent[] =>
  unbondingEventsAt(from, operator, given, completionOf(height))

/** `height` null: out of a validator that is not bonded, complete at once. */
export function aRedelegation(
  from: string,
  source: string,
  destination: string,
  amount: bigint,
  height: number | null,
  moved: ChainEvent[] = [],
): BuiltTx {
  const completion = height === null ? null : completionOf(height)
  return aTx({ from, actions: [redelegating(from, source, destination, amount, completion, moved)] })
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
