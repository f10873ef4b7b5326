import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, StateBench } from '../../../test/state-bench.ts'
import type { Effect } from '../../types/effects.ts'
import { createStakingFamily } from './staking.ts'

const TENTH = 10n ** 17n
const [FIRST, SECOND, THIRD] = [account(2), account(3), account(4)]

const delegate = (delegator: string, amount: bigint, tenths: bigint, count?: 'later' | 'all'): Effect => ({
  kind: 'delegate',
  operator: account(1),
  delegator,
  amount,
  newShares: tenths * TENTH,
  ...(count ? { count } : {}),
})

test('when the rate is one again everybody has the whole units of their shares', () => {
  const bench = new StateBench(createStakingFamily)
  bench.addValidator(account(1), 0n)
  const holds = (address: string) => bench.state.address.get(address)!.delegated
  bench.play(5, [delegate(FIRST, 10n, 105n), delegate(SECOND, 3n, 37n)])
  // 13 tokens for 14.2 shares: the first has 9.6 of them.
  assert.deepEqual([holds(FIRST), holds(SECOND)], [9n, 3n])
  bench.play(6, [delegate(THIRD, 7n, 58n)])
  assert.deepEqual([holds(FIRST), holds(SECOND), holds(THIRD)], [10n, 3n, 5n])
})

test('of a validator that comes with its delegations the whole units are counted once, with the last of them', () => {
  const bench = new StateBench(createStakingFamily)
  bench.addValidator(account(1), 0n)
  bench.play(5, [delegate(FIRST, 10n, 105n, 'later'), delegate(SECOND, 3n, 37n, 'later'), delegate(THIRD, 7n, 58n, 'all')])
  const held = [FIRST, SECOND, THIRD].map((address) => bench.state.address.get(address)!.delegated)
  assert.deepEqual(held, [10n, 3n, 5n])
})
