import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, consAddress, StateBench, timeOf } from '../../../test/state-bench.ts'
import { decFromInt } from '../../lib/dec.ts'
import { createStakingFamily } from './staking.ts'

const [FROM, TO] = [1, 2]
const [LOWER, HIGHER] = [account(0x10), account(0x20)]

/** The destination was slashed before: the order in which two delegations shrink decides about a unit. */
function benchWithRedelegations(first: [string, bigint], second: [string, bigint]): StateBench {
  const bench = new StateBench(createStakingFamily)
  bench.state.constant.insert({ module: 'slashing', name: 'slash_fraction_double_sign', value: '0.02' })
  bench.addValidator(account(FROM), 50_000_000n)
  bench.addValidator(account(TO), 12_477_357n, { shares: decFromInt(12_755_052n) })
  for (const [i, [address, shares]] of [first, second].entries()) {
    bench.handOver(2, address, decFromInt(shares))
    bench.state.redelegation.insert({
      id: 1000 + i,
      address_id: bench.accountId(address),
      source_id: 1,
      destination_id: 2,
      amount: shares,
      shares: decFromInt(shares),
      height: 5,
      time: timeOf(5),
      completion_time: timeOf(500),
      begin_height: null,
      begin_time: null,
    })
  }
  return bench
}

const slash = {
  kind: 'slash',
  consAddress: consAddress(FROM),
  reason: 'double_sign',
  power: 50n,
  burned: 0n,
  infractionHeight: 5,
} as const

for (const order of ['first', 'last'])
  test(`redelegations are cut in the order of their accounts: the lower one began ${order}`, () => {
    const [lower, higher]: [string, bigint][] = [
      [LOWER, 1_032_734n],
      [HIGHER, 1_652_570n],
    ]
    const bench = order === 'first' ? benchWithRedelegations(lower!, higher!) : benchWithRedelegations(higher!, lower!)
    bench.play(10, [slash])
    // The other order would take a unit more.
    assert.equal(bench.state.validator.get(2)!.stake, 12_477_357n - 52_535n)
  })
