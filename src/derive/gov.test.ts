import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Any } from '@bufbuild/protobuf/wkt'
import { type Action, aBlock, aMessage, anAccount, anAny, anEvent, aTx, moduleText, type TxSpec } from '../../test/builders.ts'
import { MsgUpdateBlobParamsSchema } from '../decode/gen/celestia/blob/v1/types_pb.ts'
import { MsgUpdateMinfeeParamsSchema } from '../decode/gen/celestia/minfee/v1/types_pb.ts'
import { MsgUpdateParamsSchema as ConsensusParamsSchema } from '../decode/gen/cosmos/consensus/v1/types_pb.ts'
import {
  CommunityPoolSpendProposalSchema,
  MsgCommunityPoolSpendSchema,
} from '../decode/gen/cosmos/distribution/v1beta1/types_pb.ts'
import {
  MsgUpdateParamsSchema as GovParamsSchema,
  MsgExecLegacyContentSchema,
  MsgSubmitProposalSchema,
  MsgVoteSchema,
} from '../decode/gen/cosmos/gov/v1/types_pb.ts'
import {
  MsgDepositSchema,
  MsgSubmitProposalSchema as OldMsgSubmitProposalSchema,
  TextProposalSchema,
} from '../decode/gen/cosmos/gov/v1beta1/types_pb.ts'
import { ParameterChangeProposalSchema } from '../decode/gen/cosmos/params/v1beta1/types_pb.ts'
import { MsgUpdateParamsSchema as StakingParamsSchema } from '../decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import { ClientUpdateProposalSchema, MsgRecoverClientSchema } from '../decode/gen/ibc/core/client/v1/types_pb.ts'
import type { Effect, GovEffect } from '../types/effects.ts'
import { deriveBlock } from './block.ts'

const alice = anAccount('alice')
const gov = moduleText('gov')
const ONE = 10n ** 18n
type Submitted = Extract<GovEffect, { kind: 'submit-proposal' }>

function effectsOf(actions: Action[], spec: Partial<TxSpec> = {}): Effect[] {
  return deriveBlock(aBlock(9, { txs: [aTx({ from: alice.text, actions, ...spec })] })).effects
}

const submitted = [
  anEvent('submit_proposal', { proposal_id: '7', proposal_messages: ',' }),
  anEvent('proposal_deposit', { amount: '10utia', proposal_id: '7' }),
]

function propose(messages: Any[], fields: { title?: string; summary?: string; expedited?: boolean } = {}): Submitted {
  const message = aMessage(MsgSubmitProposalSchema, { messages, proposer: alice.text, metadata: 'ipfs://x', ...fields })
  return effectsOf([{ message, events: submitted }])[0] as Submitted
}

function proposeOld(content: Any): Submitted {
  return effectsOf([{ message: aMessage(OldMsgSubmitProposalSchema, { content, proposer: alice.text }), events: submitted }], {
    sdk: '0.46',
  })[0] as Submitted
}

test('a proposal is submitted, funded and opened in the order of the chain', () => {
  const message = aMessage(MsgSubmitProposalSchema, { title: 'T', summary: 'S', proposer: alice.text, expedited: true })
  const effects = effectsOf([{ message, events: [...submitted, anEvent('submit_proposal', { voting_period_start: '7' })] }])
  assert.deepEqual(effects, [
    {
      kind: 'submit-proposal',
      id: 7,
      proposer: alice.hex,
      metadata: '',
      expedited: true,
      type: 'text',
      title: 'T',
      description: 'S',
      changes: null,
      constants: [],
      tx: 0,
      message: 0,
    },
    { kind: 'deposit', id: 7, depositor: alice.hex, amount: 10n, tx: 0, message: 0 },
    { kind: 'activate-proposal', id: 7, tx: 0, message: 0 },
  ])
})

test('a proposal without texts is described by its messages', () => {
  const spend = anAny(MsgCommunityPoolSpendSchema, { authority: gov, recipient: alice.text })
  const { title, description, type } = propose([spend, spend])
  assert.equal(title, 'Proposal with messages')
  assert.equal(
    description,
    '1. /cosmos.distribution.v1beta1.MsgCommunityPoolSpend\n2. /cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
  )
  assert.equal(type, 'community_pool_spend')
})

test('a proposal is called by what its messages do: parameters, then money, then light clients', () => {
  const pay = (amount: string) =>
    anAny(MsgCommunityPoolSpendSchema, { authority: gov, recipient: alice.text, amount: [{ denom: 'utia', amount }] })
  const paid = (amount: string) => ({ recipient: alice.text, amount: [{ denom: 'utia', amount }] })
  const recover = anAny(MsgRecoverClientSchema, { subjectClientId: 'a', substituteClientId: 'b', signer: gov })
  const setting = anAny(MsgUpdateBlobParamsSchema, { authority: gov, params: { gasPerBlobByte: 8, govMaxSquareSize: 128n } })
  const kindOf = (...messages: Any[]) => {
    const { type, changes } = propose(messages)
    return [type, changes]
  }
  assert.deepEqual(kindOf(pay('5')), ['community_pool_spend', paid('5')])
  assert.deepEqual(kindOf(pay('5'), pay('6')), ['community_pool_spend', { ...paid('5'), spends: [paid('5'), paid('6')] }])
  assert.deepEqual(kindOf(recover), ['client_update', { subject_client_id: 'a', substitute_client_id: 'b' }])
  assert.deepEqual(kindOf(recover, pay('5')), ['community_pool_spend', paid('5')])
  assert.equal(kindOf(pay('5'), setting)[0], 'param_changed')
  assert.deepEqual(kindOf(), ['text', null])
})

test('module parameters of a proposal become constants with snake_case names, decimals and nanoseconds', () => {
  const { type, changes, constants } = propose([
    anAny(MsgUpdateBlobParamsSchema, { authority: gov, params: { gasPerBlobByte: 8, govMaxSquareSize: 128n } }),
    anAny(MsgUpdateMinfeeParamsSchema, { authority: gov, params: { networkMinGasPrice: '1000000000000' } }),
  ])
  assert.equal(type, 'param_changed')
  assert.deepEqual(constants, [
    { module: 'blob', name: 'gas_per_blob_byte', value: '8' },
    { module: 'blob', name: 'gov_max_square_size', value: '128' },
    { module: 'minfee', name: 'network_min_gas_price', value: '0.000001000000000000' },
  ])
  assert.deepEqual(changes, [
    { subspace: 'blob', key: 'gas_per_blob_byte', value: '8' },
    { subspace: 'blob', key: 'gov_max_square_size', value: '128' },
    { subspace: 'minfee', key: 'network_min_gas_price', value: '0.000001000000000000' },
  ])
})

test('staking, gov and consensus parameters keep their own writing', () => {
  const { constants } = propose([
    anAny(StakingParamsSchema, {
      params: {
        unbondingTime: { seconds: 1_213_200n, nanos: 5 },
        maxValidators: 100,
        bondDenom: 'utia',
        minCommissionRate: '100000000000000000',
      },
    }),
    anAny(GovParamsSchema, {
      params: {
        minDeposit: [
          { denom: 'utia', amount: '10' },
          { denom: 'ibc/AA', amount: '2' },
        ],
        quorum: '0.334',
        burnVoteVeto: true,
      },
    }),
    anAny(ConsensusParamsSchema, {
      block: { maxBytes: 100n, maxGas: -1n },
      evidence: { maxAgeNumBlocks: 5n, maxAgeDuration: { seconds: 2n }, maxBytes: 9n },
      validator: { pubKeyTypes: ['ed25519', 'secp256k1'] },
    }),
  ])
  const value = (module: string, name: string) =>
    constants.find((constant) => constant.module === module && constant.name === name)?.value
  assert.equal(value('staking', 'unbonding_time'), '1213200000000005')
  assert.equal(value('staking', 'min_commission_rate'), '0.100000000000000000')
  assert.equal(value('gov', 'min_deposit'), '10utia,2ibc/AA')
  assert.equal(value('gov', 'quorum'), '0.334')
  assert.equal(value('gov', 'burn_vote_veto'), 'true')
  assert.equal(value('gov', 'proposal_cancel_dest'), undefined, 'not among the names that are shown')
  assert.equal(value('consensus', 'block_max_gas'), '-1')
  assert.equal(value('consensus', 'evidence_max_age_duration'), '2000000000')
  assert.equal(value('consensus', 'validator_pub_key_types'), 'ed25519,secp256k1')
})

test('an old parameter change knows CamelCase keys, keys that run together and whole objects', () => {
  const change = (subspace: string, key: string, value: string) => ({ subspace, key, value })
  const changes = [
    change('staking', 'MaxValidators', '110'),
    change('auth', 'SigVerifyCostED25519', '"590"'),
    change('distribution', 'communitytax', '"0.020000000000000000"'),
    change('baseapp', 'BlockParams', '{"max_bytes":"1974272","max_gas":"-1"}'),
    change('gov', 'votingparams', '{"voting_period":"604800000000000"}'),
    change('gov', 'depositparams', '{"min_deposit":[{"denom":"utia","amount":"5"}]}'),
    change('blob', 'GovMaxSquareSize', 'not json'),
    change('ibc', 'AllowedClients', '["07-tendermint"]'),
  ]
  const content = anAny(ParameterChangeProposalSchema, { title: 'T', description: 'D', changes })
  const proposal = proposeOld(content)
  assert.equal(proposal.type, 'param_changed')
  assert.deepEqual(proposal.changes, changes)
  assert.deepEqual(
    proposal.constants.map(({ module, name, value }) => `${module}.${name}=${value}`),
    [
      'staking.max_validators=110',
      'auth.sig_verify_cost_ed25519=590',
      'distribution.community_tax=0.020000000000000000',
      'consensus.block_max_bytes=1974272',
      'consensus.block_max_gas=-1',
      'gov.voting_period=604800000000000',
      'gov.min_deposit=5utia',
      'blob.gov_max_square_size=not json',
    ],
  )
})

test('contents of the first gov version are told apart, unknown ones keep their texts', () => {
  const spend = proposeOld(
    anAny(CommunityPoolSpendProposalSchema, {
      title: 'T',
      description: 'D',
      recipient: alice.text,
      amount: [{ denom: 'utia', amount: '5' }],
    }),
  )
  assert.deepEqual(
    [spend.type, spend.changes],
    ['community_pool_spend', { recipient: alice.text, amount: [{ denom: 'utia', amount: '5' }] }],
  )
  const client = proposeOld(anAny(ClientUpdateProposalSchema, { title: 'T', subjectClientId: 'a', substituteClientId: 'b' }))
  assert.deepEqual([client.type, client.changes], ['client_update', { subject_client_id: 'a', substitute_client_id: 'b' }])
  const other = proposeOld({ ...anAny(TextProposalSchema, { title: 'T', description: 'D' }), typeUrl: '/new.v1.Proposal' })
  assert.deepEqual([other.type, other.title, other.description, other.changes], ['text', 'T', 'D', null])
})

test('votes are read in both writings, with weights', () => {
  const vote = aMessage(MsgVoteSchema, { proposalId: 7n, voter: alice.text })
  const optionsOf = (option: string, spec: Partial<TxSpec> = {}) => {
    const [effect] = effectsOf([{ message: vote, events: [anEvent('proposal_vote', { option, proposal_id: '7' })] }], spec)
    return effect!.kind === 'vote' && effect.options
  }
  assert.deepEqual(optionsOf('[{"option":1,"weight":"0.700000000000000000"},{"option":2,"weight":"0.300000000000000000"}]'), [
    { option: 'yes', weight: 7n * 10n ** 17n },
    { option: 'abstain', weight: 3n * 10n ** 17n },
  ])
  assert.deepEqual(optionsOf('option:VOTE_OPTION_NO_WITH_VETO weight:"1.000000000000000000"', { sdk: '0.46' }), [
    { option: 'no_with_veto', weight: ONE },
  ])
  assert.deepEqual(optionsOf('option:VOTE_OPTION_YES weight:"0.5"\noption:VOTE_OPTION_NO weight:"0.5"', { sdk: '0.46' }), [
    { option: 'yes', weight: ONE / 2n },
    { option: 'no', weight: ONE / 2n },
  ])
})

test('a vote without a voter in its event is that of the message', () => {
  const message = aMessage(MsgVoteSchema, { proposalId: 7n, voter: alice.text })
  const [effect] = effectsOf([
    { message, events: [anEvent('proposal_vote', { option: '[{"option":3,"weight":"1.0"}]', proposal_id: '7' })] },
  ])
  assert.equal(effect!.kind === 'vote' && effect.voter, alice.hex)
})

test('a later deposit may open the vote', () => {
  const message = aMessage(MsgDepositSchema, { proposalId: 7n, depositor: alice.text })
  const events = [
    anEvent('proposal_deposit', { amount: '5utia', proposal_id: '7' }),
    anEvent('proposal_deposit', { voting_period_start: '7' }),
  ]
  assert.deepEqual(
    effectsOf([{ message, events }], { sdk: '0.46' }).map(({ kind }) => kind),
    ['deposit', 'activate-proposal'],
  )
})

test('proposals end, are dropped or are cancelled', () => {
  const ended = (proposal_result: string) =>
    anEvent('active_proposal', { proposal_id: '7', proposal_result, proposal_log: 'log' })
  const end = [
    ...['proposal_passed', 'proposal_rejected', 'proposal_failed', 'expedited_proposal_rejected'].map(ended),
    anEvent('inactive_proposal', { proposal_id: '8', proposal_result: 'proposal_dropped' }),
    anEvent('cancel_proposal', { sender: alice.text, proposal_id: '9' }),
  ]
  assert.deepEqual(deriveBlock(aBlock(9, { end })).effects, [
    { kind: 'end-proposal', id: 7, result: 'passed', log: 'log' },
    { kind: 'end-proposal', id: 7, result: 'rejected', log: 'log' },
    { kind: 'end-proposal', id: 7, result: 'failed', log: 'log' },
    { kind: 'end-proposal', id: 7, result: 'expedited-rejected', log: 'log' },
    { kind: 'remove-proposal', id: 8, reason: 'dropped' },
    { kind: 'remove-proposal', id: 9, reason: 'cancelled' },
  ])
})

test('a recovery names the client that stands in, in both gov versions', () => {
  const update = { title: 'T', description: 'D', subjectClientId: '07-tendermint-1', substituteClientId: '07-tendermint-2' }
  const recover = anAny(MsgRecoverClientSchema, { ...update, signer: gov })
  const recoveries = [{ clientId: '07-tendermint-1', substituteId: '07-tendermint-2' }]
  assert.deepEqual(propose([recover]).recoveries, recoveries)
  const old = proposeOld(anAny(ClientUpdateProposalSchema, update))
  assert.deepEqual([old.type, old.recoveries], ['client_update', recoveries])
})

test('every message of a proposal counts, also beside a content of the old kind', () => {
  const change = (subspace: string, key: string, value: string) =>
    anAny(MsgExecLegacyContentSchema, {
      authority: gov,
      content: anAny(ParameterChangeProposalSchema, { changes: [{ subspace, key, value }] }),
    })
  const { type, changes, constants } = propose([
    change('staking', 'MaxValidators', '7'),
    change('slashing', 'SignedBlocksWindow', '"50"'),
    anAny(MsgUpdateBlobParamsSchema, { authority: gov, params: { gasPerBlobByte: 9, govMaxSquareSize: 64n } }),
  ])
  assert.equal(type, 'param_changed')
  assert.deepEqual(changes, [{ subspace: 'staking', key: 'MaxValidators', value: '7' }])
  assert.deepEqual(
    constants.map(({ module, name, value }) => `${module}.${name}=${value}`),
    ['staking.max_validators=7', 'slashing.signed_blocks_window=50', 'blob.gas_per_blob_byte=9', 'blob.gov_max_square_size=64'],
  )
})
