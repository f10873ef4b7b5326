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
  aTypedEvent,
  blockTime,
  movedCoins,
  type TxSpec,
} from '../../test/builders.ts'
import {
  GenericAuthorizationSchema,
  MsgExecSchema,
  MsgGrantSchema,
  MsgRevokeSchema,
} from '../decode/gen/cosmos/authz/v1beta1/types_pb.ts'
import { MsgSendSchema } from '../decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import { BasicAllowanceSchema, MsgGrantAllowanceSchema } from '../decode/gen/cosmos/feegrant/v1beta1/types_pb.ts'
import {
  MsgCreatePeriodicVestingAccountSchema,
  MsgCreatePermanentLockedAccountSchema,
  MsgCreateVestingAccountSchema,
} from '../decode/gen/cosmos/vesting/v1beta1/types_pb.ts'
import type { Effect } from '../types/effects.ts'
import { deriveBlock } from './block.ts'

const [alice, bob] = [anAccount('alice'), anAccount('bob')]

function effectsOf(actions: Action[], spec: Partial<TxSpec> = {}): Effect[] {
  return deriveBlock(aBlock(9, { txs: [aTx({ from: alice.text, actions, ...spec })] })).effects
}

test('a grant tells its authorization, end and parameters', () => {
  const message = aMessage(MsgGrantSchema, {
    granter: alice.text,
    grantee: bob.text,
    grant: {
      authorization: anAny(GenericAuthorizationSchema, { msg: '/cosmos.gov.v1.MsgVote' }),
      expiration: { seconds: 1_800_000_000n, nanos: 123_456_789 },
    },
  })
  assert.deepEqual(effectsOf([{ message }]), [
    {
      kind: 'grant',
      granter: alice.hex,
      grantee: bob.hex,
      authorization: '/cosmos.gov.v1.MsgVote',
      expiration: '2027-01-15T08:00:00.123456Z',
      params: { Msg: '/cosmos.gov.v1.MsgVote' },
      tx: 0,
      message: 0,
    },
  ])
})

const revoked = aTypedEvent('cosmos.authz.v1beta1.EventRevoke', {
  msg_type_url: '/cosmos.gov.v1.MsgVote',
  granter: alice.text,
  grantee: bob.text,
})
const revocation = {
  kind: 'revoke',
  granter: alice.hex,
  grantee: bob.hex,
  authorization: '/cosmos.gov.v1.MsgVote',
  tx: 0,
  message: 0,
}

test('a revoked grant ends once', () => {
  const message = aMessage(MsgRevokeSchema, { granter: alice.text, grantee: bob.text, msgTypeUrl: '/cosmos.gov.v1.MsgVote' })
  assert.deepEqual(effectsOf([{ message, events: [revoked] }]), [revocation])
})

test('a grant that a MsgExec used up ends too', () => {
  const send = anAny(MsgSendSchema, { fromAddress: alice.text, toAddress: bob.text })
  const events = [
    revoked,
    ...movedCoins(alice.text, bob.text, '1utia').map((event) => ({
      ...event,
      attributes: [...event.attributes, ['authz_msg_index', '0'] as [string, string]],
    })),
  ]
  assert.deepEqual(effectsOf([{ message: aMessage(MsgExecSchema, { grantee: bob.text, msgs: [send] }), events }]), [revocation])
})

test('a fee allowance is its own grant name and ends in the ante handler when it is used up, even of a failed tx', () => {
  const message = aMessage(MsgGrantAllowanceSchema, {
    granter: alice.text,
    grantee: bob.text,
    allowance: anAny(BasicAllowanceSchema, {}),
  })
  const [grant] = effectsOf([{ message }])
  assert.deepEqual(grant!.kind === 'grant' && [grant.authorization, grant.expiration], ['fee', null])
  const anteEvents = [anEvent('revoke_feegrant', { granter: alice.text, grantee: bob.text })]
  assert.deepEqual(effectsOf([{ message }], { anteEvents, code: 4 }), [
    { kind: 'revoke', granter: alice.hex, grantee: bob.hex, authorization: 'fee', tx: 0 },
  ])
})

const parties = { fromAddress: alice.text, toAddress: bob.text }
const amount = [
  { denom: 'utia', amount: '30' },
  { denom: 'ibc/AA', amount: '7' },
]

test('a continuous account without a start vests from its block on', () => {
  const message = aMessage(MsgCreateVestingAccountSchema, { ...parties, amount, endTime: 1_800_000_000n })
  const expected = {
    kind: 'vesting',
    address: bob.hex,
    type: 'continuous',
    amount: 30n,
    startTime: blockTime(9),
    endTime: '2027-01-15T08:00:00Z',
    periods: [],
    tx: 0,
    message: 0,
  }
  assert.deepEqual(effectsOf([{ message }]), [expected])
})

test('a delayed account has an end only, a permanent one neither', () => {
  const delayed = aMessage(MsgCreateVestingAccountSchema, { ...parties, amount, endTime: 1_800_000_000n, delayed: true })
  const permanent = aMessage(MsgCreatePermanentLockedAccountSchema, { ...parties, amount })
  assert.deepEqual(
    effectsOf([{ message: delayed }, { message: permanent }]).map(
      (effect) => effect.kind === 'vesting' && [effect.type, effect.startTime, effect.endTime],
    ),
    [
      ['delayed', null, '2027-01-15T08:00:00Z'],
      ['permanent', null, null],
    ],
  )
})

test('the periods of a periodic account follow one another from its start', () => {
  const vestingPeriods = [
    { length: 100n, amount },
    { length: 50n, amount: [{ denom: 'utia', amount: '5' }] },
  ]
  const message = aMessage(MsgCreatePeriodicVestingAccountSchema, { ...parties, startTime: 1_800_000_000n, vestingPeriods })
  const [effect] = effectsOf([{ message }])
  assert.deepEqual(effect!.kind === 'vesting' && [effect.amount, effect.startTime, effect.endTime, effect.periods], [
    35n,
    '2027-01-15T08:00:00Z',
    '2027-01-15T08:02:30Z',
    [
      { time: '2027-01-15T08:01:40Z', amount: 30n },
      { time: '2027-01-15T08:02:30Z', amount: 5n },
    ],
  ])
})

test('0 and the largest number mean that a vesting account has no end', () => {
  for (const endTime of [0n, 2n ** 63n - 1n]) {
    const [effect] = effectsOf([
      { message: aMessage(MsgCreateVestingAccountSchema, { ...parties, amount, endTime, delayed: true }) },
    ])
    assert.equal(effect!.kind === 'vesting' && effect.endTime, null)
  }
})
