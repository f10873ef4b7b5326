import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '@bufbuild/protobuf'
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import type { GenMessage } from '@bufbuild/protobuf/codegenv2'
import { type Any, AnySchema, TimestampSchema } from '@bufbuild/protobuf/wkt'
import { allowanceRow, grantRows, revokedAuthorizations } from './authorization.ts'
import { GenericAuthorizationSchema } from './gen/cosmos/authz/v1beta1/types_pb.ts'
import { SendAuthorizationSchema } from './gen/cosmos/bank/v1beta1/types_pb.ts'
import {
  AllowedMsgAllowanceSchema,
  BasicAllowanceSchema,
  PeriodicAllowanceSchema,
} from './gen/cosmos/feegrant/v1beta1/types_pb.ts'
import { AuthorizationType, StakeAuthorizationSchema } from './gen/cosmos/staking/v1beta1/types_pb.ts'
import { TransferAuthorizationSchema } from './gen/ibc/applications/transfer/v1/types_pb.ts'

function pack<T extends Message>(schema: GenMessage<T>, init: MessageInitShape<GenMessage<T>>): Any {
  return create(AnySchema, { typeUrl: `/${schema.typeName}`, value: toBinary(schema, create(schema, init)) })
}

const coin = { denom: 'utia', amount: '5' }
const shown = { Denom: 'utia', Amount: '5' }
const limit = { spend_limit: [{ denom: 'utia', amount: '5' }], period: null }
const expiration = create(TimestampSchema, { seconds: 1794796029n, nanos: 645829410 })

test('a generic authorization is the message it allows', () => {
  const authorization = pack(GenericAuthorizationSchema, { msg: '/cosmos.gov.v1.MsgVote' })
  assert.deepEqual(grantRows({ authorization, expiration }), [
    {
      authorization: '/cosmos.gov.v1.MsgVote',
      expiration: '2026-11-16T02:27:09.645829Z',
      params: { Msg: '/cosmos.gov.v1.MsgVote' },
    },
  ])
})

test('a send authorization without an allow list says null', () => {
  const authorization = pack(SendAuthorizationSchema, { spendLimit: [coin] })
  assert.deepEqual(grantRows({ authorization }), [
    {
      authorization: '/cosmos.bank.v1beta1.MsgSend',
      expiration: null,
      params: { SpendLimit: [shown], AllowList: null },
      limit,
    },
  ])
})

test('a stake authorization is one row per message it allows', () => {
  const redelegate = pack(StakeAuthorizationSchema, {
    maxTokens: coin,
    validators: { case: 'allowList', value: { address: ['celestiavaloper1a'] } },
    authorizationType: AuthorizationType.REDELEGATE,
  })
  assert.deepEqual(grantRows({ authorization: redelegate }), [
    {
      authorization: '/cosmos.staking.v1beta1.MsgBeginRedelegate',
      expiration: null,
      params: { MaxTokens: shown, Validators: { AllowList: { Address: ['celestiavaloper1a'] } }, AuthorizationType: 3 },
      limit,
    },
  ])
  const open = pack(StakeAuthorizationSchema, { validators: { case: 'denyList', value: {} } })
  const rows = grantRows({ authorization: open })
  assert.deepEqual(
    rows.map((row) => row.authorization.split('.').at(-1)),
    ['MsgDelegate', 'MsgUndelegate', 'MsgBeginRedelegate'],
  )
  assert.deepEqual(rows[0]!.params, { MaxTokens: null, Validators: { DenyList: { Address: [] } }, AuthorizationType: 0 })
})

test('an authorization of another kind is listed under its own type and found when its message is revoked', () => {
  const authorization = pack(TransferAuthorizationSchema, { allocations: [{ sourcePort: 'transfer' }] })
  const [row] = grantRows({ authorization })
  assert.equal(row!.authorization, '/ibc.applications.transfer.v1.TransferAuthorization')
  assert.ok(revokedAuthorizations('/ibc.applications.transfer.v1.MsgTransfer').includes(row!.authorization))
  assert.deepEqual(revokedAuthorizations('/cosmos.gov.v1.MsgVote'), ['/cosmos.gov.v1.MsgVote'])
  assert.deepEqual(grantRows({ authorization: create(AnySchema, { typeUrl: '/x.Y', value: Uint8Array.of(1) }) }), [
    { authorization: '/x.Y', expiration: null, params: { TypeUrl: '/x.Y', Value: 'AQ==' } },
  ])
  assert.deepEqual(grantRows({}), [])
})

test('fee allowances keep nanoseconds in params and microseconds in the row', () => {
  const basic = { spendLimit: [coin], expiration }
  const basicParams = { SpendLimit: [shown], Expiration: '2026-11-16T02:27:09.64582941Z' }
  const end = '2026-11-16T02:27:09.645829Z'
  assert.deepEqual(allowanceRow(pack(BasicAllowanceSchema, basic)), {
    authorization: 'fee',
    expiration: end,
    params: basicParams,
    limit,
  })

  const periodic = pack(PeriodicAllowanceSchema, { basic, period: { seconds: 3600n }, periodReset: { seconds: 1794796029n } })
  assert.deepEqual(allowanceRow(periodic), {
    authorization: 'fee',
    expiration: end,
    params: {
      Basic: basicParams,
      Period: 3600000000000,
      PeriodSpendLimit: [],
      PeriodCanSpend: [],
      PeriodReset: '2026-11-16T02:27:09Z',
    },
    limit: {
      spend_limit: limit.spend_limit,
      period: { seconds: 3600, spend_limit: [], can_spend: [], reset: '2026-11-16T02:27:09Z' },
    },
  })

  const allowed = pack(AllowedMsgAllowanceSchema, { allowance: pack(BasicAllowanceSchema, basic), allowedMessages: ['/a.B'] })
  assert.deepEqual(allowanceRow(allowed), {
    authorization: 'fee',
    expiration: end,
    params: {
      Allowance: { spend_limit: [{ denom: 'utia', amount: '5' }], expiration: '2026-11-16T02:27:09.64582941Z' },
      AllowedMessages: ['/a.B'],
    },
    limit,
  })

  const endless = pack(AllowedMsgAllowanceSchema, { allowance: pack(BasicAllowanceSchema, {}) })
  assert.deepEqual(allowanceRow(endless), {
    authorization: 'fee',
    expiration: null,
    params: { Allowance: { spend_limit: [] }, AllowedMessages: [] },
  })
})
