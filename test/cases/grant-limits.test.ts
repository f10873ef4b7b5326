import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MsgGrantSchema } from '../../src/decode/gen/cosmos/authz/v1beta1/types_pb.ts'
import { MsgSendSchema, SendAuthorizationSchema } from '../../src/decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import {
  AllowedMsgAllowanceSchema,
  BasicAllowanceSchema,
  MsgGrantAllowanceSchema,
  PeriodicAllowanceSchema,
} from '../../src/decode/gen/cosmos/feegrant/v1beta1/types_pb.ts'
import { AuthorizationType, StakeAuthorizationSchema } from '../../src/decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import type { GrantLimit } from '../../src/types/effects.ts'
import {
  type Action,
  aBlock,
  aGenesis,
  aMessage,
  anAccount,
  anAny,
  aTx,
  aTypedEvent,
  aValidator,
  type BuiltTx,
  blockTime,
  movedCoins,
} from '../builders.ts'
import { type BuiltChain, indexAndReplay } from '../support/built-chain.ts'
import { type ServedChain, serveChain } from '../support/served-chain.ts'
import { delegates, executes } from './sdk-actions.ts'
import { aGrantedTx } from './signed-txs.ts'

const [alice, bob, carol, dora] = [anAccount('alice'), anAccount('bob'), anAccount('carol'), anAccount('dora')]
const one = aValidator('one')
const FEE = 2000n
const utia = (amount: number | bigint) => [{ denom: 'utia', amount: String(amount) }]

const sends = (amount: number): Action => ({
  message: aMessage(MsgSendSchema, { fromAddress: alice.text, toAddress: carol.text, amount: utia(amount) }),
  events: movedCoins(alice.text, carol.text, `${amount}utia`),
})

const exec = (actions: Action[], code = 0): BuiltTx => {
  const { message, events } = executes(bob.text, actions)
  return aTx({ from: bob.text, actions: [{ message, events: code === 0 ? (events ?? []) : [] }], code })
}

const usedUp = (msgTypeUrl: string) =>
  aTypedEvent('cosmos.authz.v1beta1.EventRevoke', { msg_type_url: msgTypeUrl, granter: alice.text, grantee: bob.text })

const grants = (authorization: ReturnType<typeof anAny>): Action => ({
  message: aMessage(MsgGrantSchema, { granter: alice.text, grantee: bob.text, grant: { authorization } }),
})

const allows = (grantee: string, allowance: ReturnType<typeof anAny>): Action => ({
  message: aMessage(MsgGrantAllowanceSchema, { granter: alice.text, grantee, allowance }),
})

const SEND = '/cosmos.bank.v1beta1.MsgSend'
const DELEGATE = '/cosmos.staking.v1beta1.MsgDelegate'
const seconds = (height: number) => ({ seconds: BigInt(Math.floor(Date.parse(blockTime(height)) / 1000)) })

describe('what is left of a grant', () => {
  let chain: BuiltChain
  let api: ServedChain
  const pays = (grantee: string, spec: { code?: number } = {}) =>
    aGrantedTx({ from: grantee, fee: FEE, actions: [{ message: aMessage(MsgSendSchema, {}) }], ...spec }, alice.text)

  before(async () => {
    const basic = anAny(BasicAllowanceSchema, { spendLimit: utia(5000) })
    const periodic = anAny(PeriodicAllowanceSchema, {
      basic: { spendLimit: utia(9000) },
      period: { seconds: 3600n },
      periodSpendLimit: utia(4000),
      periodCanSpend: utia(4000),
      periodReset: seconds(3),
    })
    chain = await indexAndReplay(
      aGenesis({
        balances: { [alice.text]: 50_000_000n, [bob.text]: 50_000_000n, [one.text]: 11_000_000n },
        validators: [{ name: 'one', stake: 10_000_000n }],
      }),
      [
        aBlock(1, {
          txs: [
            aTx({
              from: alice.text,
              actions: [
                grants(anAny(SendAuthorizationSchema, { spendLimit: utia(100) })),
                grants(
                  anAny(StakeAuthorizationSchema, {
                    maxTokens: utia(1000)[0]!,
                    authorizationType: AuthorizationType.DELEGATE,
                  }),
                ),
                allows(bob.text, basic),
                allows(carol.text, periodic),
                allows(dora.text, anAny(AllowedMsgAllowanceSchema, { allowance: basic, allowedMessages: [SEND] })),
              ],
            }),
          ],
        }),
        aBlock(2, { txs: [exec([sends(30), sends(20)]), exec([sends(40)], 5), pays(carol.text)] }),
        aBlock(3, { txs: [exec([delegates('0.50', alice.text, one.operator, 400n)]), pays(bob.text, { code: 11 })] }),
        aBlock(4, { txs: [pays(carol.text), pays(dora.text)] }),
      ],
    )
    api = await serveChain(chain.url)
  })
  after(async () => {
    await api.close()
    await chain.close()
  })

  const left = async (grantee: string, authorization: string) => {
    const rows = await api.list(`/address/${grantee}/granters?remaining=true`)
    return rows.find((row) => row.authorization === authorization)?.remaining as GrantLimit | undefined
  }

  test('of an authorization to send: what was sent by it in txs that succeeded is gone', async () => {
    assert.deepEqual(await left(bob.text, SEND), { spend_limit: utia(50), period: null })
  })

  test('of an authorization to stake', async () => {
    assert.deepEqual(await left(bob.text, DELEGATE), { spend_limit: utia(600), period: null })
  })

  test('of a fee allowance: txs that failed have paid too', async () => {
    assert.deepEqual(await left(bob.text, 'fee'), { spend_limit: utia(5000n - FEE), period: null })
    assert.deepEqual(await left(dora.text, 'fee'), { spend_limit: utia(5000n - FEE), period: null })
  })

  test('of a periodic allowance: a new period begins with the first fee after the end of the last one', async () => {
    const { spend_limit, period } = (await left(carol.text, 'fee'))!
    assert.deepEqual(spend_limit, utia(9000n - 2n * FEE))
    assert.deepEqual(period!.can_spend, utia(4000n - FEE))
    assert.equal(Date.parse(period!.reset), Number(seconds(3).seconds + 3600n) * 1000)
  })

  test('the terms stay those of the message that granted', async () => {
    const rows = await api.list(`/address/${bob.text}/granters`)
    const send = rows.find((row) => row.authorization === SEND)!
    assert.deepEqual(send.params, { SpendLimit: [{ Denom: 'utia', Amount: '100' }], AllowList: null })
    assert.ok(
      rows.every((row) => !('remaining' in row)),
      'what is left is shown where it is asked for',
    )
  })
})

test('a grant that is used up or revoked has nothing left, and one that is given again has all of it', async () => {
  const authorization = anAny(SendAuthorizationSchema, { spendLimit: utia(100) })
  const rest = ({ message, events = [] }: Action): Action => ({ message, events: [usedUp(SEND), ...events] })
  const used = executes(bob.text, [sends(60), sends(40)])
  const genesis = aGenesis({ balances: { [alice.text]: 50_000_000n, [bob.text]: 50_000_000n } })
  const blocks = [
    aBlock(1, { txs: [aTx({ from: alice.text, actions: [grants(authorization)] })] }),
    aBlock(2, { txs: [aTx({ from: bob.text, actions: [rest(used)] })] }),
  ]
  const remaining = async ({ sql, close }: BuiltChain) => {
    const rows = await sql<{ revoked: boolean; remaining: GrantLimit | null }[]>`select revoked, remaining from authz_grant`
    await close()
    return rows.map(({ revoked, remaining }) => [revoked, remaining])
  }
  assert.deepEqual(await remaining(await indexAndReplay(genesis, blocks)), [[true, null]])
  const again = aBlock(3, { txs: [aTx({ from: alice.text, actions: [grants(authorization)] }), exec([sends(1)])] })
  assert.deepEqual(await remaining(await indexAndReplay(genesis, [...blocks, again])), [
    [false, { spend_limit: utia(99), period: null }],
  ])
})
