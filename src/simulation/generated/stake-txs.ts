import {
  MsgWithdrawDelegatorRewardSchema,
  MsgWithdrawValidatorCommissionSchema,
} from '../../decode/gen/cosmos/distribution/v1beta1/types_pb.ts'
import type { ChainEvent } from '../../types/chain.ts'
import { delegating, redelegating, redelegationDone, unbondingDone, undelegating } from '../txs/staking.ts'
import { type Action, aMessage, type BuiltTx } from '../txs/tx.ts'
import { affordable, amountUpTo, type BlockContext, canPay, oneOf, oneUser, payTx, secondText, whole } from './block-context.ts'
import { addOwned, ownedBy, takeArrived } from './by-owner.ts'
import { UNBONDING_MS } from './genesis.ts'
import { payCommission, payRewards } from './rewards.ts'
import type { Delegation } from './state.ts'

const MAX_ENTRIES = 7
const GAS = { delegate: 180_000, undelegate: 210_000, redelegate: 260_000, withdraw: 120_000 }

export function delegate(context: BlockContext): BuiltTx | undefined {
  const { random, actors } = context
  const by = oneUser(context)
  const validator = whole(random, actors.validators.length)
  const amount = affordable(context, by, amountUpTo(random, 20_000))
  if (amount === undefined) return undefined
  const { operator } = actors.validators[validator]!
  const events = addStake(context, by, validator, amount)
  return payTx(context, by, [after(events, delegating(by, operator, amount))], GAS.delegate)
}

export function undelegate(context: BlockContext): BuiltTx | undefined {
  const { random, time, state, actors } = context
  const held = pickDelegation(context)
  if (!held) return undefined
  const { by, validator } = held
  const amount = BigInt(Math.ceil(Number(held.amount) * 0.4 * random()))
  const entries = ownedBy(state.unbondings, by).filter((entry) => entry.validator === validator)
  if (amount === 0n || entries.length >= MAX_ENTRIES) return undefined
  const { operator } = actors.validators[validator]!
  const events = takeStake(context, held, amount)
  const ends = time + UNBONDING_MS
  addOwned(state.unbondings, { by, validator, amount, ends })
  return payTx(context, by, [after(events, undelegating(by, operator, amount, secondText(ends)))], GAS.undelegate)
}

/** Stake that is moving already may not be moved on: who has some under way waits. */
export function redelegate(context: BlockContext): BuiltTx | undefined {
  const { random, time, state, actors } = context
  const held = pickDelegation(context)
  if (!held || ownedBy(state.redelegations, held.by).length > 0) return undefined
  const { by, validator: from } = held
  const to = (from + 1 + whole(random, actors.validators.length - 1)) % actors.validators.length
  const amount = held.amount / 3n
  if (amount === 0n) return undefined
  const events = [...takeStake(context, held, amount), ...addStake(context, by, to, amount)]
  const ends = time + UNBONDING_MS
  addOwned(state.redelegations, { by, from, to, amount, ends })
  const [source, destination] = [actors.validators[from]!.operator, actors.validators[to]!.operator]
  const action = redelegating(by, source, destination, amount, secondText(ends))
  return payTx(context, by, [after(events, action)], GAS.redelegate)
}

/** All rewards of one account; an operator takes the commission too. */
export function withdraw(context: BlockContext): BuiltTx | undefined {
  const { random, state, actors } = context
  const { by } = oneOf(random, state.delegations)
  if (!canPay(context, by)) return undefined
  const actions = ownedBy(state.delegations, by).map((delegation): Action => {
    const { operator } = actors.validators[delegation.validator]!
    return {
      message: aMessage(MsgWithdrawDelegatorRewardSchema, { delegatorAddress: by, validatorAddress: operator }),
      events: payRewards(delegation, state.validators[delegation.validator]!, operator),
    }
  })
  const own = actors.validators.findIndex(({ text }) => text === by)
  if (own >= 0)
    actions.push({
      message: aMessage(MsgWithdrawValidatorCommissionSchema, { validatorAddress: actors.validators[own]!.operator }),
      events: payCommission(state.validators[own]!, by),
    })
  return payTx(context, by, actions, GAS.withdraw * actions.length)
}

/** What is over at the end of a block: one event for each delegator and validator, as their queues are worked off. */
export function settleStake({ state, time, actors }: BlockContext): ChainEvent[] {
  const operatorOf = (validator: number) => actors.validators[validator]!.operator
  const paid = new Map<string, { by: string; operator: string; amount: bigint }>()
  for (const { by, validator, amount } of takeArrived(state.unbondings, time)) {
    const key = `${by}/${validator}`
    paid.set(key, { by, operator: operatorOf(validator), amount: (paid.get(key)?.amount ?? 0n) + amount })
  }
  const arrived = takeArrived(state.redelegations, time)
  return [
    ...[...paid.values()].flatMap(({ by, operator, amount }) => unbondingDone(by, operator, amount)),
    ...arrived.map(({ by, from, to, amount }) => redelegationDone(by, operatorOf(from), operatorOf(to), amount)),
  ]
}

const after = (events: ChainEvent[], action: Action): Action => ({ ...action, events: [...events, ...(action.events ?? [])] })

/** Of a user: operators keep theirs. */
function pickDelegation(context: BlockContext): Delegation | undefined {
  const { random, state, actors } = context
  const held = oneOf(random, state.delegations)
  return actors.validators.some(({ text }) => text === held.by) || !canPay(context, held.by) ? undefined : held
}

/** Returns the events of the rewards that are paid before the stake changes. */
function addStake({ state, actors }: BlockContext, by: string, validator: number, amount: bigint): ChainEvent[] {
  const node = state.validators[validator]!
  node.tokens += amount
  const held = ownedBy(state.delegations, by).find((delegation) => delegation.validator === validator)
  if (!held) {
    addOwned(state.delegations, { by, validator, amount, paidTo: node.earned })
    return []
  }
  const events = payRewards(held, node, actors.validators[validator]!.operator)
  held.amount += amount
  return events
}

function takeStake({ state, actors }: BlockContext, held: Delegation, amount: bigint): ChainEvent[] {
  const node = state.validators[held.validator]!
  const events = payRewards(held, node, actors.validators[held.validator]!.operator)
  held.amount -= amount
  node.tokens -= amount
  return events
}
