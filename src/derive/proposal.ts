import { CommunityPoolSpendProposalSchema } from '../decode/gen/cosmos/distribution/v1beta1/types_pb.ts'
import { MsgExecLegacyContentSchema, type MsgSubmitProposal } from '../decode/gen/cosmos/gov/v1/types_pb.ts'
import { TextProposalSchema } from '../decode/gen/cosmos/gov/v1beta1/types_pb.ts'
import { ParameterChangeProposalSchema } from '../decode/gen/cosmos/params/v1beta1/types_pb.ts'
import { ClientUpdateProposalSchema } from '../decode/gen/ibc/core/client/v1/types_pb.ts'
import type { AnyMessage } from '../decode/tx.ts'
import type { ClientRecovery, ConstantChange, GovEffect, GrantTerms, Json } from '../types/effects.ts'
import { constantsOfLegacyChange, keepKnown } from './constants.ts'
import { type MessageScope, type PoolSpend, readAs } from './msg/handler.ts'

export type ProposalContent = Pick<
  Extract<GovEffect, { kind: 'submit-proposal' }>,
  'type' | 'title' | 'description' | 'changes' | 'constants' | 'recoveries' | 'grants'
>

type ProposalChange = Omit<ProposalContent, 'title' | 'description'>

const NO_CHANGE: ProposalChange = { type: 'text', changes: null, constants: [] }

const EXEC_LEGACY_CONTENT = '/cosmos.gov.v1.MsgExecLegacyContent'

/** Content of the first gov version. Every kind has title and description as fields 1 and 2, so an unknown kind keeps its texts. */
export function readLegacyContent(content: AnyMessage | undefined): ProposalContent {
  const { title = '', description = '' } = readAs(TextProposalSchema, content?.value) ?? {}
  return { title, description, ...readLegacyChange(content) }
}

function readLegacyChange(content: AnyMessage | undefined): ProposalChange {
  switch (content?.typeUrl) {
    case '/cosmos.params.v1beta1.ParameterChangeProposal': {
      const changes = readAs(ParameterChangeProposalSchema, content.value)?.changes ?? []
      return {
        type: 'param_changed',
        changes: changes.map(({ subspace, key, value }) => ({ subspace, key, value })),
        constants: changes.flatMap(({ subspace, key, value }) => constantsOfLegacyChange(subspace, key, value)),
      }
    }
    case '/ibc.core.client.v1.ClientUpdateProposal': {
      const update = readAs(ClientUpdateProposalSchema, content.value)
      if (!update) return NO_CHANGE
      const recovery = { clientId: update.subjectClientId, substituteId: update.substituteClientId }
      return { ...recoveryOf(recovery), recoveries: [recovery] }
    }
    case '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal': {
      const spend = readAs(CommunityPoolSpendProposalSchema, content.value)
      if (!spend) return NO_CHANGE
      const amount = spend.amount.map(({ denom, amount }) => ({ denom, amount }))
      return spendOf([{ recipient: spend.recipient, amount }])
    }
    default:
      return NO_CHANGE
  }
}

/** Titles and summaries are optional in the first releases of gov v1; the messages then speak for themselves. */
export function readProposal(
  { title, summary, messages }: Pick<MsgSubmitProposal, 'title' | 'summary' | 'messages'>,
  read: MessageScope['read'],
): ProposalContent {
  return {
    title: title || 'Proposal with messages',
    description: summary || messages.map(({ typeUrl }, i) => `${i + 1}. ${typeUrl}`).join('\n'),
    ...readChange(messages, read),
  }
}

/** Several payments are all listed; the first stands where clients look for the only one. */
function spendOf(spends: readonly PoolSpend[]): ProposalChange {
  const changes: Json = spends.length > 1 ? { ...spends[0], spends: [...spends] } : { ...spends[0] }
  return { type: 'community_pool_spend', changes, constants: [] }
}

function recoveryOf({ clientId, substituteId }: ClientRecovery): ProposalChange {
  return {
    type: 'client_update',
    changes: { subject_client_id: clientId, substitute_client_id: substituteId },
    constants: [],
  }
}

function paramsOf(params: readonly ConstantChange[]): ProposalChange {
  return {
    type: 'param_changed',
    changes: params.map(({ module, name, value }): Json => ({ subspace: module, key: name, value })),
    constants: keepKnown(params),
  }
}

/**
 * Everything that its messages will change. What the proposal is called: the first legacy content among them, else parameters, else
 * money, else light clients.
 */
function readChange(messages: readonly AnyMessage[], read: MessageScope['read']): ProposalChange {
  const legacy: ProposalChange[] = []
  const params: ConstantChange[] = []
  const spends: PoolSpend[] = []
  const recoveries: ClientRecovery[] = []
  const grants: GrantTerms[] = []
  let changesParams = false
  for (const message of messages) {
    if (message.typeUrl === EXEC_LEGACY_CONTENT) {
      const change = readLegacyChange(readAs(MsgExecLegacyContentSchema, message.value)?.content)
      if (change.type !== 'text') legacy.push(change)
      recoveries.push(...(change.recoveries ?? []))
      continue
    }
    const part = read(message)
    if (part?.spend) spends.push(part.spend)
    if (part?.recovery) recoveries.push(part.recovery)
    if (part?.grants) grants.push(...part.grants())
    if (!/\.Msg\w*Update\w*Params$/.test(message.typeUrl)) continue
    changesParams = true
    params.push(...(part?.params ?? []))
  }
  const kinds = [...legacy]
  if (changesParams) kinds.push(paramsOf(params))
  if (spends.length > 0) kinds.push(spendOf(spends))
  if (recoveries[0]) kinds.push(recoveryOf(recoveries[0]))
  const { type, changes } = kinds[0] ?? NO_CHANGE
  return {
    type,
    changes,
    constants: kinds.flatMap(({ constants }) => constants),
    ...(recoveries.length > 0 ? { recoveries } : {}),
    ...(grants.length > 0 ? { grants } : {}),
  }
}
