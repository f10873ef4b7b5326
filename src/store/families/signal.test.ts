import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, consAddress, StateBench, timeOf } from '../../../test/state-bench.ts'
import type { Effect } from '../../types/effects.ts'
import { createStakingFamily } from '../staking/staking.ts'
import { decFromText } from '../state/column.ts'
import type { StateTable } from '../state/table.ts'
import type { UpgradeRow } from './signal.ts'
import { createSignalFamily } from './signal.ts'

const TIA = 1_000_000n
const signal = (n: number, version: number): Effect => ({ kind: 'signal', operator: account(n), version, tx: 0, message: 0 })
const power = (n: number, power: bigint): Effect => ({ kind: 'validator-power', consAddress: consAddress(n), power })
const tryUpgrade: Effect = { kind: 'try-upgrade', signer: account(0x55), tx: 3, message: 4 }

const delegate = (n: number, amount: bigint): Effect => ({
  kind: 'delegate',
  operator: account(n),
  delegator: account(9),
  amount,
})

/** Six validators with ten units of power each; app version 9. */
function signalBench() {
  const bench = new StateBench(createStakingFamily, createSignalFamily)
  for (let n = 1; n <= 6; n++) bench.addValidator(account(n), 10n * TIA + 999_999n)
  const upgrades = [...bench.state.tables()].find((table) => table.def.name === 'upgrade') as StateTable<UpgradeRow>
  return { bench, upgrades }
}

test('a signal shows the stake in base units, the upgrade whole units of voting power', () => {
  const { bench, upgrades } = signalBench()
  const rows = bench.play(78, [signal(1, 10)]).signal_version!
  assert.deepEqual([rows[0]!.validator_id, rows[0]!.version, rows[0]!.voting_power], ['1', '10', '10999999'])
  assert.equal(bench.state.validator.get(1)!.version, 10)
  const upgrade = upgrades.get(10)!
  assert.deepEqual([upgrade.height, upgrade.time, upgrade.status], [78, timeOf(78), 'processing'])
  assert.deepEqual([upgrade.voting_power, upgrade.voted_power, upgrade.signals_count], [60n, 10n, 1])
})

test('a validator stands behind its last signal only', () => {
  const { bench, upgrades } = signalBench()
  bench.play(78, [signal(1, 10), signal(2, 10)])
  bench.play(80, [signal(1, 11)])
  assert.deepEqual([upgrades.get(10)!.voted_power, upgrades.get(10)!.signals_count], [10n, 2])
  assert.deepEqual([upgrades.get(11)!.voted_power, upgrades.get(11)!.signals_count, upgrades.get(11)!.height], [10n, 1, 80])
})

test('a signal for the running version takes an earlier one back and makes no upgrade', () => {
  const { bench, upgrades } = signalBench()
  bench.play(78, [signal(1, 10)])
  const rows = bench.play(80, [signal(1, 9)]).signal_version!
  assert.equal(rows.length, 1)
  assert.equal(upgrades.get(9), undefined)
  assert.equal(upgrades.get(10)!.voted_power, 0n)
})

test('validators outside of the active set add no power', () => {
  const { bench, upgrades } = signalBench()
  bench.play(77, [power(2, 0n)])
  bench.play(78, [signal(1, 10), signal(2, 10)])
  assert.deepEqual([upgrades.get(10)!.voted_power, upgrades.get(10)!.voting_power], [10n, 50n])
})

test('stake that moves later shows with the next signal or try-upgrade', () => {
  const { bench, upgrades } = signalBench()
  bench.play(78, [signal(1, 10)])
  bench.play(79, [delegate(1, 5n * TIA), power(1, 15n)])
  assert.equal(upgrades.get(10)!.voted_power, 10n)
  bench.play(80, [tryUpgrade])
  assert.deepEqual([upgrades.get(10)!.voted_power, upgrades.get(10)!.voting_power], [15n, 65n])
})

test('stake of the same block does not count: the chain goes by the powers of the block before', () => {
  const { bench, upgrades } = signalBench()
  bench.play(78, [signal(1, 10), signal(2, 10), signal(3, 10), signal(4, 10)])
  // 40 of 60; with the new stake it would be 240 of 260.
  bench.play(79, [delegate(1, 200n * TIA), tryUpgrade, power(1, 210n)])
  assert.deepEqual([upgrades.get(10)!.voted_power, upgrades.get(10)!.status], [40n, 'processing'])
  bench.play(80, [tryUpgrade])
  assert.deepEqual([upgrades.get(10)!.voted_power, upgrades.get(10)!.status], [240n, 'waiting_upgrade'])
})

test('a validator that unbonds everything counts until the block is over', () => {
  const { bench, upgrades } = signalBench()
  const leave: Effect = {
    kind: 'unbond',
    operator: account(1),
    delegator: account(1),
    amount: 10n * TIA + 999_999n,
    completionTime: timeOf(99),
  }
  bench.play(78, [signal(1, 10), leave, signal(2, 10), power(1, 0n)])
  assert.deepEqual([upgrades.get(10)!.voted_power, upgrades.get(10)!.voting_power], [20n, 60n])
  bench.play(79, [tryUpgrade])
  assert.deepEqual([upgrades.get(10)!.voted_power, upgrades.get(10)!.voting_power], [10n, 50n])
})

test('try-upgrade waits for five sixths of the power', () => {
  const { bench, upgrades } = signalBench()
  bench.play(78, [signal(1, 10), signal(2, 10), signal(3, 10), signal(4, 10), tryUpgrade])
  assert.equal(upgrades.get(10)!.status, 'processing')
  assert.equal(upgrades.get(10)!.end_height, null)
  bench.play(79, [signal(5, 10)])
  assert.equal(upgrades.get(10)!.status, 'processing')
  bench.play(80, [tryUpgrade])
  const upgrade = upgrades.get(10)!
  assert.deepEqual([upgrade.status, upgrade.end_height, upgrade.end_time], ['waiting_upgrade', 80, timeOf(80)])
  assert.deepEqual(
    [upgrade.signer_id, upgrade.tx_id, upgrade.message_id],
    [bench.accountId(account(0x55)), 80 * 2 ** 24 + 3, 80 * 2 ** 24 + 4],
  )
})

test('the first block of a higher version applies the upgrade', () => {
  const { bench, upgrades } = signalBench()
  bench.play(78, [signal(1, 10), signal(2, 10), signal(3, 10), signal(4, 10), signal(5, 10), tryUpgrade])
  bench.play(83, [], { versionApp: 10 })
  const upgrade = upgrades.get(10)!
  assert.deepEqual([upgrade.status, upgrade.applied_at_level, upgrade.applied_at], ['applied', 83, timeOf(83)])
  assert.deepEqual([upgrade.voted_power, upgrade.height], [50n, 78])
  assert.equal(bench.state.validator.get(1)!.version, 10)
  bench.play(84, [])
  assert.equal(upgrades.get(10)!.applied_at_level, 83)
})

test('an upgrade without signals has a row too; genesis has none', () => {
  const { bench, upgrades } = signalBench()
  bench.state.head.edit('true')!.version = 0
  bench.play(0, [], { versionApp: 3 })
  assert.equal(upgrades.get(3), undefined)
  bench.play(5, [], { versionApp: 4 })
  const upgrade = upgrades.get(4)!
  assert.deepEqual([upgrade.status, upgrade.signals_count, upgrade.voted_power, upgrade.voting_power], ['applied', 0, 0n, 60n])
  assert.deepEqual([upgrade.height, upgrade.end_height], [5, null])
})

test('a genesis that does not tell its version makes no upgrade of block 1', () => {
  const { bench, upgrades } = signalBench()
  bench.state.head.edit('true')!.version = 0
  bench.play(1, [], { versionApp: 1 })
  assert.equal(upgrades.get(1), undefined)
})

test('the chain forgets signals for later versions when it upgrades; those of the same block count', () => {
  const { bench, upgrades } = signalBench()
  bench.play(78, [signal(1, 11), signal(2, 10)])
  bench.play(83, [signal(3, 11)], { versionApp: 10 })
  assert.equal(bench.state.validator.get(1)!.version, 10)
  assert.deepEqual([upgrades.get(11)!.voted_power, upgrades.get(11)!.signals_count], [10n, 2])
})

test('upgrades to 6 and 7 raise commissions and set what no event tells', () => {
  const { bench } = signalBench()
  const rates = (id: number) => {
    const { rate, max_rate } = bench.state.validator.get(id)!
    return [rate, max_rate]
  }
  bench.state.head.edit('true')!.version = 5
  Object.assign(bench.state.validator.edit(1)!, { rate: decFromText('0.05'), max_rate: decFromText('0.08') })
  Object.assign(bench.state.validator.edit(2)!, { rate: decFromText('0.15'), max_rate: decFromText('1') })
  bench.play(10, [], { versionApp: 6 })
  assert.deepEqual(rates(1), [decFromText('0.1'), decFromText('0.1')])
  assert.deepEqual(rates(2), [decFromText('0.15'), decFromText('1')])
  assert.equal(bench.state.constant.get('staking', 'unbonding_time')!.value, '1213200000000000')

  bench.play(20, [], { versionApp: 7 })
  assert.deepEqual(rates(1), [decFromText('0.2'), decFromText('0.6')])
  assert.deepEqual(rates(2), [decFromText('0.2'), decFromText('1')])
  assert.equal(bench.state.constant.get('staking', 'min_commission_rate')!.value, '0.200000000000000000')
  assert.equal(bench.state.constant.get('staking', 'max_commission_rate')!.value, '0.600000000000000000')
})

test('a signal of an unknown operator is passed over', () => {
  const { bench, upgrades } = signalBench()
  assert.deepEqual(bench.play(78, [signal(99, 10)]), {})
  assert.equal(upgrades.get(10), undefined)
})

test('a signal for an absurd version is kept as the largest whole number', () => {
  const { bench, upgrades } = signalBench()
  const rows = bench.play(78, [signal(1, 2 ** 64)]).signal_version!
  assert.equal(rows[0]!.version, String(Number.MAX_SAFE_INTEGER))
  assert.equal(upgrades.get(Number.MAX_SAFE_INTEGER)!.voted_power, 10n)
})
