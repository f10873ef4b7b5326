import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Action,
  aBlock,
  aMessage,
  anAccount,
  anAny,
  anEvent,
  aTx,
  aValidator,
  blockTime,
  type TxSpec,
} from '../../test/builders.ts'
import { PubKeySchema } from '../decode/gen/cosmos/crypto/ed25519/types_pb.ts'
import {
  MsgWithdrawDelegatorRewardSchema,
  MsgWithdrawValidatorCommissionSchema,
} from '../decode/gen/cosmos/distribution/v1beta1/types_pb.ts'
import { MsgUnjailSchema } from '../decode/gen/cosmos/slashing/v1beta1/types_pb.ts'
import {
  MsgBeginRedelegateSchema,
  MsgCreateValidatorSchema,
  MsgDelegateSchema,
  MsgEditValidatorSchema,
  MsgUndelegateSchema,
} from '../decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import type { ChainEvent } from '../types/chain.ts'
import type { Effect } from '../types/effects.ts'
import { deriveBlock } from './block.ts'

const alice = anAccount('alice')
const [one, two] = [aValidator('one'), aValidator('two')]
const COMPLETION = '2026-02-01T00:00:00Z'

function effectsOf(actions: Action[], spec: Partial<TxSpec> = {}): Effect[] {
  const { effects } = deriveBlock(aBlock(9, { txs: [aTx({ from: alice.text, actions, ...spec })] }))
  return effects
}

const delegateMessage = aMessage(MsgDelegateSchema, {
  delegatorAddress: alice.text,
  validatorAddress: one.operator,
  amount: { denom: 'utia', amount: '5' },
})

test('SDK 0.50 names the delegator and the shares in the event', () => {
  const event = anEvent('delegate', {
    validator: one.operator,
    delegator: alice.text,
    amount: '5utia',
    new_shares: '5.000000000000000000',
  })
  assert.deepEqual(effectsOf([{ message: delegateMessage, events: [event] }]), [
    { kind: 'delegate', operator: one.hex, delegator: alice.hex, amount: 5n, newShares: 5n * 10n ** 18n, tx: 0, message: 0 },
  ])
})

test('SDK 0.46 names the delegator in the message event that closes the action', () => {
  const events = [
    anEvent('delegate', { validator: one.operator, amount: '5utia', new_shares: '5.000000000000000000' }),
    anEvent('message', { module: 'staking', sender: two.text }),
  ]
  const [effect] = effectsOf([{ message: delegateMessage, events }], { sdk: '0.46' })
  assert.equal(effect!.kind === 'delegate' && effect.delegator, two.hex)
})

test('an event that names the validator by its account means the same validator', () => {
  const event = anEvent('delegate', { validator: one.text, delegator: alice.text, amount: '5utia' })
  const [effect] = effectsOf([{ message: delegateMessage, events: [event] }])
  assert.equal(effect!.kind === 'delegate' && effect.operator, one.hex)
})

test('unbonding keeps what was asked for beside what the event states', () => {
  const message = aMessage(MsgUndelegateSchema, {
    delegatorAddress: alice.text,
    validatorAddress: one.operator,
    amount: { denom: 'utia', amount: '5' },
  })
  const event = anEvent('unbond', {
    validator: one.operator,
    delegator: alice.text,
    amount: '4utia',
    completion_time: COMPLETION,
  })
  assert.deepEqual(effectsOf([{ message, events: [event] }]), [
    {
      kind: 'unbond',
      operator: one.hex,
      delegator: alice.hex,
      amount: 4n,
      requested: 5n,
      completionTime: COMPLETION,
      tx: 0,
      message: 0,
    },
  ])
})

test('a redelegation takes its delegator from the message, and is complete at once without a completion time', () => {
  const message = aMessage(MsgBeginRedelegateSchema, {
    delegatorAddress: alice.text,
    validatorSrcAddress: one.operator,
    validatorDstAddress: two.operator,
  })
  const event = (completion_time: string) =>
    anEvent('redelegate', {
      source_validator: one.operator,
      destination_validator: two.operator,
      amount: '7utia',
      completion_time,
    })
  const moved = { kind: 'redelegate', source: one.hex, destination: two.hex, delegator: alice.hex, amount: 7n, tx: 0, message: 0 }
  assert.deepEqual(effectsOf([{ message, events: [event(COMPLETION)] }]), [{ ...moved, completionTime: COMPLETION }])
  assert.deepEqual(effectsOf([{ message, events: [event('0001-01-01T00:00:00Z')] }]), [moved])
})

test('cancelled, completed and moved stakes follow their events in order', () => {
  const end: ChainEvent[] = [
    anEvent('complete_unbonding', { amount: '4utia', validator: one.operator, delegator: alice.text }),
    anEvent('complete_redelegation', {
      amount: '7utia',
      delegator: alice.text,
      source_validator: one.operator,
      destination_validator: two.operator,
    }),
  ]
  assert.deepEqual(deriveBlock(aBlock(9, { end })).effects, [
    { kind: 'complete-unbonding', operator: one.hex, delegator: alice.hex, amount: 4n },
    { kind: 'complete-redelegation', source: one.hex, destination: two.hex, delegator: alice.hex, amount: 7n },
  ])
  const cancel = anEvent('cancel_unbonding_delegation', {
    amount: '3utia',
    validator: one.operator,
    delegator: alice.text,
    creation_height: '8',
  })
  assert.deepEqual(effectsOf([{ message: delegateMessage, events: [cancel] }])[0], {
    kind: 'cancel-unbonding',
    operator: one.hex,
    delegator: alice.hex,
    amount: 3n,
    creationHeight: 8,
    tx: 0,
    message: 0,
  })
})

const createMessage = aMessage(MsgCreateValidatorSchema, {
  description: { moniker: 'new\u0000star', securityContact: 'sec@example' },
  commission: { rate: '100000000000000000', maxRate: '200000000000000000', maxChangeRate: '10000000000000000' },
  minSelfDelegation: '1',
  validatorAddress: one.operator,
  pubkey: anAny(PubKeySchema, { key: one.key }),
  value: { denom: 'utia', amount: '1000000' },
})

test('a new validator brings its self delegation, counted once even when the chain also emits delegate', () => {
  const events = [
    anEvent('create_validator', { validator: one.operator, amount: '1000000utia' }),
    anEvent('delegate', { validator: one.operator, delegator: one.text, amount: '1000000utia', new_shares: '1000000.0' }),
  ]
  assert.deepEqual(effectsOf([{ message: createMessage, events }], { from: one.text }), [
    {
      kind: 'create-validator',
      operator: one.hex,
      delegator: one.hex,
      consAddress: one.consAddress,
      publicKey: Buffer.from(one.key).toString('hex'),
      description: { moniker: 'new\ufffdstar', identity: '', website: '', contacts: 'sec@example', details: '' },
      rate: 10n ** 17n,
      maxRate: 2n * 10n ** 17n,
      maxChangeRate: 10n ** 16n,
      minSelfDelegation: 1n,
      amount: 1_000_000n,
      tx: 0,
      message: 0,
    },
  ])
})

test('editing changes only what is not marked as unchanged', () => {
  const keep = '[do-not-modify]'
  const message = aMessage(MsgEditValidatorSchema, {
    description: { moniker: 'new', identity: keep, website: '', securityContact: keep, details: keep },
    validatorAddress: one.operator,
    commissionRate: '150000000000000000',
  })
  assert.deepEqual(effectsOf([{ message }]), [
    {
      kind: 'edit-validator',
      operator: one.hex,
      description: { moniker: 'new', website: '' },
      rate: 15n * 10n ** 16n,
      tx: 0,
      message: 0,
    },
  ])
})

test('rewards and commission that were withdrawn are told, nothing is told of zero', () => {
  const reward = aMessage(MsgWithdrawDelegatorRewardSchema, { delegatorAddress: alice.text, validatorAddress: one.operator })
  const commission = aMessage(MsgWithdrawValidatorCommissionSchema, { validatorAddress: two.operator })
  const effects = effectsOf([
    {
      message: reward,
      events: [
        anEvent('withdraw_rewards', { amount: '23utia,5ibc/AA', validator: one.operator, delegator: alice.text }),
        anEvent('withdraw_rewards', { amount: '', validator: two.operator, delegator: alice.text }),
      ],
    },
    { message: commission, events: [anEvent('withdraw_commission', { amount: '11utia' })] },
  ])
  assert.deepEqual(effects, [
    { kind: 'withdraw-rewards', operator: one.hex, delegator: alice.hex, amount: 23n, tx: 0, message: 0 },
    { kind: 'withdraw-commission', operator: two.hex, amount: 11n, tx: 0, message: 1 },
  ])
})

test('in SDK 0.46 a withdrawal belongs to the sender of the distribution event', () => {
  const message = aMessage(MsgWithdrawDelegatorRewardSchema, { delegatorAddress: alice.text, validatorAddress: one.operator })
  const events = [
    anEvent('withdraw_rewards', { amount: '9utia', validator: one.operator }),
    anEvent('message', { module: 'distribution', sender: alice.text }),
  ]
  const [effect] = effectsOf([{ message, events }], { sdk: '0.46', from: two.text })
  assert.equal(effect!.kind === 'withdraw-rewards' && effect.delegator, alice.hex)
})

test('downtime is punished for what was two blocks before', () => {
  const begin = [
    anEvent('slash', {
      address: one.consText,
      power: '6000',
      reason: 'missing_signature',
      jailed: one.consText,
      burned_coins: '0',
    }),
  ]
  assert.deepEqual(deriveBlock(aBlock(118, { begin })).effects, [
    { kind: 'slash', consAddress: one.consAddress, reason: 'missing_signature', power: 6000n, burned: 0n, infractionHeight: 116 },
  ])
})

test('double signing is punished from the height of its evidence less one', () => {
  const begin = [
    anEvent('slash', { address: one.consText, power: '10', reason: 'double_sign', burned_coins: '200000' }),
    anEvent('slash', { jailed: one.consText }),
  ]
  const evidence = [{ kind: 'duplicate-vote', validatorAddress: one.consAddress, height: 90, time: blockTime(90) }]
  assert.deepEqual(deriveBlock(aBlock(100, { begin, evidence })).effects, [
    { kind: 'slash', consAddress: one.consAddress, reason: 'double_sign', power: 10n, burned: 200_000n, infractionHeight: 89 },
    { kind: 'jail', consAddress: one.consAddress },
  ])
})

test('burned coins may be empty, a bare number or coins', () => {
  const burned = ['', '12', '12utia'].map((burned_coins) => {
    const begin = [anEvent('slash', { address: one.consText, reason: 'missing_signature', burned_coins })]
    const [effect] = deriveBlock(aBlock(9, { begin })).effects
    return effect!.kind === 'slash' && effect.burned
  })
  assert.deepEqual(burned, [0n, 12n, 12n])
})

test('unjailing follows from the message alone', () => {
  assert.deepEqual(effectsOf([{ message: aMessage(MsgUnjailSchema, { validatorAddr: one.operator }) }]), [
    { kind: 'unjail', operator: one.hex, tx: 0, message: 0 },
  ])
})
