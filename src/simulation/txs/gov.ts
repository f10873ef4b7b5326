/** Governance as SDK 0.50 tells it, with the coins that deposits move. */
import type { Any } from '@bufbuild/protobuf/wkt'
import {
  MsgCancelProposalSchema,
  MsgDepositSchema,
  MsgSubmitProposalSchema,
  MsgVoteSchema,
  MsgVoteWeightedSchema,
  VoteOption,
} from '../../decode/gen/cosmos/gov/v1/types_pb.ts'
import type { ChainEvent } from '../../types/chain.ts'
import { moduleText } from './accounts.ts'
import { anEvent, movedCoins } from './events.ts'
import { type Action, aMessage, aTx, type BuiltTx } from './tx.ts'

const GOV = moduleText('gov')

export const { YES, ABSTAIN, NO, NO_WITH_VETO: VETO } = VoteOption

export type ProposalSpec = {
  id: number
  from: string
  deposit: bigint
  /** the deposit is enough: the vote begins at once */
  opens?: boolean
  expedited?: boolean
  messages?: Any[]
  title?: string
}

export function aProposal(spec: ProposalSpec): BuiltTx {
  return aTx({ from: spec.from, actions: [proposing(spec)] })
}

export function proposing({ id, from, deposit, opens = false, expedited = false, messages = [], title }: ProposalSpec): Action {
  const message = aMessage(MsgSubmitProposalSchema, {
    messages,
    initialDeposit: [{ denom: 'utia', amount: String(deposit) }],
    proposer: from,
    title: title ?? `proposal ${id}`,
    summary: 'what it is about',
    expedited,
  })
  return { message, events: submissionEvents({ id, from, deposit, opens }) }
}

/** The events are the same for both versions of the message. */
export function submissionEvents({ id, from, deposit, opens = false }: ProposalSpec): ChainEvent[] {
  const proposal_id = String(id)
  return [
    anEvent('submit_proposal', { proposal_id, proposal_messages: ',', proposal_proposer: from }),
    ...depositEvents(id, from, deposit),
    ...(opens ? [anEvent('submit_proposal', { voting_period_start: proposal_id })] : []),
  ]
}

function depositEvents(id: number, from: string, deposit: bigint): ChainEvent[] {
  if (deposit === 0n) return []
  return [
    ...movedCoins(from, GOV, `${deposit}utia`),
    anEvent('proposal_deposit', { depositor: from, amount: `${deposit}utia`, proposal_id: String(id) }),
  ]
}

export function aDeposit(from: string, id: number, deposit: bigint, opens = false): BuiltTx {
  const message = aMessage(MsgDepositSchema, {
    proposalId: BigInt(id),
    depositor: from,
    amount: [{ denom: 'utia', amount: String(deposit) }],
  })
  const opening = opens ? [anEvent('proposal_deposit', { voting_period_start: String(id) })] : []
  return aTx({ from, actions: [{ message, events: [...depositEvents(id, from, deposit), ...opening] }] })
}

export function aVote(from: string, id: number, option: VoteOption): BuiltTx {
  return aTx({ from, actions: [voting(from, id, option)] })
}

export function voting(from: string, id: number, option: VoteOption): Action {
  const message = aMessage(MsgVoteSchema, { proposalId: BigInt(id), voter: from, option })
  return { message, events: [voteEvent(from, id, [[option, '1.000000000000000000']])] }
}

export function aWeightedVote(from: string, id: number, options: [option: VoteOption, weight: string][]): BuiltTx {
  const message = aMessage(MsgVoteWeightedSchema, {
    proposalId: BigInt(id),
    voter: from,
    options: options.map(([option, weight]) => ({ option, weight })),
  })
  return aTx({ from, actions: [{ message, events: [voteEvent(from, id, options)] }] })
}

function voteEvent(voter: string, id: number, options: [option: VoteOption, weight: string][]): ChainEvent {
  const option = JSON.stringify(options.map(([option, weight]) => ({ option, weight })))
  return anEvent('proposal_vote', { voter, option, proposal_id: String(id) })
}

export function aCancellation(from: string, id: number, { burned, refunded }: { burned: bigint; refunded: bigint }): BuiltTx {
  const message = aMessage(MsgCancelProposalSchema, { proposalId: BigInt(id), proposer: from })
  const events = [
    ...refundedDeposit(from, refunded),
    ...burnedDeposit(burned),
    anEvent('cancel_proposal', { sender: from, proposal_id: String(id) }),
  ]
  return aTx({ from, actions: [{ message, events }] })
}

export function refundedDeposit(to: string, amount: bigint): ChainEvent[] {
  return movedCoins(GOV, to, `${amount}utia`)
}

export function burnedDeposit(amount: bigint): ChainEvent[] {
  return [
    anEvent('coin_spent', { spender: GOV, amount: `${amount}utia` }),
    anEvent('burn', { burner: GOV, amount: `${amount}utia` }),
  ]
}

export type Result = 'proposal_passed' | 'proposal_rejected' | 'proposal_failed' | 'expedited_proposal_rejected'

export function votingEnded(id: number, proposal_result: Result, proposal_log = proposal_result as string): ChainEvent {
  return anEvent('active_proposal', { proposal_id: String(id), proposal_result, proposal_log })
}

export function dropped(id: number): ChainEvent {
  return anEvent('inactive_proposal', { proposal_id: String(id), proposal_result: 'proposal_dropped' })
}
