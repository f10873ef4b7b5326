import assert from 'node:assert/strict'
import { test } from 'node:test'
import { account, consAddress, StateBench, timeOf } from '../../../test/state-bench.ts'
import { DEC_ONE, decFromInt } from '../../lib/dec.ts'
import type { Effect, GovEffect } from '../../types/effects.ts'
import { createStakingFamily } from '../staking/staking.ts'
import { createGovFamily } from './gov.ts'

const TIA = 1_000_000n
const PROPOSER = account(0xaa)

const PARAMS = {
  max_deposit_period: '30000000000',
  voting_period: '25000000000',
  expedited_voting_period: '10000000000',
  quorum: '0.334',
  threshold: '0.500000000000000000',
  expedited_threshold: '0.667000000000000000',
  veto_threshold: '0.334000000000000000',
  min_deposit: '1000000000utia',
  expedited_min_deposit: '50000000000utia',
}

function govBench(): StateBench {
  const bench = new StateBench(createStakingFamily, createGovFamily)
  for (const [name, value] of Object.entries(PARAMS)) bench.state.constant.insert({ module: 'gov', name, value })
  bench.addValidator(account(1), 100n * TIA)
  bench.addValidator(account(2), 50n * TIA)
  return bench
}

const submit = (fields: Partial<Extract<GovEffect, { kind: 'submit-proposal' }>> = {}): Effect => ({
  kind: 'submit-proposal',
  id: 1,
  proposer: PROPOSER,
  type: 'text',
  title: 'Name the comet',
  description: 'by vote',
  metadata: 'ipfs://x',
  expedited: false,
  changes: null,
  constants: [],
  tx: 0,
  message: 0,
  ...fields,
})
const activate: Effect = { kind: 'activate-proposal', id: 1 }
const vote = (voter: string, ...options: Extract<GovEffect, { kind: 'vote' }>['options']): Effect => ({
  kind: 'vote',
  id: 1,
  voter,
  options,
})
const yes = { option: 'yes' as const, weight: DEC_ONE }
const no = { option: 'no' as const, weight: DEC_ONE }
const end = (result: Extract<GovEffect, { kind: 'end-proposal' }>['result'], log = ''): Effect => ({
  kind: 'end-proposal',
  id: 1,
  result,
  log,
})

test('a proposal waits for its deposit, then runs for the voting period', () => {
  const bench = govBench()
  bench.play(10, [submit(), { kind: 'deposit', id: 1, depositor: PROPOSER, amount: 400n }])
  let proposal = bench.state.proposal.get(1)!
  assert.equal(proposal.status, 'inactive')
  assert.equal(proposal.deposit_time, timeOf(20))
  assert.equal(proposal.end_time, null)
  assert.equal(proposal.proposer_id, bench.accountId(PROPOSER))
  assert.equal(bench.state.head.get('true')!.total_proposals, 1)

  bench.play(12, [
    { kind: 'deposit', id: 1, depositor: account(0xbb), amount: 500n },
    { kind: 'deposit', id: 1, depositor: PROPOSER, amount: 100n },
    activate,
  ])
  proposal = bench.state.proposal.get(1)!
  assert.equal(proposal.status, 'active')
  assert.equal(proposal.deposit, 1000n)
  assert.equal(proposal.activation_time, timeOf(12))
  assert.equal(proposal.end_time, '2026-11-15T02:01:01.000000Z')
  assert.deepEqual(
    [...bench.state.proposalDeposit.all()].map((row) => [row.id, row.amount]),
    [
      [10 * 2 ** 24, 400n],
      [12 * 2 ** 24, 500n],
      [12 * 2 ** 24 + 1, 100n],
    ],
  )
})

test('votes are counted by voter, by option and by kind of voter', () => {
  const bench = govBench()
  bench.handOver(1, account(3), decFromInt(40n * TIA))
  bench.play(10, [submit(), activate])
  bench.play(11, [
    vote(account(1), yes),
    vote(account(3), { option: 'yes', weight: (DEC_ONE * 7n) / 10n }, { option: 'abstain', weight: (DEC_ONE * 3n) / 10n }),
    vote(account(4), no),
  ])
  const proposal = bench.state.proposal.get(1)!
  assert.equal(proposal.votes_count, 3)
  assert.deepEqual([proposal.yes, proposal.yes_vals, proposal.yes_addrs], [2, 1, 1])
  assert.deepEqual([proposal.abstain, proposal.abstain_vals, proposal.abstain_addrs], [1, 0, 1])
  assert.deepEqual([proposal.no, proposal.no_addrs], [1, 1])
  assert.equal(proposal.yes_voting_power, 60n * TIA + 28n * TIA)
  assert.equal(proposal.abstain_voting_power, 12n * TIA)
  assert.equal(proposal.voting_power, 100n * TIA)
  assert.deepEqual(
    [...bench.state.vote.all()].map((row) => [row.id - 11 * 2 ** 24, row.option, row.validator_id]),
    [
      [0, 'yes', 1],
      // backwards: lists of votes are newest first
      [1, 'abstain', null],
      [2, 'yes', null],
      [3, 'no', null],
    ],
  )
})

test('a new vote replaces the older one of the same voter', () => {
  const bench = govBench()
  bench.play(10, [submit(), activate])
  bench.play(11, [vote(account(1), { option: 'yes', weight: DEC_ONE / 2n }, { option: 'no', weight: DEC_ONE / 2n })])
  bench.play(12, [vote(account(1), { option: 'no_with_veto', weight: DEC_ONE })])
  const proposal = bench.state.proposal.get(1)!
  assert.equal(proposal.votes_count, 1)
  assert.deepEqual([proposal.yes, proposal.yes_vals, proposal.no, proposal.no_vals], [0, 0, 0, 0])
  assert.deepEqual([proposal.no_with_veto, proposal.no_with_veto_vals, proposal.no_with_veto_addrs], [1, 1, 0])
  assert.equal(proposal.no_with_veto_voting_power, 100n * TIA)
  assert.equal(proposal.voting_power, 100n * TIA)
  assert.equal([...bench.state.vote.all()].length, 1)
})

test('the end sees stake that moved earlier in the same block', () => {
  const bench = govBench()
  bench.play(10, [submit(), activate, vote(account(1), yes), vote(account(2), no)])
  bench.play(20, [{ kind: 'delegate', operator: account(1), delegator: account(7), amount: 5n * TIA }, end('passed')])
  const proposal = bench.state.proposal.get(1)!
  assert.equal(proposal.yes_voting_power, 105n * TIA)
  assert.equal(proposal.no_voting_power, 50n * TIA)
  assert.equal(proposal.total_voting_power, 155n)
})

test('a passed proposal is applied with its constants, and keeps the rules of its end', () => {
  const bench = govBench()
  bench.state.constant.insert({ module: 'blob', name: 'gov_max_square_size', value: '64' })
  bench.play(10, [
    submit({ constants: [{ module: 'blob', name: 'gov_max_square_size', value: '128' }] }),
    activate,
    vote(account(1), yes),
  ])
  assert.equal(bench.state.constant.get('blob', 'gov_max_square_size')!.value, '64')
  bench.play(20, [end('passed')])
  const proposal = bench.state.proposal.get(1)!
  assert.equal(proposal.status, 'applied')
  assert.equal(bench.state.constant.get('blob', 'gov_max_square_size')!.value, '128')
  assert.deepEqual(
    [proposal.quorum, proposal.threshold, proposal.veto_quorum, proposal.min_deposit],
    ['0.334000000000000000', '0.500000000000000000', '0.334000000000000000', '1000000000utia'],
  )
})

test('a rejected or failed proposal leaves the constants alone; only a failed one has an error', () => {
  for (const result of ['rejected', 'failed'] as const) {
    const bench = govBench()
    bench.play(10, [submit({ constants: [{ module: 'blob', name: 'gas_per_blob_byte', value: '9' }] }), activate])
    bench.play(20, [end(result, 'msg 0 failed')])
    const proposal = bench.state.proposal.get(1)!
    assert.equal(proposal.status, result)
    assert.equal(proposal.error, result === 'failed' ? 'msg 0 failed' : null)
    assert.equal(bench.state.constant.get('blob', 'gas_per_blob_byte'), undefined)
  }
})

test('an expedited proposal that misses its threshold starts over with the normal period and without its votes', () => {
  const bench = govBench()
  bench.play(10, [submit({ expedited: true }), activate, vote(account(1), no)])
  assert.equal(bench.state.proposal.get(1)!.end_time, '2026-11-15T02:00:40.000000Z')

  bench.play(14, [end('expedited-rejected')])
  let proposal = bench.state.proposal.get(1)!
  assert.equal(proposal.status, 'active')
  assert.equal(proposal.expedited, false)
  assert.equal(proposal.end_time, '2026-11-15T02:00:55.000000Z')
  assert.deepEqual([proposal.votes_count, proposal.no, proposal.no_voting_power], [0, 0, 0n])
  assert.equal([...bench.state.vote.all()].length, 0)

  bench.play(15, [vote(account(2), yes)])
  bench.play(19, [end('passed')])
  proposal = bench.state.proposal.get(1)!
  assert.equal(proposal.yes_voting_power, 50n * TIA)
  assert.equal(proposal.no_voting_power, 0n)
  assert.equal(proposal.threshold, '0.500000000000000000')
})

test('an expedited proposal that passes was judged by the expedited rules', () => {
  const bench = govBench()
  bench.play(10, [submit({ expedited: true }), activate, vote(account(1), yes)])
  bench.play(14, [end('passed')])
  const proposal = bench.state.proposal.get(1)!
  assert.equal(proposal.threshold, '0.667000000000000000')
  assert.equal(proposal.min_deposit, '50000000000utia')
})

test('a cancelled or dropped proposal is kept as removed, and nothing changes it any more', () => {
  for (const reason of ['cancelled', 'dropped'] as const) {
    const bench = govBench()
    bench.play(10, [submit(), { kind: 'deposit', id: 1, depositor: PROPOSER, amount: 5n }])
    bench.play(11, [{ kind: 'remove-proposal', id: 1, reason }])
    bench.play(12, [{ kind: 'deposit', id: 1, depositor: PROPOSER, amount: 5n }, activate, vote(account(1), yes), end('passed')])
    const proposal = bench.state.proposal.get(1)!
    assert.equal(proposal.status, 'removed')
    assert.deepEqual([proposal.deposit, proposal.votes_count, proposal.total_voting_power], [5n, 0, null])
  }
})

test('effects on a proposal nobody knows are passed over', () => {
  const bench = govBench()
  bench.play(10, [activate, vote(account(1), yes), end('passed'), { kind: 'remove-proposal', id: 1, reason: 'dropped' }])
  assert.equal(bench.state.proposal.get(1), undefined)
})

test('an open proposal with very many voters follows the stake from time to time', () => {
  const bench = govBench()
  const crowd = Array.from({ length: 256 }, (_, n) => vote(account(0x1000 + n), no))
  bench.play(590, [submit(), activate, vote(account(1), yes), ...crowd])
  bench.play(599, [{ kind: 'delegate', operator: account(1), delegator: account(7), amount: TIA }])
  assert.equal(bench.state.proposal.get(1)!.yes_voting_power, 100n * TIA)
  bench.play(600, [])
  assert.equal(bench.state.proposal.get(1)!.yes_voting_power, 101n * TIA)
})

test('a missing or unreadable period counts as none', () => {
  const bench = govBench()
  bench.state.constant.edit('gov', 'voting_period')!.value = 'soon'
  bench.state.constant.remove('gov', 'max_deposit_period')
  bench.play(10, [submit(), activate])
  const proposal = bench.state.proposal.get(1)!
  assert.deepEqual([proposal.deposit_time, proposal.end_time], [timeOf(10), timeOf(10)])
})

test('the count of an open proposal follows the stake behind its votes', () => {
  const bench = govBench()
  bench.play(10, [submit(), activate, vote(account(1), yes), vote(account(7), no)])
  const powers = () => {
    const { yes_voting_power, no_voting_power } = bench.state.proposal.get(1)!
    return [yes_voting_power, no_voting_power]
  }
  assert.deepEqual(powers(), [100n * TIA, 0n])
  bench.play(11, [{ kind: 'delegate', operator: account(2), delegator: account(7), amount: 5n * TIA }])
  assert.deepEqual(powers(), [100n * TIA, 5n * TIA])
  bench.play(12, [{ kind: 'validator-power', consAddress: consAddress(1), power: 0n }])
  assert.deepEqual(powers(), [0n, 5n * TIA])
})
