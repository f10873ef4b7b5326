import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aGenesis, anAccount, aValidator, blockTime, CHAIN_ID } from '../../test/builders.ts'
import { exportedValidator } from '../../test/cases/exported-state.ts'
import { moduleAccount } from '../lib/encoding/bech32.ts'
import { addressRoleId } from '../types/address-role.ts'
import type { BlockFacts } from '../types/block-facts.ts'
import type { Effect } from '../types/effects.ts'
import { deriveGenesis } from './genesis.ts'

const [alice, bob] = [anAccount('alice'), anAccount('bob')]
const one = aValidator('one')

function balanceOf({ coins }: BlockFacts, address: string, denom = 'utia'): bigint | undefined {
  const moves = coins.filter((coin) => coin.address === address && coin.denom === denom)
  return moves.length === 0 ? undefined : moves.reduce((sum, { delta }) => sum + delta, 0n)
}

const constantOf = (facts: BlockFacts, module: string, name: string) =>
  facts.effects
    .flatMap((effect) => (effect.kind === 'set-constants' ? effect.constants : []))
    .find((each) => each.module === module && each.name === name)?.value

const ofKind = <K extends Effect['kind']>({ effects }: BlockFacts, kind: K) =>
  effects.filter((effect): effect is Extract<Effect, { kind: K }> => effect.kind === kind)

test('the document becomes a block before the first one, without hash and proposer', () => {
  const { facts, chainId, initialHeight } = deriveGenesis({ ...aGenesis(), initial_height: '100' })
  assert.deepEqual([chainId, initialHeight], [CHAIN_ID, 100])
  const { height, time, hash, proposer, versionApp } = facts.header
  assert.deepEqual([height, time, hash, proposer, versionApp], [99, blockTime(0), '', '', 9])
})

test('accounts come in the order of the document, then modules; all have a balance', () => {
  const { facts } = deriveGenesis(aGenesis({ balances: { [bob.text]: 7n, [alice.text]: 5n } }))
  assert.deepEqual(facts.addresses.slice(0, 3), [bob.hex, alice.hex, moduleAccount('fee_collector')])
  assert.equal(balanceOf(facts, alice.hex), 5n)
  assert.equal(balanceOf(facts, moduleAccount('transfer')), 0n)
  assert.deepEqual(ofKind(facts, 'account-name').find(({ name }) => name === 'gov')?.address, moduleAccount('gov'))
})

test('supply is what the document states, or the sum of the balances', () => {
  const document = aGenesis({ balances: { [alice.text]: 5n, [bob.text]: 6n } })
  assert.deepEqual(deriveGenesis(document).facts.supply, [{ denom: 'utia', delta: 11n, cause: 'genesis' }])
  const bank = {
    balances: [
      {
        address: alice.text,
        coins: [
          { denom: 'utia', amount: '3' },
          { denom: 'ibc/AA', amount: '4' },
        ],
      },
    ],
    supply: [],
  }
  const { facts } = deriveGenesis(aGenesis({ appState: { bank } }))
  assert.deepEqual(facts.supply, [
    { denom: 'utia', delta: 3n, cause: 'genesis' },
    { denom: 'ibc/AA', delta: 4n, cause: 'genesis' },
  ])
  assert.equal(facts.stats.supplyChange, 3n)
})

test('a genesis tx bonds its stake and pays its fee without counting as one', () => {
  const { facts } = deriveGenesis(
    aGenesis({ balances: { [one.text]: 10_000_000n }, validators: [{ name: 'one', stake: 6_000_000n }] }),
  )
  assert.equal(balanceOf(facts, one.hex), 10_000_000n - 6_000_000n - 2000n)
  assert.equal(balanceOf(facts, moduleAccount('bonded_tokens_pool')), 6_000_000n)
  assert.equal(balanceOf(facts, moduleAccount('fee_collector')), 2000n)
  assert.deepEqual([facts.stats.txCount, facts.stats.feeUtia, facts.txs[0]!.feeUtia, facts.txs[0]!.hash], [1, 0n, 0n, ''])
  assert.deepEqual(facts.txs[0]!.signers, [one.hex])
  assert.deepEqual(facts.messages[0]!.links, [[one.hex, addressRoleId('validator')]])
  assert.deepEqual(facts.messages[0]!.validators, [one.hex])
  const [created] = ofKind(facts, 'create-validator')
  assert.deepEqual(
    [created!.operator, created!.delegator, created!.amount, created!.rate, created!.tx, created!.message],
    [one.hex, one.hex, 6_000_000n, 10n ** 17n, 0, 0],
  )
  const key = { consAddress: one.consAddress, publicKey: Buffer.from(one.key).toString('hex') }
  assert.deepEqual(ofKind(facts, 'validator-power'), [{ kind: 'validator-power', ...key, power: 6n }])
  assert.ok(facts.addresses.every((address) => (balanceOf(facts, address) ?? 0n) >= 0n))
})

test('beyond the largest set a genesis validator stays unbonded', () => {
  const two = aValidator('two')
  const document = aGenesis({
    balances: { [one.text]: 10_000_000n, [two.text]: 10_000_000n },
    validators: [
      { name: 'one', stake: 2_000_000n },
      { name: 'two', stake: 3_000_000n },
    ],
    appState: { staking: { params: { max_validators: 1 } } },
  })
  const { facts } = deriveGenesis(document)
  assert.equal(balanceOf(facts, moduleAccount('bonded_tokens_pool')), 3_000_000n)
  assert.equal(balanceOf(facts, moduleAccount('not_bonded_tokens_pool')), 2_000_000n)
})

test('of genesis validators with the same power the lower address is bonded, whoever has more base units', () => {
  const two = aValidator('two')
  const [lower, higher] = one.hex < two.hex ? ['one', 'two'] : ['two', 'one']
  const document = aGenesis({
    balances: { [one.text]: 10_000_000n, [two.text]: 10_000_000n },
    validators: [
      { name: higher!, stake: 2_999_999n },
      { name: lower!, stake: 2_000_000n },
    ],
    appState: { staking: { params: { max_validators: 1 } } },
  })
  assert.equal(balanceOf(deriveGenesis(document).facts, moduleAccount('bonded_tokens_pool')), 2_000_000n)
})

test('an exported validator keeps the power the consensus knows and the commission nobody has withdrawn', () => {
  const staking = {
    exported: true,
    validators: [exportedValidator(one, 'one', { tokens: 5_000_000n })],
    last_validator_powers: [{ address: one.operator, power: '4' }],
  }
  const distribution = {
    validator_accumulated_commissions: [
      {
        validator_address: one.operator,
        accumulated: { commission: [{ denom: 'utia', amount: '12.500000000000000000' }] },
      },
    ],
  }
  const { facts } = deriveGenesis(aGenesis({ appState: { staking, distribution } }))
  assert.equal(ofKind(facts, 'validator-power')[0]!.power, 4n)
  assert.equal(ofKind(facts, 'create-validator')[0]!.commissions, 125n * 10n ** 17n)
})

test('parameters become constants: nanoseconds, coins as text, decimals as they stand', () => {
  const { facts } = deriveGenesis(aGenesis())
  assert.equal(constantOf(facts, 'staking', 'unbonding_time'), '60000000000')
  assert.equal(constantOf(facts, 'staking', 'max_validators'), '100')
  assert.equal(constantOf(facts, 'staking', 'min_commission_rate'), '0.050000000000000000')
  assert.equal(constantOf(facts, 'gov', 'min_deposit'), '1000000000utia')
  assert.equal(constantOf(facts, 'consensus', 'block_max_gas'), '-1')
  assert.equal(constantOf(facts, 'consensus', 'evidence_max_age_duration'), '172800000000000')
  assert.equal(constantOf(facts, 'consensus', 'validator_pub_key_types'), 'ed25519')
})

test('gov parameters are also read from the three objects of older chains', () => {
  const gov = {
    deposit_params: { max_deposit_period: '604800s' },
    voting_params: { voting_period: '1.5s' },
    tally_params: { quorum: '0.4' },
  }
  const { facts } = deriveGenesis(aGenesis({ appState: { gov } }))
  assert.equal(constantOf(facts, 'gov', 'max_deposit_period'), '604800000000000')
  assert.equal(constantOf(facts, 'gov', 'voting_period'), '1500000000')
  assert.equal(constantOf(facts, 'gov', 'quorum'), '0.4')
})

test('vesting accounts of the document are told with their schedule', () => {
  const base = (end_time: string) => ({
    base_account: { address: alice.text },
    original_vesting: [{ denom: 'utia', amount: '30' }],
    end_time,
  })
  const accounts = [
    {
      '@type': '/cosmos.vesting.v1beta1.ContinuousVestingAccount',
      base_vesting_account: base('1800000100'),
      start_time: '1800000000',
    },
    {
      '@type': '/cosmos.vesting.v1beta1.PeriodicVestingAccount',
      base_vesting_account: base('1800000060'),
      start_time: '1800000000',
      vesting_periods: [{ length: '60', amount: [{ denom: 'utia', amount: '30' }] }],
    },
    { '@type': '/cosmos.auth.v1beta1.ModuleAccount', base_account: { address: bob.text }, name: 'observatory' },
  ]
  const { facts } = deriveGenesis(aGenesis({ appState: { auth: { accounts } } }))
  assert.deepEqual(ofKind(facts, 'vesting'), [
    {
      kind: 'vesting',
      address: alice.hex,
      type: 'continuous',
      amount: 30n,
      startTime: '2027-01-15T08:00:00Z',
      endTime: '2027-01-15T08:01:40Z',
      periods: [],
    },
    {
      kind: 'vesting',
      address: alice.hex,
      type: 'periodic',
      amount: 30n,
      startTime: '2027-01-15T08:00:00Z',
      endTime: '2027-01-15T08:01:00Z',
      periods: [{ time: '2027-01-15T08:01:00Z', amount: 30n }],
    },
  ])
  assert.deepEqual(ofKind(facts, 'account-name')[0], { kind: 'account-name', address: bob.hex, name: 'observatory' })
})

test('an exported chain brings its validators, delegations, unbondings and grants along', () => {
  const staking = {
    exported: true,
    validators: [
      {
        operator_address: one.operator,
        consensus_pubkey: { '@type': '/cosmos.crypto.ed25519.PubKey', key: Buffer.from(one.key).toString('base64') },
        jailed: true,
        status: 'BOND_STATUS_UNBONDING',
        // Slashed once: 100 shares are worth 90 tokens.
        tokens: '90',
        delegator_shares: '100.000000000000000000',
        description: { moniker: 'old', identity: '', website: '', security_contact: 'c', details: '' },
        commission: { commission_rates: { rate: '0.1', max_rate: '0.2', max_change_rate: '0.01' } },
        min_self_delegation: '1',
      },
    ],
    delegations: [
      { delegator_address: alice.text, validator_address: one.operator, shares: '33.000000000000000000' },
      { delegator_address: bob.text, validator_address: one.operator, shares: '67.000000000000000000' },
    ],
    unbonding_delegations: [
      {
        delegator_address: bob.text,
        validator_address: one.operator,
        entries: [
          { creation_height: '5', completion_time: '2026-03-01T00:00:00.123456789Z', initial_balance: '9', balance: '8' },
        ],
      },
    ],
    redelegations: [
      {
        delegator_address: bob.text,
        validator_src_address: one.operator,
        validator_dst_address: aValidator('two').operator,
        entries: [{ creation_height: '5', completion_time: '2026-03-01T00:00:00Z', initial_balance: '4', shares_dst: '4.0' }],
      },
    ],
  }
  const authz = {
    authorization: [
      {
        granter: alice.text,
        grantee: bob.text,
        authorization: { '@type': '/cosmos.authz.v1beta1.GenericAuthorization', msg: '/m' },
        expiration: null,
      },
    ],
  }
  const { facts } = deriveGenesis(aGenesis({ appState: { staking, authz } }))
  const [created] = ofKind(facts, 'create-validator')
  assert.deepEqual([created!.amount, created!.description.contacts, created!.consAddress], [0n, 'c', one.consAddress])
  assert.deepEqual(
    ofKind(facts, 'delegate').map(({ delegator, amount, newShares }) => [delegator, amount, newShares]),
    [
      [alice.hex, 29n, 33n * 10n ** 18n],
      [bob.hex, 61n, 67n * 10n ** 18n],
    ],
    'the whole tokens of the validator are spread, the last one takes the cut-off rest',
  )
  assert.deepEqual(ofKind(facts, 'jail').length, 1)
  assert.deepEqual(
    ofKind(facts, 'pending-unbonding').map(({ amount, initialAmount, creationHeight, completionTime }) => [
      amount,
      initialAmount,
      creationHeight,
      completionTime,
    ]),
    [[8n, 9n, 5, '2026-03-01T00:00:00.123456Z']],
  )
  assert.deepEqual(
    ofKind(facts, 'pending-redelegation').map(({ amount, shares, creationHeight }) => [amount, shares, creationHeight]),
    [[4n, 4n * 10n ** 18n, 5]],
  )
  assert.deepEqual(
    ofKind(facts, 'grant').map(({ authorization }) => authorization),
    ['/m'],
  )
})

test('proposals of an exported chain keep their state, and what they changed is not changed again', () => {
  const gov = {
    params: {},
    proposals: [
      {
        id: '4',
        messages: [
          {
            '@type': '/celestia.blob.v1.MsgUpdateBlobParams',
            authority: '',
            params: { gas_per_blob_byte: 9, gov_max_square_size: '64' },
          },
        ],
        status: 'PROPOSAL_STATUS_PASSED',
        title: 'T',
        summary: 'S',
        proposer: alice.text,
      },
      { id: '5', messages: [], status: 'PROPOSAL_STATUS_VOTING_PERIOD', title: 'U', summary: 'S', proposer: '' },
    ],
    deposits: [{ proposal_id: '5', depositor: bob.text, amount: [{ denom: 'utia', amount: '6' }] }],
    votes: [{ proposal_id: '5', voter: bob.text, options: [{ option: 'VOTE_OPTION_NO', weight: '1.0' }] }],
  }
  const { facts } = deriveGenesis(aGenesis({ appState: { gov } }))
  const govEffects = facts.effects.filter(({ kind }) => /proposal|deposit|vote/.test(kind))
  assert.deepEqual(
    govEffects.map((effect) => `${effect.kind} ${'id' in effect && effect.id}`),
    [
      'submit-proposal 4',
      'activate-proposal 4',
      'end-proposal 4',
      'submit-proposal 5',
      'activate-proposal 5',
      'deposit 5',
      'vote 5',
    ],
  )
  const [passed] = ofKind(facts, 'submit-proposal')
  assert.deepEqual([passed!.type, passed!.constants], ['param_changed', []])
})

test('a document that is no genesis is refused', () => {
  assert.throws(() => deriveGenesis({ chain_id: '' }))
  assert.throws(() => deriveGenesis(null))
})
