import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MsgUnjailSchema } from '../../src/decode/gen/cosmos/slashing/v1beta1/types_pb.ts'
import type { Db } from '../../src/store/db.ts'
import {
  aBlock,
  aGenesis,
  aMessage,
  anAccount,
  anEvent,
  aTx,
  aValidator,
  blockTime,
  moduleText,
  movedCoins,
} from '../builders.ts'
import { type BuiltChain, indexAndReplay } from '../support/built-chain.ts'
import { aDelegation, anUnbonding, aRedelegation, burned, unbondingDone } from './staking-blocks.ts'

const [alice, bob] = [anAccount('alice'), anAccount('bob')]
const [one, two] = [aValidator('one'), aValidator('two')]

/** An amount whose way to shares and back loses a unit at the rate of that test. */
const REQUESTED = 1_000_002n

const SLASHING = {
  slashing: {
    params: {
      signed_blocks_window: '40',
      min_signed_per_window: '0.500000000000000000',
      downtime_jail_duration: '60s',
      slash_fraction_double_sign: '0.020000000000000000',
      slash_fraction_downtime: '0.010000000000000000',
    },
  },
}

const genesis = (appState: Record<string, unknown> = SLASHING) =>
  aGenesis({
    balances: { [alice.text]: 50_000_000n, [bob.text]: 20_000_000n, [one.text]: 11_000_000n, [two.text]: 6_000_000n },
    validators: [
      { name: 'one', stake: 10_000_000n },
      { name: 'two', stake: 5_000_000n },
    ],
    appState,
  })

async function delegationsOf(sql: Db): Promise<Record<string, string>> {
  const rows = await sql<{ moniker: string; address: Buffer; amount: string }[]>`
    select v.moniker, a.address, d.amount from delegation d join validator v on v.id = d.validator_id join address a on a.id = d.address_id`
  const names = new Map([alice, bob, one, two].map((account, i) => [account.hex, ['alice', 'bob', 'one', 'two'][i]]))
  return Object.fromEntries(rows.map((row) => [`${names.get(row.address.toString('hex'))} at ${row.moniker}`, row.amount]))
}

describe('double signing with stake in flight', () => {
  let chain: BuiltChain
  before(async () => {
    chain = await indexAndReplay(genesis(), [
      aBlock(1, { txs: [aDelegation(alice.text, one.operator, 3_333_333n), aDelegation(bob.text, one.operator, 7_000_001n)] }),
      aBlock(2, { txs: [anUnbonding(alice.text, one.operator, 1_111_111n, 2)] }),
      aBlock(3, {
        txs: [
          anUnbonding(alice.text, one.operator, 500_000n, 3),
          aRedelegation(bob.text, one.operator, two.operator, 2_000_001n, 3),
        ],
      }),
      aBlock(4),
      // Infraction at height 3: the unbonding of height 3 loses 2 % (10,000), the redelegation 2 % of what it moved (40,000), and of the
      // 320,000 due for a power of 16 the validator's own tokens pay the rest.
      aBlock(5, {
        evidence: [{ kind: 'duplicate_vote', validatorAddress: one.consAddress, height: 4, time: blockTime(4) }],
        begin: [
          ...burned('not_bonded', 10_000n),
          ...burned('bonded', 40_000n),
          ...burned('bonded', 270_000n),
          anEvent('slash', { address: one.consText, power: '16', reason: 'double_sign', burned_coins: '270000' }),
          anEvent('slash', { jailed: one.consText }),
        ],
        end: movedCoins(moduleText('bonded_tokens_pool'), moduleText('not_bonded_tokens_pool'), '16452222utia'),
        validatorUpdates: [{ consAddress: one.consAddress, power: 0n }],
      }),
    ])
  })
  after(() => chain.close())

  test('the validator loses tokens, keeps its shares and is jailed', async () => {
    const rows =
      await chain.sql`select moniker, stake, shares, jailed, bonded from validator where moniker in ('one', 'two') order by moniker`
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { moniker: 'one', stake: '16452222', shares: '16722222.000000000000000000', jailed: true, bonded: false },
        // Two per cent of 2,000,001 shares are 40,000.02; they were worth 40,000 tokens.
        { moniker: 'two', stake: '6960001', shares: '6960000.980000000000000000', jailed: false, bonded: true },
      ],
    )
  })

  test('delegations are worth what their shares are, in whole units', async () => {
    const worth = (shares: bigint, tokens: bigint, total: bigint) => String((shares * tokens) / total)
    assert.deepEqual(await delegationsOf(chain.sql), {
      'one at one': worth(10_000_000n, 16_452_222n, 16_722_222n),
      'alice at one': worth(1_722_222n, 16_452_222n, 16_722_222n),
      'bob at one': worth(5_000_000n, 16_452_222n, 16_722_222n),
      'two at two': '5000000',
      'bob at two': '1960000',
    })
  })

  test('an unbonding begun before the infraction is not touched, one begun at it is cut', async () => {
    const rows = await chain.sql`select height, amount, initial_amount from undelegation order by height`
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { height: 2, amount: '1111111', initial_amount: '1111111' },
        { height: 3, amount: '490000', initial_amount: '500000' },
      ],
    )
    const [row] = await chain.sql`select unbonding from address where address = ${Buffer.from(alice.hex, 'hex')}`
    assert.equal(row?.unbonding, '1601111')
  })

  test('the jailing is kept with its reason and what it burned', async () => {
    const rows = await chain.sql`select height, reason, burned from jail`
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [{ height: 5, reason: 'double_sign', burned: '270000' }],
    )
  })
})

test('after a slash an unbonding gives back a unit less than asked for, and all units stay accounted for', async () => {
  const total = 10_000_000n + 3_333_333n
  const tokens = total - 130_000n
  // The requested tokens cost this many shares (18 digits, cut); their worth, rounded to 18 digits, falls just short of a whole unit.
  const shares = (total * 10n ** 18n * REQUESTED) / tokens
  const worth = (shares * tokens * 2n + total) / (total * 2n)
  const given = worth / 10n ** 18n
  assert.equal(given, REQUESTED - 1n)
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { txs: [aDelegation(alice.text, one.operator, 3_333_333n)] }),
    aBlock(2),
    aBlock(3),
    aBlock(4, {
      begin: [
        ...burned('bonded', 130_000n),
        anEvent('slash', {
          address: one.consText,
          power: '13',
          reason: 'missing_signature',
          jailed: one.consText,
          burned_coins: '130000',
        }),
      ],
    }),
    aBlock(5, { txs: [anUnbonding(alice.text, one.operator, REQUESTED, 5, given)] }),
  ])
  const left = 3_333_333n * 10n ** 18n - shares
  const [row] = await chain.sql`select stake, shares from validator where moniker = 'one'`
  assert.equal(row?.stake, String(tokens - given))
  const [delegation] = await chain.sql<{ amount: string }[]>`
    select amount from delegation d join address a on a.id = d.address_id where a.address = ${Buffer.from(alice.hex, 'hex')}`
  assert.equal(delegation?.amount, String((left * (tokens - given)) / (total * 10n ** 18n - shares)))
  await chain.close()
})

test('stake that leaves a jailed validator at once moves what its shares are worth', async (t) => {
  const total = 10_000_000n + 3_333_333n
  const [bonded, notBonded] = [moduleText('bonded_tokens_pool'), moduleText('not_bonded_tokens_pool')]
  const moved = REQUESTED - 1n
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { txs: [aDelegation(alice.text, one.operator, 3_333_333n)] }),
    aBlock(2),
    aBlock(3, {
      begin: [
        ...burned('bonded', 130_000n),
        anEvent('slash', { address: one.consText, power: '13', reason: 'missing_signature', burned_coins: '130000' }),
      ],
      end: movedCoins(bonded, notBonded, `${total - 130_000n}utia`),
      validatorUpdates: [{ consAddress: one.consAddress, power: 0n }],
    }),
    aBlock(4, {
      txs: [
        aRedelegation(alice.text, one.operator, two.operator, REQUESTED, null, movedCoins(notBonded, bonded, `${moved}utia`)),
      ],
    }),
  ])
  t.after(() => chain.close())
  const rows = await chain.sql`select moniker, stake from validator where moniker <> '' order by moniker`
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { moniker: 'one', stake: String(total - 130_000n - moved) },
      { moniker: 'two', stake: String(5_000_000n + moved) },
    ],
  )
  assert.equal((await chain.sql`select 1 from redelegation`).length, 0)
})

test('redelegated stake that began to unbond pays there first, and then its delegation in full', async (t) => {
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { txs: [aDelegation(bob.text, one.operator, 2_000_000n)] }),
    aBlock(2),
    aBlock(3, { txs: [aRedelegation(bob.text, one.operator, two.operator, 2_000_000n, 3)] }),
    aBlock(4, { txs: [anUnbonding(bob.text, two.operator, 30_000n, 4)] }),
    // 2 % of the redelegation are 40,000: 30,000 are found unbonding; the chain then still takes 2 % of the shares.
    aBlock(5, {
      evidence: [{ kind: 'duplicate_vote', validatorAddress: one.consAddress, height: 4, time: blockTime(4) }],
      begin: [
        ...burned('not_bonded', 30_000n),
        ...burned('bonded', 40_000n),
        ...burned('bonded', 200_000n),
        anEvent('slash', { address: one.consText, power: '12', reason: 'double_sign', burned_coins: '200000' }),
      ],
    }),
    ...[6, 7, 8, 9, 10, 11, 12, 13].map((height) => aBlock(height)),
    aBlock(14, { end: [anEvent('complete_unbonding', { amount: '', validator: two.operator, delegator: bob.text })] }),
  ])
  t.after(() => chain.close())
  assert.deepEqual(await delegationsOf(chain.sql), { 'one at one': '9800000', 'two at two': '5000000', 'bob at two': '1930000' })
  const [row] = await chain.sql`select spendable, unbonding from address where address = ${Buffer.from(bob.hex, 'hex')}`
  assert.deepEqual({ ...row }, { spendable: String(20_000_000 - 2_000_000 - 3 * 2000), unbonding: '0' })
  assert.equal((await chain.sql`select 1 from undelegation`).length, 0)
})

test('a validator that leaves jail comes back into the set with what it has left', async (t) => {
  const [bonded, notBonded] = [moduleText('bonded_tokens_pool'), moduleText('not_bonded_tokens_pool')]
  const unjail = aMessage(MsgUnjailSchema, { validatorAddr: one.operator })
  const chain = await indexAndReplay(genesis(), [
    aBlock(1),
    aBlock(2),
    aBlock(3, {
      begin: [
        ...burned('bonded', 100_000n),
        anEvent('slash', {
          address: one.consText,
          power: '10',
          reason: 'missing_signature',
          jailed: one.consText,
          burned_coins: '100000',
        }),
      ],
      end: movedCoins(bonded, notBonded, '9900000utia'),
      validatorUpdates: [{ consAddress: one.consAddress, power: 0n }],
    }),
    aBlock(4, { txs: [aTx({ from: one.text, actions: [{ message: unjail }], code: 2, log: 'validator still jailed' })] }),
    aBlock(5, {
      txs: [aTx({ from: one.text, actions: [{ message: unjail, events: [anEvent('message', { module: 'slashing' })] }] })],
      end: movedCoins(notBonded, bonded, '9900000utia'),
      validatorUpdates: [{ consAddress: one.consAddress, power: 9n }],
    }),
  ])
  t.after(() => chain.close())
  const [row] = await chain.sql`select stake, jailed, bonded from validator where moniker = 'one'`
  assert.deepEqual({ ...row }, { stake: '9900000', jailed: false, bonded: true })
  assert.equal((await chain.sql`select 1 from jail`).length, 1)
  const [head] = await chain.sql`select total_voting_power from head`
  assert.equal(head?.total_voting_power, '14')
})

test('a downtime slash with a fraction of zero burns nothing and is still a jailing', async () => {
  const slashing = { slashing: { params: { ...SLASHING.slashing.params, slash_fraction_downtime: '0.000000000000000000' } } }
  const chain = await indexAndReplay(genesis(slashing), [
    aBlock(1),
    aBlock(2),
    aBlock(3, {
      begin: [
        anEvent('slash', {
          address: one.consText,
          power: '10',
          reason: 'missing_signature',
          jailed: one.consText,
          burned_coins: '0',
        }),
      ],
    }),
  ])
  const [row] = await chain.sql`select v.stake, v.jailed, j.burned from validator v join jail j on j.validator_id = v.id`
  assert.deepEqual({ ...row }, { stake: '10000000', jailed: true, burned: '0' })
  await chain.close()
})

test('matured entries leave with their true amounts', async () => {
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { txs: [aDelegation(alice.text, one.operator, 3_000_000n)] }),
    aBlock(2, { txs: [anUnbonding(alice.text, one.operator, 1_000_000n, 2)] }),
    aBlock(3, {
      evidence: [{ kind: 'duplicate_vote', validatorAddress: one.consAddress, height: 2, time: blockTime(2) }],
      begin: [
        ...burned('not_bonded', 20_000n),
        ...burned('bonded', 220_000n),
        anEvent('slash', { address: one.consText, power: '12', reason: 'double_sign', burned_coins: '220000' }),
      ],
    }),
    ...[4, 5, 6, 7, 8, 9, 10, 11].map((height) => aBlock(height)),
    aBlock(12, { end: unbondingDone(alice.text, one.operator, 980_000n) }),
  ])
  const [row] = await chain.sql`select unbonding, spendable from address where address = ${Buffer.from(alice.hex, 'hex')}`
  assert.deepEqual({ ...row }, { unbonding: '0', spendable: String(50_000_000 - 3_000_000 - 4000 + 980_000) })
  assert.equal((await chain.sql`select 1 from undelegation`).length, 0)
  await chain.close()
})

test('a validator whose operator keeps less than the minimum is jailed although no event says so', async () => {
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { txs: [aDelegation(alice.text, one.operator, 3_000_000n)] }),
    aBlock(2, {
      txs: [anUnbonding(one.text, one.operator, 10_000_000n, 2)],
      end: movedCoins(moduleText('bonded_tokens_pool'), moduleText('not_bonded_tokens_pool'), '3000000utia'),
      validatorUpdates: [{ consAddress: one.consAddress, power: 0n }],
    }),
  ])
  const [row] = await chain.sql`select stake, jailed, bonded from validator where moniker = 'one'`
  assert.deepEqual({ ...row }, { stake: '3000000', jailed: true, bonded: false })
  await chain.close()
})

test('a validator that everybody left disappears without an event and keeps its row', async () => {
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, {
      txs: [anUnbonding(two.text, two.operator, 5_000_000n, 1)],
      validatorUpdates: [{ consAddress: two.consAddress, power: 0n }],
    }),
    aBlock(2),
  ])
  const [row] = await chain.sql`select stake, shares, bonded from validator where moniker = 'two'`
  assert.deepEqual({ ...row }, { stake: '0', shares: '0.000000000000000000', bonded: false })
  const [head] = await chain.sql`select total_voting_power from head`
  assert.equal(head?.total_voting_power, '10')
  await chain.close()
})
