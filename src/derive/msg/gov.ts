/** Deposits, votes and results follow events, which both gov versions share; what a proposal is about stands only in its message. */
import {
  MsgCancelProposalSchema,
  MsgDepositSchema,
  MsgExecLegacyContentSchema,
  type MsgSubmitProposal,
  MsgSubmitProposalSchema,
  MsgUpdateParamsSchema,
  MsgVoteSchema,
  MsgVoteWeightedSchema,
  ParamsSchema,
} from '../../decode/gen/cosmos/gov/v1/types_pb.ts'
import {
  MsgDepositSchema as OldMsgDepositSchema,
  MsgSubmitProposalSchema as OldMsgSubmitProposalSchema,
  MsgVoteSchema as OldMsgVoteSchema,
  MsgVoteWeightedSchema as OldMsgVoteWeightedSchema,
} from '../../decode/gen/cosmos/gov/v1beta1/types_pb.ts'
import { decodeAccount } from '../../lib/encoding/bech32.ts'
import type { Effect } from '../../types/effects.ts'
import { attributeOf } from '../attributes.ts'
import { type ProposalContent, readLegacyContent, readProposal } from '../proposal.ts'
import { handler, type MessageScope, type MessageTable, signedBy } from './handler.ts'
import { updateModuleParams } from './update-params.ts'

export const govMessages: MessageTable = {
  '/cosmos.gov.v1.MsgSubmitProposal': handler(MsgSubmitProposalSchema, (msg) => ({
    signers: [msg.proposer],
    links: [['proposer', msg.proposer]],
    effects: (scope) => submit(scope, msg, readProposal(msg, scope.read)),
  })),
  '/cosmos.gov.v1beta1.MsgSubmitProposal': handler(OldMsgSubmitProposalSchema, (msg) => ({
    signers: [msg.proposer],
    links: [['proposer', msg.proposer]],
    effects: (scope) => submit(scope, { proposer: msg.proposer, metadata: '', expedited: false }, readLegacyContent(msg.content)),
  })),
  '/cosmos.gov.v1.MsgExecLegacyContent': signedBy(MsgExecLegacyContentSchema, 'authority', (msg) => msg.authority),
  '/cosmos.gov.v1.MsgVote': signedBy(MsgVoteSchema, 'voter', (msg) => msg.voter),
  '/cosmos.gov.v1beta1.MsgVote': signedBy(OldMsgVoteSchema, 'voter', (msg) => msg.voter),
  '/cosmos.gov.v1.MsgVoteWeighted': signedBy(MsgVoteWeightedSchema, 'voter', (msg) => msg.voter),
  '/cosmos.gov.v1beta1.MsgVoteWeighted': signedBy(OldMsgVoteWeightedSchema, 'voter', (msg) => msg.voter),
  '/cosmos.gov.v1.MsgDeposit': signedBy(MsgDepositSchema, 'depositor', (msg) => msg.depositor),
  '/cosmos.gov.v1beta1.MsgDeposit': signedBy(OldMsgDepositSchema, 'depositor', (msg) => msg.depositor),
  '/cosmos.gov.v1.MsgUpdateParams': updateModuleParams('gov', MsgUpdateParamsSchema, ParamsSchema),
  '/cosmos.gov.v1.MsgCancelProposal': signedBy(MsgCancelProposalSchema, 'proposer', (msg) => msg.proposer),
}

type Submission = Pick<MsgSubmitProposal, 'proposer' | 'metadata' | 'expedited'>

function submit({ events }: MessageScope, { proposer, metadata, expedited }: Submission, content: ProposalContent): Effect[] {
  const account = decodeAccount(proposer)
  for (const event of events) {
    // The chain emits a second `submit_proposal` when the first deposit already opens the vote.
    const id = event.type === 'submit_proposal' ? attributeOf(event, 'proposal_id') : undefined
    if (id === undefined || account === undefined) continue
    return [{ kind: 'submit-proposal', id: Number(id), proposer: account, metadata, expedited, ...content }]
  }
  return []
}
