import type { ChainEvent } from '../../types/chain.ts'
import { ABSTAIN, burnedDeposit, NO, proposing, refundedDeposit, VETO, voting, votingEnded, YES } from '../txs/gov.ts'
import type { BuiltTx } from '../txs/tx.ts'
import { type BlockContext, balanceOf, canPay, oneOf, oneUser, payTx } from './block-context.ts'
import { DEPOSIT, VOTING_MS } from './genesis.ts'
import type { GeneratedState, Proposal } from './state.ts'

const TOPICS = [
  'Raise the block size',
  'Fund the light client working group',
  'Lower the minimum gas price',
  'Sponsor a data availability workshop',
  'Adopt a code of conduct for relayers',
  'Signal support for shorter block times',
]
const GAS = { submit: 160_000, vote: 90_000 }

/** One proposal after the other: the next comes when its time has come. */
export function submitProposal(context: BlockContext): BuiltTx | undefined {
  const { state, time } = context
  const { id, at } = state.nextProposal
  const from = oneUser(context)
  if (time < at || balanceOf(context, from) < 2n * DEPOSIT) return undefined
  state.nextProposal = { id: id + 1, at: time + VOTING_MS * 1.1 }
  state.proposals.push({ id, by: from, deposit: DEPOSIT, ends: time + VOTING_MS, votes: {} })
  const action = proposing({ id, from, deposit: DEPOSIT, opens: true, title: `${TOPICS[id % TOPICS.length]} (${id})` })
  return payTx(context, from, [action], GAS.submit)
}

/** Some proposals are liked, some are not. */
export function vote(context: BlockContext): BuiltTx | undefined {
  const { state, random, actors } = context
  const proposal = oneOf(random, state.proposals)
  if (!proposal) return undefined
  const isLiked = proposal.id % 4 !== 0
  const from = random() < 0.4 ? oneOf(random, actors.validators).text : oneUser(context)
  if (!canPay(context, from)) return undefined
  const draw = random()
  const option = draw < 0.7 ? (isLiked ? YES : NO) : draw < 0.85 ? (isLiked ? NO : YES) : draw < 0.95 ? ABSTAIN : VETO
  proposal.votes[from] = option
  return payTx(context, from, [voting(from, proposal.id, option)], GAS.vote)
}

/** Deposits come back unless a proposal was vetoed. */
export function settleProposals(context: BlockContext): ChainEvent[] {
  const { state, time } = context
  const over = state.proposals.filter(({ ends }) => ends <= time)
  state.proposals = state.proposals.filter(({ ends }) => ends > time)
  return over.flatMap((proposal) => {
    const { passed, vetoed } = decide(context, proposal)
    const { id, by, deposit } = proposal
    return [
      ...(vetoed ? burnedDeposit(deposit) : refundedDeposit(by, deposit)),
      votingEnded(id, passed ? 'proposal_passed' : 'proposal_rejected'),
    ]
  })
}

/** A voter speaks for its own stake, an operator for the stake of delegators that do not vote. */
function decide({ state, actors }: BlockContext, { votes }: Proposal): { passed: boolean; vetoed: boolean } {
  const sums = new Map<number, bigint>()
  const count = (option: number, amount: bigint) => sums.set(option, (sums.get(option) ?? 0n) + amount)
  for (const { by, validator, amount } of state.delegations) {
    const option = votes[by] ?? votes[actors.validators[validator]!.text]
    if (option !== undefined) count(option, amount)
  }
  const of = (option: number) => sums.get(option) ?? 0n
  const voted = of(YES) + of(NO) + of(VETO) + of(ABSTAIN)
  const decisive = voted - of(ABSTAIN)
  const vetoed = of(VETO) * 1000n > voted * 334n
  return { vetoed, passed: !vetoed && voted * 1000n >= bonded(state) * 334n && of(YES) * 2n > decisive }
}

const bonded = ({ validators }: GeneratedState) => validators.reduce((sum, { tokens }) => sum + tokens, 0n)
