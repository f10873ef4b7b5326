import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, StateBench } from '../../../test/state-bench.ts'
import { DEC_ONE, decFromInt } from '../../lib/dec.ts'
import type { VoteOption } from '../../types/effects.ts'
import { tallyVotes, totalVotingPower } from './tally.ts'

const TIA = 1_000_000n

let nextVote = 1
function cast(bench: StateBench, voter: string, ...options: [VoteOption, bigint][]): void {
  for (const [option, weight] of options) {
    bench.state.vote.insert({
      id: nextVote++,
      proposal_id: 1,
      voter_id: bench.accountId(voter),
      validator_id: null,
      option,
      weight,
      height: 1,
      time: '2026-11-15T02:00:00.000000Z',
    })
  }
}

const nothing = { yes: 0n, abstain: 0n, no: 0n, no_with_veto: 0n }

test('a validator speaks for the delegators that did not vote', () => {
  const bench = new StateBench()
  const validator = bench.addValidator(account(1), 100n * TIA)
  bench.handOver(validator, account(2), decFromInt(30n * TIA))
  cast(bench, account(1), ['yes', DEC_ONE])
  assert.deepEqual(tallyVotes(bench.state, 1), { ...nothing, yes: 100n * TIA })
})

test('a delegator that votes takes its stake off the validator', () => {
  const bench = new StateBench()
  const validator = bench.addValidator(account(1), 100n * TIA)
  bench.handOver(validator, account(2), decFromInt(30n * TIA))
  cast(bench, account(1), ['yes', DEC_ONE])
  cast(bench, account(2), ['no', DEC_ONE])
  assert.deepEqual(tallyVotes(bench.state, 1), { ...nothing, yes: 70n * TIA, no: 30n * TIA })
})

test('a delegator of a silent validator counts for itself only', () => {
  const bench = new StateBench()
  const validator = bench.addValidator(account(1), 100n * TIA)
  bench.handOver(validator, account(2), decFromInt(30n * TIA))
  cast(bench, account(2), ['abstain', DEC_ONE])
  assert.deepEqual(tallyVotes(bench.state, 1), { ...nothing, abstain: 30n * TIA })
})

test('weights split the stake; proposal 3 of the recorded devnet comes out as its node counted it', () => {
  const bench = new StateBench()
  const one = bench.addValidator(account(1), 5_915_000_000_000n)
  const two = bench.addValidator(account(2), 6_660_000_000_000n)
  const zero = bench.addValidator(account(3), 5_516_001_000_000n)
  const late = bench.addValidator(account(4), 6_000_000_000n, { bonded: false, jailed: true })
  assert.ok(two)
  const splitter = account(9)
  bench.handOver(one, splitter, decFromInt(45_000_000_000n))
  bench.handOver(zero, splitter, decFromInt(80_000_000_000n))
  bench.handOver(late, splitter, decFromInt(5_000_000_000n))
  for (const n of [1, 2, 3]) cast(bench, account(n), ['no_with_veto', DEC_ONE])
  cast(bench, splitter, ['yes', (DEC_ONE * 7n) / 10n], ['abstain', (DEC_ONE * 3n) / 10n])
  assert.deepEqual(tallyVotes(bench.state, 1), {
    yes: 87_500_000_000n,
    abstain: 37_500_000_000n,
    no: 0n,
    no_with_veto: 17_966_001_000_000n,
  })
  assert.equal(totalVotingPower(bench.state), 18_091_001n)
})

test('neither unbonded nor freshly jailed validators count, nor the delegations they hold', () => {
  const bench = new StateBench()
  const unbonded = bench.addValidator(account(1), 50n * TIA, { bonded: false })
  const jailed = bench.addValidator(account(2), 50n * TIA, { jailed: true })
  bench.addValidator(account(3), 10n * TIA)
  bench.handOver(unbonded, account(4), decFromInt(20n * TIA))
  bench.handOver(jailed, account(4), decFromInt(20n * TIA))
  for (const n of [1, 2, 3, 4]) cast(bench, account(n), ['yes', DEC_ONE])
  assert.deepEqual(tallyVotes(bench.state, 1), { ...nothing, yes: 10n * TIA })
  assert.equal(totalVotingPower(bench.state), 60n)
})

test('after a slash shares are turned into stake on 18 digits and cut at the end only', () => {
  const bench = new StateBench()
  // 1000 shares are worth 980 base units: 333 of them 326.34, the other 667 are worth 653.66.
  const validator = bench.addValidator(account(1), 980n, { shares: decFromInt(1000n) })
  bench.handOver(validator, account(2), decFromInt(333n))
  cast(bench, account(1), ['no', DEC_ONE])
  cast(bench, account(2), ['yes', DEC_ONE / 2n], ['no', DEC_ONE / 2n])
  // yes 163.17; no 163.17 + 653.66 = 816.83
  assert.deepEqual(tallyVotes(bench.state, 1), { ...nothing, yes: 163n, no: 816n })
})

test('thirds of shares round half to even like the chain, so that no unit is lost to the cut', () => {
  const bench = new StateBench()
  const validator = bench.addValidator(account(1), 2n, { shares: decFromInt(3n) })
  bench.handOver(validator, account(2), decFromInt(1n))
  bench.handOver(validator, account(3), decFromInt(1n))
  for (const n of [1, 2, 3]) cast(bench, account(n), ['yes', DEC_ONE])
  // Three times 0.666666666666666667 (rounded up) is more than 2: cut to 2. Rounded down it would have been 1.
  assert.deepEqual(tallyVotes(bench.state, 1), { ...nothing, yes: 2n })
})
