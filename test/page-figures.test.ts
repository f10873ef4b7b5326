import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Address, Metrics, Proposal } from '../src/client/gen/operations.ts'
import {
  ABSTAIN,
  aProposal,
  aVote,
  aWeightedVote,
  NO,
  refundedDeposit,
  VETO,
  votingEnded,
  YES,
} from '../src/simulation/txs/gov.ts'
import { totalOf } from '../web/src/figures/account.ts'
import { ownPart } from '../web/src/figures/scores.ts'
import { approvalOf, turnoutOf, vetoOf } from '../web/src/figures/tally.ts'
import { formatAge, formatPercent, formatTia } from '../web/src/format.ts'
import { aBlock, aGenesis, anAccount, aValidator } from './builders.ts'
import { indexBlocks } from './support/built-chain.ts'
import { devnetUrl } from './support/database.ts'
import { type ServedChain, serveChain } from './support/served-chain.ts'

/**
 * Figures that the page computes from answers about the recorded chain, against numbers worked out by hand from what its nodes reported
 * (data/recordings/devnet/truth.json).
 */

let chain: ServedChain
before(async () => {
  chain = await serveChain(devnetUrl)
})
after(() => chain.close())

test('turnout, approval and vetoes of every proposal', async () => {
  // All 18,100,001 TIA for it; 17,921,000 for and 170,001 abstaining of 18,091,001; 87,500 for, 37,500 abstaining and 17,966,001 vetoes of
  // 18,091,001; a deposit that was never enough.
  const expected: Record<number, [turnout: string, approval: string, veto: string]> = {
    1: ['100%', '100%', '0%'],
    2: ['100%', '100%', '0%'],
    3: ['100%', '0.48%', '99.31%'],
    4: ['none', '0%', '0%'],
  }
  for (const [id, figures] of Object.entries(expected)) {
    const { body } = await chain.get<Proposal>(`/proposal/${id}`)
    assert.deepEqual(sharesOf(body), figures, `proposal ${id}`)
  }
})

const sharesOf = (proposal: Proposal) => {
  const turnout = turnoutOf(proposal)
  return [
    turnout === undefined ? 'none' : formatPercent(turnout),
    formatPercent(approvalOf(proposal)),
    formatPercent(vetoOf(proposal)),
  ]
}

test('turnout, approval, vetoes and ages of votes that no recording has', async () => {
  const [one, two, alice] = [aValidator('one'), aValidator('two'), anAccount('alice')]
  const deposit = 1_000_000n
  const built = await indexBlocks(
    aGenesis({
      balances: { [alice.text]: 10_000_000n, [one.text]: 11_000_000n, [two.text]: 7_000_000n },
      // The validators have 10 and 6 of 16 TIA of stake.
      validators: [
        { name: 'one', stake: 10_000_000n },
        { name: 'two', stake: 6_000_000n },
      ],
      appState: {
        gov: {
          params: {
            min_deposit: [{ denom: 'utia', amount: String(deposit) }],
            max_deposit_period: '30s',
            voting_period: '24s',
            quorum: '0.334000000000000000',
            threshold: '0.500000000000000000',
            veto_threshold: '0.334000000000000000',
          },
        },
      },
    }),
    [
      aBlock(1, { txs: [1, 2, 3, 4, 5].map((id) => aProposal({ id, from: alice.text, deposit, opens: true })) }),
      aBlock(2, {
        txs: [
          aVote(one.text, 1, YES),
          aVote(two.text, 1, YES),
          aVote(one.text, 2, YES),
          aVote(two.text, 2, NO),
          aVote(two.text, 3, YES),
          aVote(one.text, 4, VETO),
          aVote(two.text, 4, ABSTAIN),
          aWeightedVote(two.text, 5, [
            [YES, '0.250000000000000000'],
            [NO, '0.750000000000000000'],
          ]),
        ],
      }),
      aBlock(3, { txs: [aProposal({ id: 6, from: alice.text, deposit, opens: true }), aVote(one.text, 6, ABSTAIN)] }),
      aBlock(4),
      aBlock(5, {
        end: [1, 2, 3, 4, 5].flatMap((id) => [
          ...refundedDeposit(alice.text, deposit),
          votingEnded(id, id < 4 ? 'proposal_passed' : 'proposal_rejected'),
        ]),
      }),
      aBlock(6),
    ],
  )
  const served = await serveChain(built.url)
  // Blocks are 6 s apart and a vote takes 24 s: five ended with block 5, the sixth ends with block 7.
  const expected: [turnout: string, approval: string, veto: string, end: string][] = [
    ['100%', '100%', '0%', '6 s ago'],
    ['100%', '62.5%', '0%', '6 s ago'],
    ['37.5%', '100%', '0%', '6 s ago'],
    ['100%', '0%', '62.5%', '6 s ago'],
    ['37.5%', '25%', '0%', '6 s ago'],
    ['62.5%', '0%', '0%', 'in 6 s'],
  ]
  try {
    const { body: head } = await served.get<{ last_time: string }>('/head')
    for (const [i, figures] of expected.entries()) {
      const { body } = await served.get<Proposal>(`/proposal/${i + 1}`)
      const age = formatAge(Date.parse(head.last_time) - Date.parse(body.end_time!))
      assert.deepEqual([...sharesOf(body), age], figures, `proposal ${i + 1}`)
    }
  } finally {
    await served.close()
    await built.close()
  }
})

test('time since the end of a vote, and until it', async () => {
  // The newest block is of 02:36:47.95, the votes ended at 02:27:59.52, 02:31:15.96 and 02:31:17.37.
  const { body: head } = await chain.get<{ last_time: string }>('/head')
  const now = Date.parse(head.last_time)
  for (const [id, age] of [
    [1, '8 min ago'],
    [2, '5 min ago'],
    [3, '5 min ago'],
  ] as const) {
    const { body } = await chain.get<Proposal>(`/proposal/${id}`)
    assert.equal(formatAge(now - Date.parse(body.end_time!)), age, `proposal ${id}`)
  }
  // While the first vote went on, 25 s from 02:27:34.52.
  const { body: first } = await chain.get<Proposal>('/proposal/1')
  assert.equal(formatAge(Date.parse(first.activation_time!) - Date.parse(first.end_time!)), 'in 25 s')
})

test('all that an account has', async () => {
  for (const [hash, total] of [
    ['celestia1w4dvevy0zm70yss42h4k597at605fn388cmm78', '99,999,999.978 TIA'],
    ['celestia1q0n68tzq49q0zcv0chxvn9uzjx8d488vlxgr64', '99,999,999.974 TIA'],
    ['celestia1kuud7zx09r235c32nawmcu0frast2pfrvcw0p6', '100,000,001.126721 TIA'],
    ['celestia129ayt427mve6e85qv55px32yjk2nrekd0vp2je', '9,999,999.996 TIA'],
    ['celestia12qkvc0csm0xzp920l87r8cskxvvw6rgqrlqxfz', '9,999,999.973447 TIA'],
    ['celestia1esjwasjfvja5hkr69gwcgvsx53wqesfz7jwus7', '9,999,999.202225 TIA'],
    ['celestia1qea78qpjs8u9l3y6ahanmwv4jzpu9lhzyjx8k9', '9,999,994.23073 TIA'],
    ['celestia1z7g9456krky504dhw68grz5ndcnuk9hmz822dd', '9,998,999.9802 TIA'],
    ['celestia18lvye3l6fena5kelz0kp4jfq4qpfcqv0ls2x7m', '10,000,000.005555 TIA'],
    ['celestia1a53udazy8ayufvy0s434pfwjcedzqv348xn43r', '0.032336 TIA'],
  ] as const) {
    const { body } = await chain.get<Address>(`/address/${hash}`)
    assert.equal(formatTia(totalOf(body.balance)), total, hash)
  }
})

test('part of a stake that is the validator’s own', async () => {
  const validators = await chain.list('/validators')
  const parts = await Promise.all(
    validators.map(async ({ id, moniker }) => {
      const { body } = await chain.get<Metrics>(`/validators/${id}/metrics`)
      return [moniker, formatPercent(ownPart(body))]
    }),
  )
  // 6,400,000 of 6,660,000; 5,700,000 of 5,915,000; 5,000,000 of 5,516,001; 1,000 of 6,000.
  assert.deepEqual(parts, [
    ['observatory-2', '96.1%'],
    ['observatory-one', '96.37%'],
    ['observatory-0', '90.65%'],
    ['late-comer', '16.67%'],
  ])
})
