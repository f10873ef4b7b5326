import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MsgSignalVersionSchema, MsgTryUpgradeSchema } from '../../src/decode/gen/celestia/signal/v1/types_pb.ts'
import { PubKeySchema } from '../../src/decode/gen/cosmos/crypto/ed25519/types_pb.ts'
import { MsgCreateValidatorSchema } from '../../src/decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import {
  aBlock,
  aGenesis,
  aMessage,
  anAccount,
  anAny,
  anEvent,
  aTx,
  aValidator,
  type BuiltTx,
  moduleText,
  movedCoins,
} from '../builders.ts'
import { type BuiltChain, indexAndReplay } from '../support/built-chain.ts'
import { serveChain } from '../support/served-chain.ts'
import { constantOf, plain } from './read-rows.ts'

const alice = anAccount('alice')
const [one, two, cheap] = [aValidator('one'), aValidator('two'), aValidator('cheap')]

const genesis = () => ({
  ...aGenesis({
    balances: {
      [alice.text]: 50_000_000n,
      [one.text]: 51_000_000n,
      [two.text]: 11_000_000n,
      [cheap.text]: 9_000_000n,
    },
    validators: [
      { name: 'one', stake: 50_000_000n },
      { name: 'two', stake: 10_000_000n },
    ],
  }),
  consensus_params: { block: { max_bytes: '1974272', max_gas: '-1' }, version: { app: '1' } },
})

/** A validator as it could be made before app 6: 5 % now, 8 % at most. */
function aCheapValidator(): BuiltTx {
  const message = aMessage(MsgCreateValidatorSchema, {
    description: { moniker: 'cheap' },
    commission: { rate: '50000000000000000', maxRate: '80000000000000000', maxChangeRate: '10000000000000000' },
    minSelfDelegation: '1',
    delegatorAddress: cheap.text,
    validatorAddress: cheap.operator,
    pubkey: anAny(PubKeySchema, { key: cheap.key }),
    value: { denom: 'utia', amount: '4000000' },
  })
  const events = [
    ...movedCoins(cheap.text, moduleText('bonded_tokens_pool'), '4000000utia'),
    anEvent('create_validator', { validator: cheap.operator, amount: '4000000utia' }),
    anEvent('message', { module: 'staking', sender: cheap.text }),
  ]
  return aTx({ from: cheap.text, actions: [{ message, events }], sdk: '0.46' })
}

function aSignal(validator: { text: string; operator: string }, version: bigint): BuiltTx {
  const message = aMessage(MsgSignalVersionSchema, { validatorAddress: validator.operator, version })
  return aTx({
    from: validator.text,
    actions: [{ message, events: [anEvent('signal_version', { action: '/celestia.signal.v1.MsgSignalVersion' })] }],
  })
}

const tryUpgrade = () => aTx({ from: alice.text, actions: [{ message: aMessage(MsgTryUpgradeSchema, { signer: alice.text }) }] })

describe('a chain from app version 1 to 10', () => {
  let chain: BuiltChain
  before(async () => {
    chain = await indexAndReplay(genesis(), [
      aBlock(1, {
        versionApp: 1,
        txs: [aCheapValidator()],
        validatorUpdates: [{ consAddress: cheap.consAddress, power: 4n }],
      }),
      aBlock(2, { versionApp: 2 }),
      aBlock(3, { versionApp: 3 }),
      aBlock(4, { versionApp: 4 }),
      // Five sixths of 64 are 54: one alone has 50, the second signal carries it.
      aBlock(5, { versionApp: 5, txs: [aSignal(one, 6n), tryUpgrade(), aSignal(two, 6n)] }),
      aBlock(6, { versionApp: 5, txs: [tryUpgrade(), aSignal(cheap, 7n)] }),
      aBlock(7, {
        versionApp: 6,
        consensusParamUpdates: {
          block: { maxBytes: '33554432', maxGas: '-1' },
          evidence: { maxAgeNumBlocks: '242640', maxAgeDurationNs: '1213200000000000', maxBytes: '1048576' },
          versionApp: 6,
        },
      }),
      aBlock(8, { versionApp: 7 }),
      aBlock(9, { versionApp: 9 }),
      aBlock(10, {
        versionApp: 10,
        consensusParamUpdates: {
          evidence: { maxAgeNumBlocks: '404400', maxAgeDurationNs: '1213200000000000', maxBytes: '1048576' },
        },
      }),
    ])
  })
  after(() => chain.close())

  test('every version that came to run has its row, skipped ones have none', async () => {
    const rows = await chain.sql`
      select version, status, applied_at_level, end_height, signals_count, voted_power, voting_power from upgrade order by version`
    const plainUpgrade = (version: number, applied_at_level: number, voting_power: string) => ({
      version,
      status: 'applied',
      applied_at_level,
      end_height: null,
      signals_count: 0,
      voted_power: '0',
      voting_power,
    })
    assert.deepEqual(plain(rows), [
      plainUpgrade(2, 2, '64'),
      plainUpgrade(3, 3, '64'),
      plainUpgrade(4, 4, '64'),
      plainUpgrade(5, 5, '64'),
      {
        version: 6,
        status: 'applied',
        applied_at_level: 7,
        end_height: 6,
        signals_count: 2,
        voted_power: '60',
        voting_power: '64',
      },
      // The signal for 7 was counted when it came; the chain forgot it with the upgrade to 6.
      {
        version: 7,
        status: 'applied',
        applied_at_level: 8,
        end_height: null,
        signals_count: 1,
        voted_power: '4',
        voting_power: '64',
      },
      plainUpgrade(9, 9, '64'),
      plainUpgrade(10, 10, '64'),
    ])
  })

  test('each block has its own version, the head the newest', async () => {
    const blocks = await chain.sql<{ version_app: number }[]>`select version_app from block order by height`
    assert.deepEqual(
      blocks.map((row) => row.version_app),
      [1, 1, 2, 3, 4, 5, 5, 6, 7, 9, 10],
    )
    assert.deepEqual(plain(await chain.sql`select version from head`), [{ version: 10 }])
  })

  test('commissions below the floors of 6 and 7 were raised, though no event said so', async () => {
    const rows =
      await chain.sql`select moniker, rate, max_rate, max_change_rate from validator where operator is not null order by id`
    const raised = { rate: '0.200000000000000000', max_rate: '0.600000000000000000' }
    assert.deepEqual(plain(rows), [
      { moniker: 'one', ...raised, max_change_rate: '0.200000000000000000' },
      { moniker: 'two', ...raised, max_change_rate: '0.200000000000000000' },
      { moniker: 'cheap', ...raised, max_change_rate: '0.010000000000000000' },
    ])
  })

  test('parameters that upgrades set by themselves hold', async () => {
    const { sql } = chain
    assert.equal(await constantOf(sql, 'minfee', 'network_min_gas_price'), '0.000001000000000000')
    assert.equal(await constantOf(sql, 'staking', 'unbonding_time'), '1213200000000000')
    assert.equal(await constantOf(sql, 'staking', 'min_commission_rate'), '0.200000000000000000')
    assert.equal(await constantOf(sql, 'staking', 'max_commission_rate'), '0.600000000000000000')
    assert.equal(await constantOf(sql, 'slashing', 'signed_blocks_window'), '10000')
    assert.equal(await constantOf(sql, 'consensus', 'block_max_bytes'), '33554432')
    assert.equal(await constantOf(sql, 'consensus', 'evidence_max_age_num_blocks'), '404400')
  })

  test('signals are told with the stake behind them', async () => {
    const rows = await chain.sql`
      select v.moniker, s.version, s.voting_power, s.height from signal_version s join validator v on v.id = s.validator_id order by s.id`
    assert.deepEqual(plain(rows), [
      { moniker: 'one', version: 6, voting_power: '50000000', height: 5 },
      { moniker: 'two', version: 6, voting_power: '10000000', height: 5 },
      { moniker: 'cheap', version: 7, voting_power: '4000000', height: 6 },
    ])
  })

  test('they are served', async (t) => {
    const api = await serveChain(chain.url)
    t.after(() => api.close())
    const upgrades = await api.list('/signal/upgrade?limit=100')
    assert.equal(upgrades.length, 8)
    assert.equal((await api.get('/signal/upgrade/6')).status, 200)
    assert.equal((await api.get<{ time: string }>('/head')).status, 200)
  })
})

test('an upgrade raises a commission only as far as the version that came to run asks', async (t) => {
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { versionApp: 1, txs: [aCheapValidator()], validatorUpdates: [{ consAddress: cheap.consAddress, power: 4n }] }),
    aBlock(2, { versionApp: 6 }),
  ])
  t.after(() => chain.close())
  const rows = await chain.sql`select moniker, rate, max_rate from validator where operator is not null order by id`
  assert.deepEqual(plain(rows), [
    { moniker: 'one', rate: '0.100000000000000000', max_rate: '0.600000000000000000' },
    { moniker: 'two', rate: '0.100000000000000000', max_rate: '0.600000000000000000' },
    { moniker: 'cheap', rate: '0.100000000000000000', max_rate: '0.100000000000000000' },
  ])
})
