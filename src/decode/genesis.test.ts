import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '@bufbuild/protobuf'
import { readRecordedGenesis } from '../../test/recorded-txs.ts'
import { decodeAccount, secp256k1Account } from '../lib/encoding/bech32.ts'
import { OperatorError } from '../lib/errors.ts'
import { decodeAny } from './any.ts'
import { grantRows } from './authorization.ts'
import { readGenesis } from './genesis.ts'
import { messageData } from './message.ts'

const minimal = { chain_id: 'c', genesis_time: '2023-09-06T03:15:51.510579711Z' }

function paramsOf(document: unknown, module: string): Record<string, unknown> | undefined {
  return readGenesis(document).params.find((entry) => entry.module === module)?.values
}

test('the genesis of the recorded chain has its accounts, txs and parameters', () => {
  const genesis = readGenesis(readRecordedGenesis('devnet'))
  assert.equal(genesis.chainId, 'astrolabe-devnet-1')
  assert.equal(genesis.time, '2026-11-15T02:25:24.033799512Z')
  assert.equal(genesis.initialHeight, 1)
  assert.equal(genesis.versionApp, 9)
  assert.deepEqual(genesis.consensus, {
    block: { maxBytes: '33554432', maxGas: '-1' },
    evidence: { maxAgeNumBlocks: '100000', maxAgeDurationNs: '172800000000000', maxBytes: '1048576' },
    validator: { pubKeyTypes: ['ed25519'] },
  })
  assert.equal(genesis.accounts.length, 26)
  assert.deepEqual(genesis.supply, [{ denom: 'utia', amount: 510012000000000n }])
  assert.equal(
    genesis.balances.flatMap(({ coins }) => coins).reduce((sum, { amount }) => sum + amount, 0n),
    510012000000000n,
  )
  assert.deepEqual(genesis.denoms[0]!.units[1], { denom: 'TIA', exponent: 6, aliases: [] })
  assert.equal(genesis.txs.length, 3)
  for (const tx of genesis.txs) {
    assert.deepEqual(
      tx.messages.map(({ typeUrl, value }) => [typeUrl, value.length]),
      [['/cosmos.staking.v1beta1.MsgCreateValidator', 281]],
    )
    const data = messageData(tx.messages[0]!.typeUrl, tx.messages[0]!.value, { success: true })!
    const { typeUrl, value } = tx.publicKeys[0]!
    const { key } = decodeAny(typeUrl, value)!.message as Message & { key: Uint8Array }
    assert.equal(secp256k1Account(key), decodeAccount(data.ValidatorAddress as string))
    assert.equal(tx.signaturesCount, 1)
  }
})

test('durations are nanoseconds and the null objects of older gov do not hide the new one', () => {
  const document = readRecordedGenesis('devnet')
  assert.equal(paramsOf(document, 'gov')?.voting_period, '25000000000')
  assert.equal(paramsOf(document, 'staking')?.unbonding_time, '60000000000')
  assert.equal(paramsOf(document, 'icahost')?.host_enabled, true)
  assert.equal(paramsOf(document, 'minfee')?.network_min_gas_price, '0.000001000000000000')
})

test('the three gov objects before SDK 0.47 are one', () => {
  const gov = {
    deposit_params: { min_deposit: [{ denom: 'utia', amount: '1' }], max_deposit_period: '172800s' },
    voting_params: { voting_period: '1.5s' },
    tally_params: { quorum: '0.334000000000000000' },
  }
  assert.deepEqual(paramsOf({ ...minimal, app_state: { gov } }, 'gov'), {
    min_deposit: [{ denom: 'utia', amount: '1' }],
    max_deposit_period: '172800000000000',
    voting_period: '1500000000',
    quorum: '0.334000000000000000',
  })
})

test('parameters that a module keeps outside of `params` are found', () => {
  const app_state = { crisis: { constant_fee: { denom: 'utia', amount: '1000' } }, minfee: { network_min_gas_price: '0.1' } }
  assert.deepEqual(paramsOf({ ...minimal, app_state }, 'crisis'), { constant_fee: { denom: 'utia', amount: '1000' } })
  assert.deepEqual(paramsOf({ ...minimal, app_state }, 'minfee'), { network_min_gas_price: '0.1' })
})

test('both places of the consensus parameters are read', () => {
  const params = { block: { max_bytes: 10, max_gas: '-1' }, evidence: { max_age_duration: '172800s' }, version: { app: '6' } }
  const genesis = readGenesis({ ...minimal, initial_height: 5, consensus: { params } })
  assert.equal(genesis.initialHeight, 5)
  assert.equal(genesis.versionApp, 6)
  assert.equal(genesis.consensus.block?.maxBytes, '10')
  assert.equal(genesis.consensus.evidence?.maxAgeDurationNs, '172800000000000')
  assert.equal(readGenesis({ ...minimal, consensus_params: { version: { app_version: '1' } } }).versionApp, 1)
})

test('missing, null and empty sections are no state', () => {
  const empty = readGenesis(minimal)
  const nulls = readGenesis({
    ...minimal,
    consensus_params: null,
    app_state: { auth: null, bank: { balances: null, supply: null }, genutil: {}, staking: null, authz: null, params: null },
  })
  for (const genesis of [empty, nulls]) {
    assert.deepEqual([genesis.accounts, genesis.balances, genesis.supply, genesis.txs, genesis.params], [[], [], [], [], []])
    assert.equal(genesis.versionApp, 0)
    assert.equal(genesis.initialHeight, 1)
    assert.equal(genesis.staking.exported, false)
  }
})

test('every kind of account gives its address, and vesting ones their schedule', () => {
  const base_account = { address: 'celestia1a' }
  const base_vesting_account = { base_account, original_vesting: [{ denom: 'utia', amount: '7' }], end_time: '20' }
  const vesting = '/cosmos.vesting.v1beta1.'
  const accounts = [
    { '@type': '/cosmos.auth.v1beta1.BaseAccount', address: 'celestia1a', pub_key: null },
    { '@type': '/cosmos.auth.v1beta1.ModuleAccount', base_account, name: 'mint', permissions: ['minter'] },
    { '@type': `${vesting}ContinuousVestingAccount`, base_vesting_account, start_time: '10' },
    { '@type': `${vesting}DelayedVestingAccount`, base_vesting_account },
    { '@type': `${vesting}PermanentLockedAccount`, base_vesting_account },
    {
      '@type': `${vesting}PeriodicVestingAccount`,
      base_vesting_account,
      start_time: '10',
      vesting_periods: [{ length: '5', amount: [{ denom: 'utia', amount: '7' }] }],
    },
    { '@type': '/some.other.Account', base_account },
  ]
  const read = readGenesis({ ...minimal, app_state: { auth: { accounts } } }).accounts
  assert.deepEqual(
    read.map(({ address }) => address),
    accounts.map(() => 'celestia1a'),
  )
  assert.equal(read[1]!.name, 'mint')
  assert.deepEqual(
    read.map(({ vesting }) => vesting?.type),
    [undefined, undefined, 'continuous', 'delayed', 'permanent', 'periodic', undefined],
  )
  assert.deepEqual(read[5]!.vesting, {
    type: 'periodic',
    coins: [{ denom: 'utia', amount: 7n }],
    startTime: 10n,
    endTime: 20n,
    periods: [{ length: 5n, coins: [{ denom: 'utia', amount: 7n }] }],
  })
})

test('an exported chain brings its staking state', () => {
  const staking = {
    exported: true,
    validators: [
      {
        operator_address: 'celestiavaloper1a',
        consensus_pubkey: { '@type': '/cosmos.crypto.ed25519.PubKey', key: Buffer.alloc(32, 1).toString('base64') },
        status: 'BOND_STATUS_BONDED',
        tokens: '100',
        delegator_shares: '100.500000000000000000',
        description: { moniker: 'm' },
        commission: { commission_rates: { rate: '0.1', max_rate: '0.2', max_change_rate: '0.01' } },
        min_self_delegation: '1',
      },
    ],
    delegations: [{ delegator_address: 'd', validator_address: 'v', shares: '1.5' }],
    unbonding_delegations: [
      {
        delegator_address: 'd',
        validator_address: 'v',
        entries: [{ creation_height: '3', completion_time: minimal.genesis_time, balance: '4' }],
      },
    ],
    redelegations: [],
    last_validator_powers: [{ address: 'celestiavaloper1a', power: '9' }],
  }
  const read = readGenesis({ ...minimal, app_state: { staking } }).staking
  assert.equal(read.exported, true)
  assert.equal(read.validators[0]!.shares, 100500000000000000000n)
  assert.equal(read.validators[0]!.rate, 100000000000000000n)
  assert.equal(read.validators[0]!.consensusKey?.value.length, 34)
  assert.deepEqual(read.delegations, [{ delegator: 'd', operator: 'v', shares: 1500000000000000000n }])
  assert.equal(read.unbondings[0]!.entries[0]!.balance, 4n)
  assert.deepEqual(read.lastPowers, [{ operator: 'celestiavaloper1a', power: 9n }])
})

test('grants of a genesis are read and unknown kinds are passed over', () => {
  const authorization = [
    { granter: 'a', grantee: 'b', authorization: { '@type': '/x.Unknown' } },
    {
      granter: 'a',
      grantee: 'b',
      expiration: '2026-01-01T00:00:00Z',
      authorization: { '@type': '/cosmos.authz.v1beta1.GenericAuthorization', msg: '/m' },
    },
  ]
  const [grant, ...rest] = readGenesis({ ...minimal, app_state: { authz: { authorization } } }).authorizations
  assert.equal(rest.length, 0)
  assert.deepEqual(grantRows(grant!), [{ authorization: '/m', expiration: '2026-01-01T00:00:00Z', params: { Msg: '/m' } }])
})

test('a document that is no genesis is refused with the place that is wrong', () => {
  const bad: [unknown, RegExp][] = [
    [[], /genesis is not an object/],
    [{ genesis_time: minimal.genesis_time }, /chain_id/],
    [{ chain_id: 'c' }, /genesis_time/],
    [{ ...minimal, app_state: { bank: { balances: {} } } }, /bank\.balances is not a list/],
    [{ ...minimal, app_state: { bank: { supply: [{ denom: 'utia', amount: '1.5' }] } } }, /bank\.supply\[0\]\.amount/],
    [{ ...minimal, app_state: { genutil: { gen_txs: [{ body: { messages: [{}] } }] } } }, /gen_txs\[0\]\.messages\[0\]/],
  ]
  for (const [document, message] of bad) {
    assert.throws(
      () => readGenesis(document),
      (error) => error instanceof OperatorError && message.test(error.message),
    )
  }
})
