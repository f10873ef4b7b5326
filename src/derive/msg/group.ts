/** The group module runs on no public network; its messages leave links only. */
import {
  MsgCreateGroupPolicySchema,
  MsgCreateGroupSchema,
  MsgCreateGroupWithPolicySchema,
  MsgExecSchema,
  MsgLeaveGroupSchema,
  MsgSubmitProposalSchema,
  MsgUpdateGroupAdminSchema,
  MsgUpdateGroupMembersSchema,
  MsgUpdateGroupMetadataSchema,
  MsgUpdateGroupPolicyAdminSchema,
  MsgUpdateGroupPolicyDecisionPolicySchema,
  MsgUpdateGroupPolicyMetadataSchema,
  MsgVoteSchema,
  MsgWithdrawProposalSchema,
} from '../../decode/gen/cosmos/group/v1/types_pb.ts'
import { handler, type Link, type MessagePart, type MessageTable, signedBy } from './handler.ts'

function policyParties(msg: { admin: string; groupPolicyAddress: string }): MessagePart {
  const links: Link[] = [
    ['admin', msg.admin],
    ['groupPolicyAddress', msg.groupPolicyAddress],
  ]
  return { signers: [msg.admin], links }
}

export const groupMessages: MessageTable = {
  '/cosmos.group.v1.MsgCreateGroup': signedBy(MsgCreateGroupSchema, 'admin', (msg) => msg.admin),
  '/cosmos.group.v1.MsgUpdateGroupMembers': signedBy(MsgUpdateGroupMembersSchema, 'admin', (msg) => msg.admin),
  '/cosmos.group.v1.MsgUpdateGroupAdmin': handler(MsgUpdateGroupAdminSchema, (msg) => ({
    signers: [msg.admin],
    links: [
      ['admin', msg.admin],
      ['newAdmin', msg.newAdmin],
    ],
  })),
  '/cosmos.group.v1.MsgUpdateGroupMetadata': signedBy(MsgUpdateGroupMetadataSchema, 'admin', (msg) => msg.admin),
  '/cosmos.group.v1.MsgCreateGroupPolicy': signedBy(MsgCreateGroupPolicySchema, 'admin', (msg) => msg.admin),
  '/cosmos.group.v1.MsgUpdateGroupPolicyAdmin': signedBy(MsgUpdateGroupPolicyAdminSchema, 'admin', (msg) => msg.admin),
  '/cosmos.group.v1.MsgCreateGroupWithPolicy': signedBy(MsgCreateGroupWithPolicySchema, 'admin', (msg) => msg.admin),
  '/cosmos.group.v1.MsgUpdateGroupPolicyDecisionPolicy': handler(MsgUpdateGroupPolicyDecisionPolicySchema, policyParties),
  '/cosmos.group.v1.MsgUpdateGroupPolicyMetadata': handler(MsgUpdateGroupPolicyMetadataSchema, policyParties),
  '/cosmos.group.v1.MsgSubmitProposal': handler(MsgSubmitProposalSchema, (msg) => ({
    signers: msg.proposers,
    links: [['groupPolicyAddress', msg.groupPolicyAddress]],
  })),
  '/cosmos.group.v1.MsgWithdrawProposal': signedBy(MsgWithdrawProposalSchema, 'admin', (msg) => msg.address),
  '/cosmos.group.v1.MsgVote': signedBy(MsgVoteSchema, 'voter', (msg) => msg.voter),
  '/cosmos.group.v1.MsgExec': signedBy(MsgExecSchema, 'executor', (msg) => msg.executor),
  '/cosmos.group.v1.MsgLeaveGroup': signedBy(MsgLeaveGroupSchema, 'groupMember', (msg) => msg.address),
}
