import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MsgMultiSendSchema, MsgSendSchema } from '../../src/decode/gen/cosmos/bank/v1beta1/types_pb.ts'
import { LegacyAminoPubKeySchema } from '../../src/decode/gen/cosmos/crypto/multisig/types_pb.ts'
import { PubKeySchema } from '../../src/decode/gen/cosmos/crypto/secp256k1/types_pb.ts'
import { MsgWithdrawDelegatorRewardSchema } from '../../src/decode/gen/cosmos/distribution/v1beta1/types_pb.ts'
import { BasicAllowanceSchema, MsgGrantAllowanceSchema } from '../../src/decode/gen/cosmos/feegrant/v1beta1/types_pb.ts'
import { encodeAddress, moduleAccount, multisigAccount, secp256k1Account } from '../../src/lib/encoding/bech32.ts'
import type { Db } from '../../src/store/db.ts'
import {
  aBlock,
  aGenesis,
  aMessage,
  anAccount,
  anAny,
  anEvent,
  aSend,
  aTx,
  aValidator,
  mintedCoins,
  moduleText,
  movedCoins,
} from '../builders.ts'
import { type BuiltChain, indexAndReplay } from '../support/built-chain.ts'
import { serveChain } from '../support/served-chain.ts'
import { balancesOf, moneyOf, plain, spendableOf } from './read-rows.ts'
import { aGrantedTx, aLongAccount, refused } from './signed-txs.ts'
import { aDelegation, anUnbonding, aRedelegation, unbondingDone } from './staking-blocks.ts'

const [alice, bob, carol] = [anAccount('alice'), anAccount('bob'), anAccount('carol')]
const [one, two] = [aValidator('one'), aValidator('two')]
const [ica, policy] = [aLongAccount('ica'), aLongAccount('policy')]
const FEE = 2000n
const START = 50_000_000n

const genesis = (holders: { text: string }[], appState: Record<string, unknown> = {}) =>
  aGenesis({
    balances: {
      ...Object.fromEntries(holders.map(({ text }) => [text, START])),
      [one.text]: 11_000_000n,
      [two.text]: 11_000_000n,
    },
    validators: [
      { name: 'one', stake: 10_000_000n },
      { name: 'two', stake: 10_000_000n },
    ],
    appState,
  })

/** Signers of the txs of the chain, in order. */
async function signersOf(sql: Db): Promise<string[][]> {
  const rows = await sql<{ signers: Buffer[] }[]>`
    select (select array_agg(a.address order by s.at) from unnest(signer_ids) with ordinality s(id, at) join address a on a.id = s.id)
      as signers
    from tx where height > 0 order by id`
  return rows.map(({ signers }) => signers.map((address) => address.toString('hex')))
}

describe('an account of 32 bytes', () => {
  let chain: BuiltChain
  before(async () => {
    const reward = `${7_777n}utia`
    chain = await indexAndReplay(genesis([alice, ica, policy]), [
      aBlock(1, { txs: [aSend(alice.text, policy.text, 1_000_000n), aSend(ica.text, alice.text, 2_000_000n)] }),
      aBlock(2, {
        begin: mintedCoins('distribution', reward),
        txs: [aDelegation(ica.text, one.operator, 9_000_000n)],
      }),
      aBlock(3, {
        txs: [
          anUnbonding(ica.text, one.operator, 3_000_000n, 3),
          aRedelegation(ica.text, one.operator, two.operator, 2_000_000n, 3),
          aTx({
            from: ica.text,
            actions: [
              {
                message: aMessage(MsgWithdrawDelegatorRewardSchema, {
                  delegatorAddress: ica.text,
                  validatorAddress: one.operator,
                }),
                events: [
                  ...movedCoins(moduleText('distribution'), ica.text, reward),
                  anEvent('withdraw_rewards', { amount: reward, validator: one.operator, delegator: ica.text }),
                ],
              },
            ],
          }),
        ],
      }),
      aBlock(4, {
        txs: [
          aTx({
            from: policy.text,
            actions: [
              {
                message: aMessage(MsgGrantAllowanceSchema, {
                  granter: policy.text,
                  grantee: bob.text,
                  allowance: anAny(BasicAllowanceSchema, {}),
                }),
                events: [anEvent('set_feegrant', { granter: policy.text, grantee: bob.text })],
              },
            ],
          }),
          // One pays for another that owns nothing, in both ways there are.
          aGrantedTx(
            { from: bob.text, actions: [{ message: aMessage(MsgSendSchema, { fromAddress: bob.text, toAddress: ica.text }) }] },
            policy.text,
          ),
          aSend(ica.text, bob.text, 1n, { payer: policy.text }),
        ],
      }),
      ...[5, 6, 7, 8, 9, 10, 11, 12].map((height) => aBlock(height)),
      aBlock(13, {
        end: [
          ...unbondingDone(ica.text, one.operator, 3_000_000n),
          anEvent('complete_redelegation', {
            amount: '2000000utia',
            delegator: ica.text,
            source_validator: one.operator,
            destination_validator: two.operator,
          }),
        ],
      }),
    ])
  })
  after(() => chain.close())

  test('sends, receives, delegates, redelegates, unbonds and earns', async () => {
    assert.deepEqual(await moneyOf(chain.sql, ica), {
      spendable: String(START - 2_000_000n - 9_000_000n + 3_000_000n + 7_777n - 1n - 5n * FEE),
      delegated: '6000000',
      unbonding: '0',
    })
    const delegations = await chain.sql`select v.moniker, d.amount from delegation d join validator v on v.id = d.validator_id
      join address a on a.id = d.address_id where a.address = ${Buffer.from(ica.hex, 'hex')} order by v.moniker`
    assert.deepEqual(plain(delegations), [
      { moniker: 'one', amount: '4000000' },
      { moniker: 'two', amount: '2000000' },
    ])
  })

  test('pays the fees of others as granter and as payer, and signs only as payer', async () => {
    assert.equal(await spendableOf(chain.sql, policy), START + 1_000_000n - 3n * FEE)
    assert.equal(await spendableOf(chain.sql, bob), 1n)
    const signers = await signersOf(chain.sql)
    assert.deepEqual(signers.slice(-3), [[policy.hex], [bob.hex], [ica.hex, policy.hex]])
  })

  test('is served under its 67 characters', async (t) => {
    assert.equal(ica.text.length, 67)
    const api = await serveChain(chain.url)
    t.after(() => api.close())
    const { status, body } = await api.get<{ hash: string }>(`/address/${ica.text}`)
    assert.deepEqual([status, body.hash], [200, ica.text])
    for (const path of [
      'txs',
      'messages',
      'delegations',
      'undelegations',
      'redelegations',
      'grants',
      'granters',
      'votes',
      'stats',
    ])
      assert.ok([200, 404].includes((await api.get(`/address/${ica.text}/${path}`)).status), path)
    assert.equal((await api.list(`/address/${ica.text}/txs?limit=50`)).length, 6)
  })
})

test('a multisig account signs, its members do not', async (t) => {
  const keys = [1, 2, 3].map((byte) => new Uint8Array(33).fill(byte))
  const hex = multisigAccount(
    2,
    keys.map((key) => ({ kind: 'secp256k1', key })),
  )
  const shared = { hex, text: encodeAddress('celestia', hex) }
  const publicKeys = [
    anAny(LegacyAminoPubKeySchema, { threshold: 2, publicKeys: keys.map((key) => anAny(PubKeySchema, { key })) }),
  ]
  const unknown = { typeUrl: '/new.v1.MsgNobodyKnows', value: new Uint8Array([8, 1]) }
  const chain = await indexAndReplay(genesis([shared]), [
    aBlock(1, {
      txs: [
        aSend(shared.text, alice.text, 5n, { publicKeys }),
        // Only the key tells who signed what nobody understands.
        aTx({ from: shared.text, actions: [{ message: unknown }], publicKeys }),
      ],
    }),
  ])
  t.after(() => chain.close())
  assert.deepEqual(await signersOf(chain.sql), [[hex], [hex]])
  assert.equal(await spendableOf(chain.sql, shared), START - 5n - 2n * FEE)
  for (const key of keys) assert.equal(await moneyOf(chain.sql, { hex: secp256k1Account(key) }), undefined)
})

test('several signers: every input signs, the fee payer signs last', async (t) => {
  const message = aMessage(MsgMultiSendSchema, {
    inputs: [alice, bob].map(({ text }) => ({ address: text, coins: [{ denom: 'utia', amount: '10' }] })),
    outputs: [{ address: ica.text, coins: [{ denom: 'utia', amount: '20' }] }],
  })
  const events = [
    anEvent('coin_spent', { spender: alice.text, amount: '10utia' }),
    anEvent('coin_spent', { spender: bob.text, amount: '10utia' }),
    anEvent('coin_received', { receiver: ica.text, amount: '20utia' }),
    anEvent('transfer', { recipient: ica.text, amount: '20utia' }),
  ]
  const chain = await indexAndReplay(genesis([alice, bob, carol]), [
    aBlock(1, { txs: [aTx({ from: alice.text, actions: [{ message, events }], payer: carol.text })] }),
  ])
  t.after(() => chain.close())
  assert.deepEqual(await signersOf(chain.sql), [[alice.hex, bob.hex, carol.hex]])
  const left = await Promise.all([alice, bob, carol, ica].map((account) => spendableOf(chain.sql, account)))
  assert.deepEqual(left, [START - 10n, START - 10n, START - FEE, 20n])
  const links = await chain.sql`select count(*)::int as n from message_address`
  assert.deepEqual(plain(links), [{ n: 3 + 2 }]) // and the two operators of the genesis txs
})

test('a tx that was refused may come again: two rows with one hash, and only the second paid', async (t) => {
  const tx = aSend(alice.text, bob.text, 5n)
  const chain = await indexAndReplay(genesis([alice]), [aBlock(1, { txs: [refused(tx)] }), aBlock(2, { txs: [tx] })])
  t.after(() => chain.close())
  const rows = await chain.sql<{ hash: Buffer; success: boolean }[]>`select hash, success from tx where height > 0 order by id`
  assert.deepEqual(rows[0]?.hash, rows[1]?.hash)
  assert.deepEqual([rows[0]?.success, rows[1]?.success], [false, true])
  assert.equal(await spendableOf(chain.sql, alice), START - 5n - FEE)
  const api = await serveChain(chain.url)
  t.after(() => api.close())
  assert.equal((await api.get(`/tx/${rows[0]!.hash.toString('hex')}`)).status, 200)
})

describe('txs that fail', () => {
  let chain: BuiltChain
  before(async () => {
    const delegation = aDelegation(alice.text, one.operator, 1_000_000n)
    const ante = delegation.result.events.slice(0, 6)
    chain = await indexAndReplay(genesis([alice, bob]), [
      aBlock(1, {
        txs: [
          { ...delegation, result: { ...delegation.result, code: 5, codespace: 'sdk', log: 'not enough', events: ante } },
          refused(aSend(bob.text, alice.text, 9n, { fee: 1234n, gasWanted: 77_000n })),
          // A node that lists the events of messages that were taken back is not believed.
          aSend(bob.text, carol.text, 9n, { code: 11, log: 'out of gas', gasUsed: 100_001n }),
        ],
      }),
    ])
  })
  after(() => chain.close())

  test('pay their fee and change nothing else; what the ante handler refused pays nothing', async () => {
    assert.deepEqual(await moneyOf(chain.sql, alice), { spendable: String(START - FEE), delegated: '0', unbonding: '0' })
    assert.equal(await spendableOf(chain.sql, bob), START - FEE)
    assert.equal(await spendableOf(chain.sql, { hex: moduleAccount('fee_collector') }), 2n * FEE + 2n * FEE) // and two genesis txs
    const staking = await chain.sql`select stake from validator where moniker = 'one'`
    assert.deepEqual(plain(staking), [{ stake: '10000000' }])
  })

  test('keep their rows, errors, messages and links', async () => {
    const rows = await chain.sql`
      select success, code, codespace, error, fee, gas_wanted, gas_used, events_count, messages_count from tx where height = 1 order by id`
    assert.deepEqual(plain(rows), [
      {
        success: false,
        code: 5,
        codespace: 'sdk',
        error: 'not enough',
        fee: '2000',
        gas_wanted: 100000,
        gas_used: 80000,
        events_count: 6,
        messages_count: 1,
      },
      {
        success: false,
        code: 32,
        codespace: 'sdk',
        error: 'account sequence mismatch',
        fee: '1234',
        gas_wanted: 77000,
        gas_used: 0,
        events_count: 0,
        messages_count: 1,
      },
      {
        success: false,
        code: 11,
        codespace: 'sdk',
        error: 'out of gas',
        fee: '2000',
        gas_wanted: 100000,
        gas_used: 100001,
        events_count: 6,
        messages_count: 1,
      },
    ])
    const linked = await chain.sql`
      select count(*)::int as n from message_address l join address a on a.id = l.address_id where a.address = ${Buffer.from(carol.hex, 'hex')}`
    assert.deepEqual(plain(linked), [{ n: 1 }])
  })
})

test('a fee in several denominations is taken in all of them; only utia counts as fee', async (t) => {
  const denom = 'ibc/93E1C00B6C8C4A3E0B1A5F2D7E9C0B1A5F2D7E9C93E1C00B6C8C4A3E0B1A5F2D'
  const coins = (utia: bigint, other?: bigint) => [
    ...(other === undefined ? [] : [{ denom, amount: String(other) }]),
    { denom: 'utia', amount: String(utia) },
  ]
  const document = genesis([alice], {
    genutil: {},
    bank: {
      balances: [{ address: alice.text, coins: coins(START, 10n ** 24n) }],
      supply: coins(START, 10n ** 24n),
    },
  })
  const chain = await indexAndReplay(document, [
    aBlock(1, { txs: [aSend(alice.text, bob.text, 1n, { feeCoins: coins(500n, 10n ** 20n) })] }),
  ])
  t.after(() => chain.close())
  const rows = await chain.sql`select fee, fee_other from tx`
  assert.deepEqual(plain(rows), [{ fee: '500', fee_other: `${10n ** 20n}${denom}` }])
  assert.deepEqual(await balancesOf(chain.sql, denom), {
    [alice.hex]: String(10n ** 24n - 10n ** 20n),
    [moduleAccount('fee_collector')]: String(10n ** 20n),
  })
  const totals = await chain.sql`select total_fee from head`
  assert.deepEqual(plain(totals), [{ total_fee: '500' }])
})
