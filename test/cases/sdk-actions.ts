/**
 * Actions of accounts, as the two generations of the SDK report them. 0.46 leaves delegators, voters and depositors out of its events: they
 * stand in a `message` event that closes the action.
 */
import type { Any } from '@bufbuild/protobuf/wkt'
import { MsgExecSchema } from '../../src/decode/gen/cosmos/authz/v1beta1/types_pb.ts'
import {
  MsgWithdrawDelegatorRewardSchema,
  MsgWithdrawValidatorCommissionSchema,
} from '../../src/decode/gen/cosmos/distribution/v1beta1/types_pb.ts'
import { MsgVoteWeightedSchema, VoteOption } from '../../src/decode/gen/cosmos/gov/v1/types_pb.ts'
import { MsgSubmitProposalSchema, TextProposalSchema } from '../../src/decode/gen/cosmos/gov/v1beta1/types_pb.ts'
import {
  MsgBeginRedelegateSchema,
  MsgDelegateSchema,
  MsgUndelegateSchema,
} from '../../src/decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import type { ChainEvent } from '../../src/types/chain.ts'
import { type Action, aMessage, anAny, anEvent, blockTime, moduleText, movedCoins } from '../builders.ts'
import { UNBONDING_BLOCKS } from './staking-blocks.ts'

export type Sdk = '0.46' | '0.50'

const BONDED = moduleText('bonded_tokens_pool')
const NOT_BONDED = moduleText('not_bonded_tokens_pool')
const DISTRIBUTION = moduleText('distribution')
const GOV = moduleText('gov')

const utia = (amount: bigint) => `${amount}utia`
const coin = (amount: bigint) => ({ denom: 'utia', amount: String(amount) })

/** An event of the module, with who acted where each generation puts it. */
function acted(sdk: Sdk, module: string, sender: string, event: ChainEvent, actorKey?: string): ChainEvent[] {
  if (sdk === '0.46') return [event, anEvent('message', { module, sender })]
  if (actorKey === undefined) return [event]
  return [{ type: event.type, attributes: [...event.attributes, [actorKey, sender]] }]
}

/** Rewards that come along when a delegation changes; nothing when there are none. */
function paidOut(sdk: Sdk, delegator: string, validator: string, reward: bigint): ChainEvent[] {
  if (reward === 0n) return []
  const event = anEvent('withdraw_rewards', { amount: utia(reward), validator })
  const named: ChainEvent = { type: event.type, attributes: [...event.attributes, ['delegator', delegator]] }
  // 0.46 says who it was only at the end of the whole action.
  return [...movedCoins(DISTRIBUTION, delegator, utia(reward)), sdk === '0.46' ? event : named]
}

export function delegates(sdk: Sdk, from: string, operator: string, amount: bigint, reward = 0n): Action {
  const event = anEvent('delegate', { validator: operator, amount: utia(amount), new_shares: `${amount}.000000000000000000` })
  return {
    message: aMessage(MsgDelegateSchema, { delegatorAddress: from, validatorAddress: operator, amount: coin(amount) }),
    events: [
      ...paidOut(sdk, from, operator, reward),
      ...movedCoins(from, BONDED, utia(amount)),
      ...acted(sdk, 'staking', from, event, 'delegator'),
    ],
  }
}

/** `given`: what the chain really gave back. 0.46 states what was asked for all the same. */
export function undelegates(
  sdk: Sdk,
  from: string,
  operator: string,
  amount: bigint,
  { height, reward = 0n, given = amount }: { height: number; reward?: bigint; given?: bigint },
): Action {
  const stated = sdk === '0.46' ? amount : given
  const completion_time = blockTime(height + UNBONDING_BLOCKS)
  const event = anEvent('unbond', { validator: operator, amount: utia(stated), completion_time })
  return {
    message: aMessage(MsgUndelegateSchema, { delegatorAddress: from, validatorAddress: operator, amount: coin(amount) }),
    events: [
      ...paidOut(sdk, from, operator, reward),
      ...movedCoins(BONDED, NOT_BONDED, utia(given)),
      ...acted(sdk, 'staking', from, event, 'delegator'),
    ],
  }
}

export function redelegates(sdk: Sdk, from: string, source: string, destination: string, amount: bigint, height: number): Action {
  const event = anEvent('redelegate', {
    source_validator: source,
    destination_validator: destination,
    amount: utia(amount),
    completion_time: blockTime(height + UNBONDING_BLOCKS),
  })
  return {
    message: aMessage(MsgBeginRedelegateSchema, {
      delegatorAddress: from,
      validatorSrcAddress: source,
      validatorDstAddress: destination,
      amount: coin(amount),
    }),
    events: acted(sdk, 'staking', from, event),
  }
}

export function withdrawsReward(sdk: Sdk, from: string, operator: string, reward: bigint): Action {
  const event = anEvent('withdraw_rewards', { amount: utia(reward), validator: operator })
  return {
    message: aMessage(MsgWithdrawDelegatorRewardSchema, { delegatorAddress: from, validatorAddress: operator }),
    events: [...movedCoins(DISTRIBUTION, from, utia(reward)), ...acted(sdk, 'distribution', from, event, 'delegator')],
  }
}

export function withdrawsCommission(sdk: Sdk, validator: { text: string; operator: string }, amount: bigint): Action {
  return {
    message: aMessage(MsgWithdrawValidatorCommissionSchema, { validatorAddress: validator.operator }),
    events: [
      ...movedCoins(DISTRIBUTION, validator.text, utia(amount)),
      ...acted(sdk, 'distribution', validator.operator, anEvent('withdraw_commission', { amount: utia(amount) })),
    ],
  }
}

export function proposes(sdk: Sdk, from: string, id: number, deposit: bigint): Action {
  const proposal_id = String(id)
  const paid = anEvent('proposal_deposit', { amount: utia(deposit), proposal_id })
  return {
    message: aMessage(MsgSubmitProposalSchema, {
      content: anAny(TextProposalSchema, { title: 'words', description: 'more words' }),
      initialDeposit: [coin(deposit)],
      proposer: from,
    }),
    events: [
      anEvent('submit_proposal', { proposal_id, proposal_messages: ',/cosmos.gov.v1.MsgExecLegacyContent' }),
      ...movedCoins(from, GOV, utia(deposit)),
      ...acted(sdk, 'governance', from, paid, 'depositor'),
      anEvent('submit_proposal', { voting_period_start: proposal_id }),
    ],
  }
}

export function votes(sdk: Sdk, from: string, id: number, options: [option: 'YES' | 'NO' | 'ABSTAIN', weight: string][]): Action {
  const option =
    sdk === '0.46'
      ? options.map(([name, weight]) => `option:VOTE_OPTION_${name} weight:"${weight}"`).join('\n')
      : JSON.stringify(options.map(([name, weight]) => ({ option: VoteOption[name], weight })))
  const event = anEvent('proposal_vote', { option, proposal_id: String(id) })
  return {
    message: aMessage(MsgVoteWeightedSchema, {
      proposalId: BigInt(id),
      voter: from,
      options: options.map(([name, weight]) => ({ option: VoteOption[name], weight })),
    }),
    events: acted(sdk, 'governance', from, event, 'voter'),
  }
}

/** Messages that another account may run: both generations number their events the same way. */
export function executes(grantee: string, actions: Action[]): Action {
  const msgs = actions.map(({ message }): Any => ({ $typeName: 'google.protobuf.Any', ...message }))
  return {
    message: aMessage(MsgExecSchema, { grantee, msgs }),
    events: actions.flatMap(({ events = [] }, i) =>
      events.map(({ type, attributes }): ChainEvent => ({ type, attributes: [...attributes, ['authz_msg_index', String(i)]] })),
    ),
  }
}
