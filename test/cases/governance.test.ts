import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  ABSTAIN,
  aCancellation,
  aDeposit,
  aProposal,
  aVote,
  aWeightedVote,
  burnedDeposit,
  dropped,
  NO,
  refundedDeposit,
  VETO,
  votingEnded,
  YES,
} from '../../src/simulation/txs/gov.ts'
import { findProposal } from '../../src/store/read/governance/proposal.ts'
import { aBlock, aGenesis, anAccount, aValidator, blockTime } from '../builders.ts'
import { type BuiltChain, indexAndReplay } from '../support/built-chain.ts'
import { plain, spendableOf } from './read-rows.ts'
import { aDelegation } from './staking-blocks.ts'

const [alice, bob, carol] = [anAccount('alice'), anAccount('bob'), anAccount('carol')]
const [one, two] = [aValidator('one'), aValidator('two')]
const FEE = 2000n
const MIN_DEPOSIT = 1_000_000_000n
const START = 5_000_000_000n

const genesis = () =>
  aGenesis({
    balances: {
      [alice.text]: START,
      [bob.text]: START,
      [carol.text]: START,
      [one.text]: 11_000_000n,
      [two.text]: 7_000_000n,
    },
    validators: [
      { name: 'one', stake: 10_000_000n },
      { name: 'two', stake: 6_000_000n },
    ],
    appState: {
      gov: {
        params: {
          min_deposit: [{ denom: 'utia', amount: String(MIN_DEPOSIT) }],
          max_deposit_period: '30s',
          voting_period: '24s',
          expedited_voting_period: '12s',
          expedited_min_deposit: [{ denom: 'utia', amount: '2000000000' }],
          expedited_threshold: '0.667000000000000000',
          quorum: '0.334000000000000000',
          threshold: '0.500000000000000000',
          veto_threshold: '0.334000000000000000',
          proposal_cancel_ratio: '0.500000000000000000',
          burn_vote_veto: true,
          burn_proposal_deposit_prevote: true,
        },
      },
    },
  })

async function statusOf({ sql }: BuiltChain): Promise<Record<string, string>> {
  const rows = await sql<{ id: number; status: string }[]>`select id, status from proposal order by id`
  return Object.fromEntries(rows.map(({ id, status }) => [id, status]))
}

describe('deposits that are returned, burned and shared', () => {
  let chain: BuiltChain
  before(async () => {
    chain = await indexAndReplay(genesis(), [
      aBlock(1, {
        txs: [
          aProposal({ id: 1, from: alice.text, deposit: MIN_DEPOSIT, opens: true }),
          aProposal({ id: 2, from: bob.text, deposit: 400_000_000n }),
          aProposal({ id: 3, from: carol.text, deposit: MIN_DEPOSIT, opens: true }),
          aProposal({ id: 4, from: carol.text, deposit: 600_000_000n }),
        ],
      }),
      aBlock(2, {
        txs: [
          aVote(one.text, 1, YES),
          aDeposit(bob.text, 4, 400_000_000n, true),
          aVote(one.text, 3, VETO),
          aVote(one.text, 4, YES),
        ],
      }),
      // The proposer takes the first one back: half of the deposit is gone.
      aBlock(3, { txs: [aCancellation(alice.text, 1, { burned: 500_000_000n, refunded: 500_000_000n })] }),
      // A vote for what is gone fails on the chain; here it must find nothing to change.
      aBlock(4, { txs: [aVote(two.text, 1, NO)] }),
      aBlock(5, { end: [...burnedDeposit(MIN_DEPOSIT), votingEnded(3, 'proposal_rejected')] }),
      aBlock(6, {
        end: [
          ...burnedDeposit(400_000_000n),
          dropped(2),
          ...refundedDeposit(bob.text, 400_000_000n),
          ...refundedDeposit(carol.text, 600_000_000n),
          votingEnded(4, 'proposal_passed'),
        ],
      }),
    ])
  })
  after(() => chain.close())

  test('a cancelled and a dropped proposal are removed, one with a veto is rejected', async () => {
    assert.deepEqual(await statusOf(chain), { 1: 'removed', 2: 'removed', 3: 'rejected', 4: 'applied' })
  })

  test('every depositor has what the chain gave back', async () => {
    const { sql } = chain
    assert.equal(await spendableOf(sql, alice), START - 500_000_000n - 2n * FEE)
    assert.equal(await spendableOf(sql, bob), START - 400_000_000n - 2n * FEE)
    assert.equal(await spendableOf(sql, carol), START - MIN_DEPOSIT - 2n * FEE)
    const rows = await sql`select spendable from address where name = 'gov'`
    assert.deepEqual(plain(rows), [{ spendable: '0' }])
  })

  test('burned deposits leave the supply in the block that burned them', async () => {
    const rows = await chain.sql`select height, supply_change from block where height > 0 and supply_change <> 0 order by height`
    assert.deepEqual(plain(rows), [
      { height: 3, supply_change: '-500000000' },
      { height: 5, supply_change: '-1000000000' },
      { height: 6, supply_change: '-400000000' },
    ])
  })

  test('deposits stay on record with their depositors, whatever became of them', async () => {
    const rows = await chain.sql`
      select proposal_id, amount, height from proposal_deposit order by proposal_id, id`
    assert.deepEqual(plain(rows), [
      { proposal_id: 1, amount: '1000000000', height: 1 },
      { proposal_id: 2, amount: '400000000', height: 1 },
      { proposal_id: 3, amount: '1000000000', height: 1 },
      { proposal_id: 4, amount: '600000000', height: 1 },
      { proposal_id: 4, amount: '400000000', height: 2 },
    ])
    const [four] = await chain.sql`select deposit, activation_time from proposal where id = 4`
    assert.equal(four?.deposit, '1000000000')
    assert.equal(Date.parse(four?.activation_time), Date.parse(blockTime(2)))
  })

  test('nobody votes on what was cancelled', async () => {
    const rows = await chain.sql`select votes_count, yes, no from proposal where id = 1`
    assert.deepEqual(plain(rows), [{ votes_count: 1, yes: 1, no: 0 }])
  })

  test('the end keeps the rules and the count that decided', async () => {
    const rows = await chain.sql`
      select id, no_with_veto_voting_power, yes_voting_power, total_voting_power, quorum, veto_quorum, threshold, min_deposit
      from proposal where id in (3, 4) order by id`
    const rules = {
      total_voting_power: '16',
      quorum: '0.334000000000000000',
      veto_quorum: '0.334000000000000000',
      threshold: '0.500000000000000000',
      min_deposit: '1000000000utia',
    }
    assert.deepEqual(plain(rows), [
      { id: 3, no_with_veto_voting_power: '10000000', yes_voting_power: '0', ...rules },
      { id: 4, no_with_veto_voting_power: '0', yes_voting_power: '10000000', ...rules },
    ])
  })
})

describe('expedited proposals', () => {
  let chain: BuiltChain
  const opening = { deposit: 2n * MIN_DEPOSIT, opens: true, expedited: true }
  before(async () => {
    chain = await indexAndReplay(genesis(), [
      aBlock(1, {
        txs: [
          aProposal({ id: 1, from: alice.text, ...opening }),
          aProposal({ id: 2, from: bob.text, ...opening }),
          aProposal({ id: 3, from: carol.text, ...opening }),
        ],
      }),
      aBlock(2, {
        txs: [
          aVote(one.text, 1, YES),
          aVote(two.text, 1, YES),
          aVote(one.text, 2, YES),
          aVote(two.text, 2, NO),
          aVote(two.text, 3, YES),
        ],
      }),
      aBlock(3, {
        end: [
          ...refundedDeposit(alice.text, 2n * MIN_DEPOSIT),
          votingEnded(1, 'proposal_passed'),
          votingEnded(2, 'expedited_proposal_rejected'),
          votingEnded(3, 'expedited_proposal_rejected'),
        ],
      }),
      // The chain has forgotten the first votes on 2: only this one counts in the second round.
      aBlock(4, { txs: [aVote(one.text, 2, YES)] }),
      aBlock(5, {
        end: [
          ...refundedDeposit(bob.text, 2n * MIN_DEPOSIT),
          votingEnded(2, 'proposal_passed'),
          ...refundedDeposit(carol.text, 2n * MIN_DEPOSIT),
          votingEnded(3, 'proposal_rejected'),
        ],
      }),
    ])
  })
  after(() => chain.close())

  test('one that passes was judged by the expedited rules after the expedited period', async () => {
    const [row] = await chain.sql`select status, expedited, end_time, threshold, min_deposit, yes from proposal where id = 1`
    assert.equal(Date.parse(row?.end_time), Date.parse(blockTime(3)))
    const { end_time: _, ...rest } = row!
    assert.deepEqual(rest, {
      status: 'applied',
      expedited: true,
      threshold: '0.667000000000000000',
      min_deposit: '2000000000utia',
      yes: 2,
    })
  })

  test('one that misses the threshold goes on as a normal one, counted from its start', async () => {
    const rows = await chain.sql`
      select id, status, expedited, end_time, threshold, min_deposit, votes_count, yes, no, yes_voting_power, no_voting_power
      from proposal where id > 1 order by id`
    const normal = {
      expedited: false,
      threshold: '0.500000000000000000',
      min_deposit: '1000000000utia',
      no: 0,
      no_voting_power: '0',
    }
    assert.deepEqual(
      rows.map(({ end_time, ...row }) => ({ ...row, end: Date.parse(end_time) })),
      [
        {
          id: 2,
          status: 'applied',
          ...normal,
          votes_count: 1,
          yes: 1,
          yes_voting_power: '10000000',
          end: Date.parse(blockTime(5)),
        },
        { id: 3, status: 'rejected', ...normal, votes_count: 0, yes: 0, yes_voting_power: '0', end: Date.parse(blockTime(5)) },
      ],
    )
  })

  test('deposits wait for the second round', async () => {
    for (const account of [alice, bob, carol]) assert.equal(await spendableOf(chain.sql, account), START - FEE)
  })
})

describe('weighted votes and votes that change', () => {
  let chain: BuiltChain
  before(async () => {
    chain = await indexAndReplay(genesis(), [
      aBlock(1, {
        txs: [
          aDelegation(alice.text, one.operator, 3_000_001n),
          aDelegation(bob.text, two.operator, 4_000_000n),
          aProposal({ id: 1, from: carol.text, deposit: MIN_DEPOSIT, opens: true }),
        ],
      }),
      aBlock(2, {
        txs: [
          aVote(alice.text, 1, YES),
          aVote(one.text, 1, YES),
          aWeightedVote(two.text, 1, [
            [YES, '0.500000000000000000'],
            [NO, '0.500000000000000000'],
          ]),
          aVote(carol.text, 1, VETO),
        ],
      }),
      aBlock(3, {
        txs: [
          // One voter twice in one block: the last vote counts.
          aVote(alice.text, 1, VETO),
          aWeightedVote(alice.text, 1, [
            [NO, '0.700000000000000000'],
            [ABSTAIN, '0.300000000000000000'],
          ]),
          aVote(two.text, 1, ABSTAIN),
        ],
      }),
      aBlock(4),
    ])
  })
  after(() => chain.close())

  test('a voter counts once, with its last vote, under each option it gave weight', async () => {
    const rows = await chain.sql`
      select votes_count, yes, no, no_with_veto, abstain, yes_vals, abstain_vals, no_vals, no_addrs, abstain_addrs, no_with_veto_addrs
      from proposal`
    assert.deepEqual(plain(rows), [
      {
        votes_count: 4,
        yes: 1,
        no: 1,
        no_with_veto: 1,
        abstain: 2,
        yes_vals: 1,
        abstain_vals: 1,
        no_vals: 0,
        no_addrs: 1,
        abstain_addrs: 1,
        no_with_veto_addrs: 1,
      },
    ])
  })

  test('the rows are the votes that stand, with their weights', async () => {
    const rows = await chain.sql<{ address: Buffer; option: string; weight: string; height: number }[]>`
      select a.address, v.option, v.weight, v.height from vote v join address a on a.id = v.voter_id order by v.id desc`
    const names = new Map([alice, carol, one, two].map((account, i) => [account.hex, ['alice', 'carol', 'one', 'two'][i]]))
    assert.deepEqual(
      rows.map(({ address, option, weight, height }) => [names.get(address.toString('hex')), option, weight, height]),
      [
        ['two', 'abstain', '1.000000000000000000', 3],
        ['alice', 'no', '0.700000000000000000', 3],
        ['alice', 'abstain', '0.300000000000000000', 3],
        ['carol', 'no_with_veto', '1.000000000000000000', 2],
        ['one', 'yes', '1.000000000000000000', 2],
      ],
    )
  })

  test('stake is split by weight, and taken off the validator that holds it', async () => {
    const rows = await chain.sql`
      select yes_voting_power, no_voting_power, abstain_voting_power, no_with_veto_voting_power, voting_power from proposal`
    // 70 % and 30 % of 3,000,001: 2,100,000.7 and 900,000.3; the abstentions are cut together with those of the other validator.
    assert.deepEqual(plain(rows), [
      {
        yes_voting_power: '10000000',
        no_voting_power: '2100000',
        abstain_voting_power: '10900000',
        no_with_veto_voting_power: '0',
        voting_power: '23000000',
      },
    ])
  })

  test('while the vote continues it is measured by the stake and the rules of now', async () => {
    const proposal = await findProposal(chain.sql, 1)
    const { status, total_voting_power, bonded_stake, quorum, threshold, veto_quorum } = proposal!
    assert.deepEqual([status, total_voting_power, bonded_stake], ['active', null, '23000000'])
    assert.deepEqual([quorum, threshold, veto_quorum], ['0.334', '0.5', '0.334'])
  })
})
