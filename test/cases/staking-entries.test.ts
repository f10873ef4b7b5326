import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MsgDelegateSchema } from '../../src/decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import { listDelegations } from '../../src/store/read/address/staking.ts'
import { listDelegators } from '../../src/store/read/validator.ts'
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
import { indexAndReplay } from '../support/built-chain.ts'
import { exportedDelegation, exportedValidator } from './exported-state.ts'
import { moneyOf, plain } from './read-rows.ts'
import {
  aCancelledUnbonding,
  aDelegation,
  anUnbonding,
  aRedelegation,
  aSecondBeginning,
  burned,
  unbondingDone,
} from './staking-blocks.ts'

const [alice, bob, carol] = [anAccount('alice'), anAccount('bob'), anAccount('carol')]
const [one, two] = [aValidator('one'), aValidator('two')]
const [BONDED, NOT_BONDED] = [moduleText('bonded_tokens_pool'), moduleText('not_bonded_tokens_pool')]
const slashing = { params: { slash_fraction_double_sign: '0.020000000000000000' } }

const genesis = () =>
  aGenesis({
    balances: { [alice.text]: 50_000_000n, [one.text]: 11_000_000n, [two.text]: 20_000_000n },
    validators: [
      { name: 'one', stake: 10_000_000n },
      { name: 'two', stake: 5_000_000n },
    ],
    appState: { slashing },
  })

const doubleSign = (power: string, burned_coins: string) =>
  anEvent('slash', { address: two.consText, power, reason: 'double_sign', burned_coins })
const evidenceAt = (height: number) => ({
  kind: 'duplicate_vote',
  validatorAddress: two.consAddress,
  height,
  time: blockTime(height),
})

test('a validator made again with its old key pays for its first life with what left it then', async (t) => {
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { txs: [aDelegation(alice.text, two.operator, 4_000_000n)] }),
    aBlock(2, {
      txs: [
        anUnbonding(alice.text, two.operator, 1_000_000n, 2),
        aRedelegation(alice.text, two.operator, one.operator, 500_000n, 2),
      ],
    }),
    aBlock(3, {
      txs: [anUnbonding(alice.text, two.operator, 2_500_000n, 3), anUnbonding(two.text, two.operator, 5_000_000n, 3)],
      validatorUpdates: [{ consAddress: two.consAddress, power: 0n }],
    }),
    aBlock(4, {
      txs: [aSecondBeginning(two, two.key)],
      end: movedCoins(NOT_BONDED, BONDED, '3000000utia'),
      validatorUpdates: [{ consAddress: two.consAddress, power: 3n }],
    }),
    // Two per cent of a power of 9 are 180,000: the entries of the first life pay all of it.
    aBlock(5, {
      evidence: [evidenceAt(3)],
      begin: [
        ...burned('not_bonded', 170_000n),
        ...burned('bonded', 10_000n),
        doubleSign('9', '0'),
        anEvent('slash', { jailed: two.consText }),
      ],
      end: movedCoins(BONDED, NOT_BONDED, '3000000utia'),
      validatorUpdates: [{ consAddress: two.consAddress, power: 0n }],
    }),
  ])
  t.after(() => chain.close())
  const entries = await chain.sql`select height, amount from undelegation order by height, amount`
  assert.deepEqual(plain(entries), [
    { height: 2, amount: '980000' },
    { height: 3, amount: '2450000' },
    { height: 3, amount: '4900000' },
  ])
  const validators = await chain.sql`select moniker, stake, jailed from validator where operator is not null order by id`
  assert.deepEqual(plain(validators), [
    { moniker: 'one', stake: '10490000', jailed: false },
    { moniker: 'two', stake: '0', jailed: true },
    { moniker: 'two again', stake: '3000000', jailed: true },
  ])
})

test('redelegations are slashed in the batch they began in, and who never moved gains the unit they leave behind', async (t) => {
  const dave = anAccount('dave')
  const MOVED = 1_000_049n
  const staking = {
    exported: true,
    params: { unbonding_time: '60s', max_validators: 100, bond_denom: 'utia' },
    validators: [exportedValidator(one, 'one', { tokens: 10_000_000n }), exportedValidator(two, 'two', { tokens: 10_000_000n })],
    delegations: [
      exportedDelegation(one.text, one.operator, 1_000_000n),
      exportedDelegation(carol.text, one.operator, 9_000_000n),
      exportedDelegation(two.text, two.operator, 4_000_000n),
      exportedDelegation(bob.text, two.operator, 3_000_000n),
      exportedDelegation(dave.text, two.operator, 3_000_000n),
    ],
  }
  const balances = { [BONDED]: 20_000_000n, [bob.text]: 10_000n, [dave.text]: 10_000n }
  // Two per cent of each are 20,000.98 shares, worth 20,000 tokens: twice 0.98 tokens stay with the others.
  const tokens = 10_000_000n + 2n * MOVED - 40_000n
  // Written again as one batch, the slash meets redelegations that the database has never seen.
  const chain = await indexAndReplay(aGenesis({ balances, appState: { staking, slashing } }), [
    aBlock(1, {
      txs: [
        aRedelegation(bob.text, two.operator, one.operator, MOVED, 1),
        aRedelegation(dave.text, two.operator, one.operator, MOVED, 1),
      ],
    }),
    aBlock(2),
    aBlock(3, {
      evidence: [evidenceAt(2)],
      begin: [...burned('bonded', 40_000n), ...burned('bonded', 160_000n), doubleSign('10', '160000')],
      end: movedCoins(BONDED, NOT_BONDED, `${10_000_000n - 2n * MOVED - 160_000n}utia`),
      validatorUpdates: [{ consAddress: two.consAddress, power: 0n }],
    }),
  ])
  t.after(() => chain.close())
  const rows = await chain.sql`select stake, shares from validator where moniker = 'one'`
  assert.deepEqual(plain(rows), [{ stake: String(tokens), shares: `${tokens - 2n}.040000000000000000` }])
  assert.equal((await moneyOf(chain.sql, carol))?.delegated, '9000001')
})

test('an unbonding whose last second is not over stays open though another one of the pair is paid', async (t) => {
  const atFraction = (height: number, millis: number) => new Date(Date.parse(blockTime(height)) + millis).toISOString()
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { txs: [aDelegation(alice.text, two.operator, 4_000_000n)] }),
    aBlock(2, {
      txs: [anUnbonding(alice.text, two.operator, 1_000_000n, 2), aRedelegation(alice.text, two.operator, one.operator, 7n, 2)],
    }),
    aBlock(3, {
      time: atFraction(3, 900),
      txs: [anUnbonding(alice.text, two.operator, 500_000n, 3), aRedelegation(alice.text, two.operator, one.operator, 9n, 3)],
    }),
    ...[4, 5, 6, 7, 8, 9, 10, 11].map((height) => aBlock(height)),
    aBlock(12, { time: atFraction(12, -1000) }),
    // The event of height 3 said second 78; the chain counts to 78.9.
    aBlock(13, {
      time: atFraction(13, 500),
      end: [
        ...unbondingDone(alice.text, two.operator, 1_000_000n),
        anEvent('complete_redelegation', {
          amount: '7utia',
          delegator: alice.text,
          source_validator: two.operator,
          destination_validator: one.operator,
        }),
      ],
    }),
  ])
  t.after(() => chain.close())
  assert.deepEqual(plain(await chain.sql`select height, amount from undelegation`), [{ height: 3, amount: '500000' }])
  assert.deepEqual(plain(await chain.sql`select height, amount from redelegation`), [{ height: 3, amount: '9' }])
  assert.equal((await moneyOf(chain.sql, alice))?.unbonding, '500000')
})

test('stake at a validator that nothing has created does not stop the index', async (t) => {
  const nobody = aValidator('nobody')
  const message = aMessage(MsgDelegateSchema, { delegatorAddress: alice.text, validatorAddress: nobody.operator })
  const events = [
    ...movedCoins(alice.text, NOT_BONDED, '800utia'),
    anEvent('delegate', {
      validator: nobody.operator,
      delegator: alice.text,
      amount: '800utia',
      new_shares: '800.000000000000000000',
    }),
  ]
  const chain = await indexAndReplay(genesis(), [aBlock(1, { txs: [aTx({ from: alice.text, actions: [{ message, events }] })] })])
  t.after(() => chain.close())
  assert.equal((await moneyOf(chain.sql, alice))?.delegated, '800')
})

test('an unbonding that was taken back in part is slashed by what is left of it', async (t) => {
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { txs: [aDelegation(alice.text, two.operator, 5_000_000n)] }),
    aBlock(2, { txs: [anUnbonding(alice.text, two.operator, 1_000_000n, 2)] }),
    aBlock(3, { txs: [aCancelledUnbonding(alice.text, two.operator, 600_000n, 2)] }),
    // Two per cent of a power of 9 are 180,000, of which the 400,000 that still unbond pay 8,000.
    aBlock(4, {
      evidence: [evidenceAt(2)],
      begin: [
        ...burned('not_bonded', 8_000n),
        ...burned('bonded', 172_000n),
        doubleSign('9', '172000'),
        anEvent('slash', { jailed: two.consText }),
      ],
      end: movedCoins(BONDED, NOT_BONDED, `${9_600_000n - 172_000n}utia`),
      validatorUpdates: [{ consAddress: two.consAddress, power: 0n }],
    }),
  ])
  t.after(() => chain.close())
  assert.deepEqual(plain(await chain.sql`select height, amount from undelegation`), [{ height: 2, amount: '392000' }])
  assert.equal((await moneyOf(chain.sql, alice))?.unbonding, '392000')
})

/** A block so many milliseconds after its full second. */
const lateBlock = (height: number, millis: number, spec: Parameters<typeof aBlock>[1] = {}) =>
  aBlock(height, { time: blockTime(height).replace('.000Z', `.${String(millis).padStart(3, '0')}Z`), ...spec })

test('what moved away is slashed until its time is over to the fraction of a second that events leave out', async (t) => {
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { txs: [aDelegation(alice.text, two.operator, 5_000_000n)] }),
    // Over at 72.7 seconds by the chain, at 72 by the event.
    lateBlock(2, 700, { txs: [aRedelegation(alice.text, two.operator, one.operator, 1_000_000n, 2)] }),
    ...Array.from({ length: 9 }, (_, i) => aBlock(3 + i)),
    lateBlock(12, 300, {
      evidence: [evidenceAt(2)],
      begin: [
        ...burned('bonded', 20_000n),
        ...burned('bonded', 160_000n),
        doubleSign('9', '160000'),
        anEvent('slash', { jailed: two.consText }),
      ],
      end: movedCoins(BONDED, NOT_BONDED, `${9_000_000n - 160_000n}utia`),
      validatorUpdates: [{ consAddress: two.consAddress, power: 0n }],
    }),
  ])
  t.after(() => chain.close())
  const validators = await chain.sql`select moniker, stake from validator where operator is not null order by id`
  assert.deepEqual(plain(validators), [
    { moniker: 'one', stake: '10980000' },
    { moniker: 'two', stake: '8840000' },
  ])
})

test('what moves away from a validator on its way out is free with the validator, to the fraction of a second', async (t) => {
  const leaves = anEvent('slash', {
    address: two.consText,
    power: '10',
    reason: 'missing_signature',
    jailed: two.consText,
    burned_coins: '0',
  })
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { txs: [aDelegation(alice.text, two.operator, 5_000_000n)] }),
    // The entry matures after 72.2 seconds.
    lateBlock(2, 200, {
      begin: [leaves],
      end: movedCoins(BONDED, NOT_BONDED, '10000000utia'),
      validatorUpdates: [{ consAddress: two.consAddress, power: 0n }],
    }),
    ...[3, 4].map((height) => aBlock(height)),
    lateBlock(5, 700, {
      txs: [aRedelegation(alice.text, two.operator, one.operator, 1_000_000n, 2, movedCoins(NOT_BONDED, BONDED, '1000000utia'))],
    }),
    ...[6, 7, 8, 9, 10, 11].map((height) => aBlock(height)),
    lateBlock(12, 300, {
      evidence: [evidenceAt(2)],
      begin: [...burned('not_bonded', 200_000n), doubleSign('10', '200000')],
      end: [
        anEvent('complete_redelegation', {
          amount: '1000000utia',
          delegator: alice.text,
          source_validator: two.operator,
          destination_validator: one.operator,
        }),
      ],
    }),
  ])
  t.after(() => chain.close())
  const validators = await chain.sql`select moniker, stake from validator where operator is not null order by id`
  assert.deepEqual(plain(validators), [
    { moniker: 'one', stake: '11000000' },
    { moniker: 'two', stake: '8800000' },
  ])
  assert.deepEqual(plain(await chain.sql`select id from redelegation`), [])
})

test('a delegation of which nothing is left is listed with the zeros, until it begins again', async (t) => {
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { txs: [aDelegation(alice.text, one.operator, 4_000_000n), aDelegation(alice.text, two.operator, 5_000_000n)] }),
    aBlock(2, {
      txs: [
        anUnbonding(alice.text, two.operator, 5_000_000n, 2),
        aRedelegation(alice.text, one.operator, two.operator, 4_000_000n, 2),
      ],
    }),
    aBlock(3, { txs: [anUnbonding(two.text, two.operator, 5_000_000n, 3)] }),
  ])
  t.after(() => chain.close())
  const listOf = async ({ hex }: { hex: string }, show_zero: boolean) => {
    const rows = await listDelegations(chain.sql, { address: Buffer.from(hex, 'hex'), limit: 10, offset: 0, show_zero })
    return rows?.map(({ amount, validator: [, , moniker] }) => `${moniker} ${amount}`)
  }
  assert.deepEqual(await listOf(alice, false), ['two 4000000'])
  assert.deepEqual(await listOf(alice, true), ['two 4000000', 'one 0'])
  assert.deepEqual(await listOf(two, true), ['two 0'])
  const [row] = await chain.sql<{ id: number }[]>`select id from validator where moniker = 'two'`
  const delegators = await listDelegators(chain.sql, { id: row!.id, limit: 10, offset: 0, show_zero: true })
  assert.deepEqual(
    delegators.map(({ amount, delegator: [hex] }) => [hex, amount]),
    [
      [alice.hex, '4000000'],
      [two.hex, '0'],
    ],
  )
})
