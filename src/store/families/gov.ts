import { assertNever } from '../../lib/assert-never.ts'
import type { ConstantChange, EffectKind, EffectOf, GovEffect } from '../../types/effects.ts'
import { decFromText, decToText } from '../state/column.ts'
import type { ProposalRow, VoteRow } from '../state/gov-tables.ts'
import type { State } from '../state/state.ts'
import { addNanos } from './add-nanos.ts'
import { readPeriod, setConstants } from './constants.ts'
import type { BlockInput, FamilyOf } from './family.ts'
import { createBlockNumbering, numbered } from './row-ids.ts'
import { type Tally, tallyVotes, totalVotingPower } from './tally.ts'
import { validatorByOperator } from './validators.ts'

/** Effects on proposals; parameters belong to the constants family. */
type ProposalEffect = Exclude<GovEffect, EffectOf<'set-constants' | 'denom-metadata'>>

/**
 * An open proposal is counted again with every vote and whenever stake moves while few have voted; a popular one of the main network
 * has tens of thousands of voters, so beyond this many it is counted once in some blocks. The end is always counted exactly.
 */
const COUNT_ALWAYS_UP_TO = 256
const COUNT_EVERY_BLOCKS = 600

/** Effects that change the weight of cast votes. */
const WEIGHT_CHANGES = new Set<EffectKind>([
  'create-validator',
  'delegate',
  'unbond',
  'redelegate',
  'cancel-unbonding',
  'slash',
  'jail',
  'unjail',
  'validator-power',
])

/** Whether votes and stake that move at this height change what an open proposal shows. */
export const isCountedAt = (height: number, { votes_count: voters }: Pick<ProposalRow, 'votes_count'>): boolean =>
  voters <= COUNT_ALWAYS_UP_TO || height % COUNT_EVERY_BLOCKS === 0

/** Proposals, their deposits and votes. Counters: `votes_count` is voters; each option counts the voters that gave it any weight. */
export function createGovFamily(state: State): FamilyOf<ProposalEffect> {
  const depositId = createBlockNumbering()
  const voteId = createBlockNumbering()

  const param = (name: string): string | undefined => state.constant.get('gov', name)?.value
  const period = (name: string): bigint => readPeriod(state, 'gov', name)
  const votingPeriod = (expedited: boolean): bigint =>
    expedited && param('expedited_voting_period') !== undefined ? period('expedited_voting_period') : period('voting_period')
  const share = (name: string): string | null => {
    const value = param(name)
    return value === undefined ? null : decToText(decFromText(value))
  }

  /** Chain data may name a proposal that was closed before: nothing of a closed one changes any more. */
  const editOpen = (id: number): ProposalRow | undefined => {
    const status = state.proposal.get(id)?.status
    return status === 'inactive' || status === 'active' ? state.proposal.edit(id) : undefined
  }

  const submit = (input: BlockInput, effect: EffectOf<'submit-proposal'>) => {
    if (state.proposal.get(effect.id)) return
    const { past } = effect
    const createdAt = past?.createdAt ?? input.time
    state.proposal.insert({
      id: effect.id,
      height: input.height,
      created_at: createdAt,
      proposer_id: input.accountId(effect.proposer),
      deposit_time: past?.depositEnd ?? addNanos(createdAt, period('max_deposit_period')),
      activation_time: null,
      end_time: null,
      status: 'inactive',
      type: effect.type,
      title: effect.title,
      description: effect.description,
      metadata: effect.metadata,
      expedited: effect.expedited,
      deposit: past?.deposit ?? 0n,
      changes: effect.changes,
      constants: effect.constants,
      error: null,
      total_voting_power: null,
      quorum: null,
      veto_quorum: null,
      threshold: null,
      min_deposit: null,
      ...noVotes(),
    })
    state.head.edit('true')!.total_proposals++
    logState(input, effect.id, 'inactive')
  }

  const deposit = (input: BlockInput, effect: EffectOf<'deposit'>) => {
    const proposal = editOpen(effect.id)
    if (!proposal) return
    proposal.deposit += effect.amount
    state.proposalDeposit.insert({
      id: depositId(input),
      proposal_id: effect.id,
      depositor_id: input.accountId(effect.depositor),
      amount: effect.amount,
      height: input.height,
      time: input.time,
    })
  }

  const activate = (input: BlockInput, effect: EffectOf<'activate-proposal'>) => {
    const proposal = editOpen(effect.id)
    if (!proposal) return
    setStatus(input, proposal, 'active')
    proposal.activation_time = effect.period?.start ?? input.time
    proposal.end_time = effect.period?.end ?? addNanos(input.time, votingPeriod(proposal.expedited))
  }

  const vote = (input: BlockInput, effect: EffectOf<'vote'>) => {
    const proposal = editOpen(effect.id)
    if (!proposal || effect.options.length === 0) return
    const voterId = input.accountId(effect.voter)
    const earlier = state.vote.inGroup('voter', `${effect.id}:${voterId}`)
    for (const row of earlier) {
      countVote(proposal, row, -1)
      state.vote.remove(row.id)
    }
    if (earlier.length === 0) proposal.votes_count++
    const validatorId = validatorByOperator(state, effect.voter)?.id ?? null
    // Lists of votes are newest first: numbered backwards, the parts of a weighted vote come in the order the voter gave them.
    for (const { option, weight } of effect.options.toReversed()) {
      const row = state.vote.insert({
        id: voteId(input),
        proposal_id: effect.id,
        voter_id: voterId,
        validator_id: validatorId,
        option,
        weight,
        height: input.height,
        time: input.time,
      })
      countVote(proposal, row, 1)
    }
    if (proposal.votes_count <= COUNT_ALWAYS_UP_TO) countPower(proposal)
  }

  const close = (input: BlockInput, proposal: ProposalRow, status: string) => {
    setStatus(input, proposal, status)
    state.vote.release('proposal', String(proposal.id))
  }

  const countPower = (proposal: ProposalRow) => setPower(proposal, tallyVotes(state, proposal.id))

  const setPower = (proposal: ProposalRow, tally: Tally) => {
    proposal.yes_voting_power = tally.yes
    proposal.no_voting_power = tally.no
    proposal.no_with_veto_voting_power = tally.no_with_veto
    proposal.abstain_voting_power = tally.abstain
    proposal.voting_power = tally.yes + tally.no + tally.no_with_veto + tally.abstain
  }

  /** The rules it was judged by, as they stand at its end. */
  const keepRules = (proposal: ProposalRow) => {
    proposal.total_voting_power = totalVotingPower(state)
    proposal.quorum = share('quorum')
    proposal.veto_quorum = share('veto_threshold')
    proposal.threshold = (proposal.expedited ? share('expedited_threshold') : null) ?? share('threshold')
    proposal.min_deposit = (proposal.expedited ? param('expedited_min_deposit') : undefined) ?? param('min_deposit') ?? null
  }

  const end = (input: BlockInput, effect: EffectOf<'end-proposal'>) => {
    const proposal = editOpen(effect.id)
    if (!proposal) return
    if (effect.result === 'expedited-rejected') {
      // The chain forgets the votes with the count and opens the poll again, as a proposal like any other.
      for (const row of state.vote.inGroup('proposal', String(effect.id))) state.vote.remove(row.id)
      proposal.expedited = false
      Object.assign(proposal, noVotes())
      if (proposal.activation_time !== null) proposal.end_time = addNanos(proposal.activation_time, votingPeriod(false))
      return
    }
    if (effect.tally) setPower(proposal, effect.tally)
    else {
      countPower(proposal)
      keepRules(proposal)
    }
    switch (effect.result) {
      case 'passed':
        close(input, proposal, 'applied')
        setConstants(state, proposal.constants as ConstantChange[])
        return
      case 'rejected':
        close(input, proposal, 'rejected')
        return
      case 'failed':
        close(input, proposal, 'failed')
        proposal.error = effect.log
        return
      default:
        assertNever(effect.result)
    }
  }

  return {
    effects: {
      'submit-proposal': submit,
      deposit,
      'activate-proposal': activate,
      vote,
      'end-proposal': end,
      'remove-proposal': (input, { id }) => {
        const proposal = editOpen(id)
        if (proposal) close(input, proposal, 'removed')
      },
    },

    apply({ height, block }) {
      if (height % COUNT_EVERY_BLOCKS !== 0 && !block.effects.some(({ kind }) => WEIGHT_CHANGES.has(kind))) return
      for (const proposal of state.proposal.all()) {
        if (proposal.status === 'active' && proposal.votes_count > 0 && isCountedAt(height, proposal))
          countPower(state.proposal.edit(proposal.id)!)
      }
    },
  }
}

function setStatus(input: BlockInput, proposal: ProposalRow, status: string): void {
  proposal.status = status
  logState(input, proposal.id, status)
}

function logState(input: BlockInput, proposalId: number, status: string): void {
  input.rows.row('proposal_state', { ...numbered(input, 'proposal_state'), proposal_id: proposalId, status })
}

function countVote(proposal: ProposalRow, vote: Readonly<VoteRow>, by: 1 | -1): void {
  const isValidator = vote.validator_id !== null
  switch (vote.option) {
    case 'yes':
      proposal.yes += by
      if (isValidator) proposal.yes_vals += by
      else proposal.yes_addrs += by
      return
    case 'no':
      proposal.no += by
      if (isValidator) proposal.no_vals += by
      else proposal.no_addrs += by
      return
    case 'no_with_veto':
      proposal.no_with_veto += by
      if (isValidator) proposal.no_with_veto_vals += by
      else proposal.no_with_veto_addrs += by
      return
    case 'abstain':
      proposal.abstain += by
      if (isValidator) proposal.abstain_vals += by
      else proposal.abstain_addrs += by
      return
    default:
      assertNever(vote.option)
  }
}

const noVotes = () => ({
  votes_count: 0,
  yes: 0,
  no: 0,
  no_with_veto: 0,
  abstain: 0,
  yes_vals: 0,
  no_vals: 0,
  no_with_veto_vals: 0,
  abstain_vals: 0,
  yes_addrs: 0,
  no_addrs: 0,
  no_with_veto_addrs: 0,
  abstain_addrs: 0,
  voting_power: 0n,
  yes_voting_power: 0n,
  no_voting_power: 0n,
  no_with_veto_voting_power: 0n,
  abstain_voting_power: 0n,
})
