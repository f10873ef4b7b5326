/** Stakes move by events. SDK 0.46 names the delegator not in them but in the `message` event that closes the action. */
import { decodeAccount, decodeAddress } from '../../lib/encoding/bech32.ts'
import type { ChainEvent } from '../../types/chain.ts'
import { attributeOf } from '../attributes.ts'
import { parseAmount, utiaOf } from '../coins.ts'
import { parseDec } from '../decimal.ts'
import { CREATE_VALIDATOR } from '../msg/staking.ts'
import { parseTime } from '../time.ts'
import type { EventScope, EventTable } from './handler.ts'

export const stakingEvents: EventTable = {
  delegate: (event, at, scope) => {
    const operator = accountOf(event, 'validator')
    const delegator = delegatorOf(event, at, scope)
    // Creating a validator includes its self delegation; a chain that also emits this event says the same thing twice.
    if (operator === undefined || delegator === undefined || scope.typeUrl === CREATE_VALIDATOR) return undefined
    const amount = amountOf(event)
    const newShares = parseDec(attributeOf(event, 'new_shares') ?? '')
    return { kind: 'delegate', operator, delegator, amount, ...(newShares === undefined ? {} : { newShares }) }
  },
  unbond: (event, at, scope) => {
    const operator = accountOf(event, 'validator')
    const delegator = delegatorOf(event, at, scope)
    if (operator === undefined || delegator === undefined) return undefined
    const completionTime = parseTime(attributeOf(event, 'completion_time')) ?? scope.time
    const requested = scope.part?.unbondAmount
    // Only the generation that names the delegator states what was really given back.
    const statesRequest = attributeOf(event, 'delegator') === undefined
    return {
      kind: 'unbond',
      operator,
      delegator,
      amount: amountOf(event),
      ...(requested === undefined ? {} : { requested }),
      ...(statesRequest ? { statesRequest } : {}),
      completionTime,
    }
  },
  redelegate: (event, at, scope) => {
    const source = accountOf(event, 'source_validator')
    const destination = accountOf(event, 'destination_validator')
    const delegator = delegatorOf(event, at, scope)
    if (source === undefined || destination === undefined || delegator === undefined) return undefined
    const completionTime = parseTime(attributeOf(event, 'completion_time'))
    const amount = amountOf(event)
    return {
      kind: 'redelegate',
      source,
      destination,
      delegator,
      amount,
      ...(completionTime === undefined ? {} : { completionTime }),
    }
  },
  cancel_unbonding_delegation: (event, at, scope) => {
    const operator = accountOf(event, 'validator')
    const delegator = delegatorOf(event, at, scope)
    const creationHeight = parseAmount(attributeOf(event, 'creation_height'))
    if (operator === undefined || delegator === undefined || creationHeight === undefined) return undefined
    return { kind: 'cancel-unbonding', operator, delegator, amount: amountOf(event), creationHeight: Number(creationHeight) }
  },
  complete_unbonding: (event) => {
    const operator = accountOf(event, 'validator')
    const delegator = accountOf(event, 'delegator')
    if (operator === undefined || delegator === undefined) return undefined
    return { kind: 'complete-unbonding', operator, delegator, amount: amountOf(event) }
  },
  complete_redelegation: (event) => {
    const source = accountOf(event, 'source_validator')
    const destination = accountOf(event, 'destination_validator')
    const delegator = accountOf(event, 'delegator')
    if (source === undefined || destination === undefined || delegator === undefined) return undefined
    return { kind: 'complete-redelegation', source, destination, delegator, amount: amountOf(event) }
  },
  slash: (event, _at, { height, evidenceHeight }) => {
    const consAddress = consAddressOf(event, 'address')
    const reason = attributeOf(event, 'reason')
    if (consAddress === undefined || !reason) {
      const jailed = consAddressOf(event, 'jailed')
      return jailed === undefined ? undefined : { kind: 'jail', consAddress: jailed }
    }
    return {
      kind: 'slash',
      consAddress,
      reason,
      power: parseAmount(attributeOf(event, 'power')) ?? 0n,
      burned: burnedOf(attributeOf(event, 'burned_coins') ?? ''),
      // The chain counts both back by its delay of one block between a vote and the set that cast it.
      infractionHeight: reason === 'double_sign' ? (evidenceHeight(consAddress) ?? height) - 1 : height - 2,
    }
  },
  withdraw_rewards: (event, at, scope) => {
    const operator = accountOf(event, 'validator')
    const delegator = delegatorOf(event, at, scope)
    const amount = amountOf(event)
    if (operator === undefined || delegator === undefined || amount === 0n) return undefined
    return { kind: 'withdraw-rewards', operator, delegator, amount }
  },
  withdraw_commission: (event, _at, scope) => {
    const operator = accountOf(event, 'validator') ?? decodeAccount(scope.actor)
    const amount = amountOf(event)
    return operator === undefined || amount === 0n ? undefined : { kind: 'withdraw-commission', operator, amount }
  },
}

/** By bytes: a few old events name a validator by its account. */
function accountOf(event: ChainEvent, key: string): string | undefined {
  const text = attributeOf(event, key)
  return text === undefined ? undefined : decodeAccount(text)
}

function consAddressOf(event: ChainEvent, key: string): string | undefined {
  const text = attributeOf(event, key)
  return text === undefined ? undefined : decodeAddress(text)?.hex.toUpperCase()
}

function amountOf(event: ChainEvent): bigint {
  return utiaOf(attributeOf(event, 'amount') ?? '')
}

/** Written without a denom by most versions; empty when nothing burned. */
function burnedOf(text: string): bigint {
  return parseAmount(text) ?? utiaOf(text)
}

function delegatorOf(event: ChainEvent, at: number, { events, actor }: EventScope): string | undefined {
  const named = accountOf(event, 'delegator')
  if (named !== undefined) return named
  for (let next = at + 1; next < events.length; next++) {
    const following = events[next]!
    if (following.type !== 'message') continue
    const module = attributeOf(following, 'module')
    const sender = module === 'staking' || module === 'distribution' ? accountOf(following, 'sender') : undefined
    if (sender !== undefined) return sender
  }
  return decodeAccount(actor)
}
