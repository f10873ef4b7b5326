import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, StateBench, timeOf } from '../../../test/state-bench.ts'
import { createVestingFamily } from './vesting.ts'

test('vesting accounts are counted up; periods hang on the ones that have them', () => {
  const bench = new StateBench(createVestingFamily)
  bench.play(0, [
    {
      kind: 'vesting',
      address: account(1),
      type: 'continuous',
      amount: 300n,
      startTime: timeOf(1),
      endTime: timeOf(9),
      periods: [],
    },
  ])
  bench.play(4, [
    {
      kind: 'vesting',
      address: account(2),
      type: 'periodic',
      amount: 30n,
      startTime: timeOf(4),
      endTime: null,
      periods: [
        { time: timeOf(5), amount: 10n },
        { time: timeOf(6), amount: 20n },
      ],
      tx: 2,
      message: 3,
    },
  ])
  assert.equal(bench.state.head.get('true')!.total_vestings, 2)
  const [genesis, periodic] = [...bench.state.vestingAccount.all()]
  assert.deepEqual([genesis!.id, genesis!.tx_id, genesis!.height], [1, null, 0])
  assert.deepEqual([periodic!.id, periodic!.tx_id, periodic!.address_id], [2, 4 * 2 ** 24 + 2, 2])
  assert.deepEqual(
    [...bench.state.vestingPeriod.all()].map((row) => [row.vesting_id, row.position, row.time, row.amount]),
    [
      [2, 0, timeOf(5), 10n],
      [2, 1, timeOf(6), 20n],
    ],
  )
})
