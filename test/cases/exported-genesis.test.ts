import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MsgRevokeSchema } from '../../src/decode/gen/cosmos/authz/v1beta1/types_pb.ts'
import { MsgWithdrawValidatorCommissionSchema } from '../../src/decode/gen/cosmos/distribution/v1beta1/types_pb.ts'
import { MsgCancelUnbondingDelegationSchema } from '../../src/decode/gen/cosmos/staking/v1beta1/types_pb.ts'
import { aVote, NO, refundedDeposit, votingEnded, YES } from '../../src/simulation/txs/gov.ts'
import {
  aBlock,
  aGenesis,
  aMessage,
  anAccount,
  anEvent,
  aTx,
  aTypedEvent,
  aValidator,
  type BuiltTx,
  blockTime,
  moduleText,
  movedCoins,
} from '../builders.ts'
import { type BuiltChain, indexAndReplay } from '../support/built-chain.ts'
import { serveChain } from '../support/served-chain.ts'
import { dec, exportedDelegation, exportedValidator } from './exported-state.ts'
import { moneyOf, plain } from './read-rows.ts'
import { burned, unbondingDone } from './staking-blocks.ts'

const [alice, bob] = [anAccount('alice'), anAccount('bob')]
const [one, two, three] = [aValidator('one'), aValidator('two'), aValidator('three')]
const FIRST = 1000
const START = 50_000_000n
const [BONDED, NOT_BONDED] = [moduleText('bonded_tokens_pool'), moduleText('not_bonded_tokens_pool')]
const MSG_SEND = '/cosmos.bank.v1beta1.MsgSend'

const coins = (amount: bigint) => [{ denom: 'utia', amount: String(amount) }]

/** One was slashed before: ten million shares are worth 9.9 million. Nobody of two's own people delegates to it. */
const staking = {
  exported: true,
  params: { unbonding_time: '60s', max_validators: 100, bond_denom: 'utia' },
  validators: [
    exportedValidator(one, 'one', { tokens: 9_900_000n, shares: 10_000_000n }),
    exportedValidator(two, 'two', { tokens: 5_000_000n, shares: 5_000_000n }),
    exportedValidator(three, 'three', { tokens: 2_000_000n, shares: 2_000_000n, jailed: true }),
  ],
  delegations: [
    exportedDelegation(one.text, one.operator, 6_000_000n),
    exportedDelegation(alice.text, one.operator, 4_000_000n),
    exportedDelegation(bob.text, two.operator, 5_000_000n),
    exportedDelegation(three.text, three.operator, 2_000_000n),
  ],
  unbonding_delegations: [
    {
      delegator_address: alice.text,
      validator_address: one.operator,
      entries: [
        { creation_height: '950', completion_time: blockTime(FIRST + 3), initial_balance: '1000000', balance: '1000000' },
        { creation_height: '960', completion_time: blockTime(FIRST + 40), initial_balance: '500000', balance: '490000' },
      ],
    },
  ],
  redelegations: [
    {
      delegator_address: bob.text,
      validator_src_address: one.operator,
      validator_dst_address: two.operator,
      entries: [
        {
          creation_height: '960',
          completion_time: blockTime(FIRST + 40),
          initial_balance: '1000000',
          shares_dst: dec(1_000_000n),
        },
      ],
    },
  ],
}

const proposal = (id: number, status: string, fields: Record<string, unknown>) => ({
  id: String(id),
  status: `PROPOSAL_STATUS_${status}`,
  messages: [],
  title: `old ${id}`,
  summary: 'from before',
  proposer: bob.text,
  submit_time: blockTime(900 + id),
  deposit_end_time: blockTime(910 + id),
  ...fields,
})

const gov = {
  params: { min_deposit: coins(1_000_000_000n), max_deposit_period: '30s', voting_period: '24s', quorum: '0.334' },
  proposals: [
    proposal(1, 'PASSED', {
      total_deposit: coins(1_000_000_000n),
      voting_start_time: blockTime(905),
      voting_end_time: blockTime(909),
      final_tally_result: { yes_count: '7000000', abstain_count: '40', no_count: '5', no_with_veto_count: '6' },
    }),
    proposal(2, 'VOTING_PERIOD', {
      total_deposit: coins(1_000_000_000n),
      voting_start_time: blockTime(998),
      voting_end_time: blockTime(1002),
    }),
    proposal(3, 'DEPOSIT_PERIOD', { total_deposit: coins(400_000_000n) }),
  ],
  deposits: [
    { proposal_id: '2', depositor: bob.text, amount: coins(1_000_000_000n) },
    { proposal_id: '3', depositor: alice.text, amount: coins(400_000_000n) },
  ],
  votes: [{ proposal_id: '2', voter: bob.text, options: [{ option: 'VOTE_OPTION_NO', weight: '1.000000000000000000' }] }],
}

const genesis = () => {
  const balances = {
    [alice.text]: START,
    [bob.text]: START,
    [one.text]: START,
    [BONDED]: 14_900_000n,
    [NOT_BONDED]: 2_000_000n + 1_000_000n + 490_000n,
    [moduleText('gov')]: 1_400_000_000n,
    [moduleText('distribution')]: 701n,
  }
  const authz = {
    authorization: [
      {
        granter: alice.text,
        grantee: bob.text,
        authorization: { '@type': '/cosmos.authz.v1beta1.GenericAuthorization', msg: MSG_SEND },
        expiration: '2027-01-01T00:00:00Z',
      },
    ],
  }
  const feegrant = {
    allowances: [
      {
        granter: bob.text,
        grantee: alice.text,
        allowance: { '@type': '/cosmos.feegrant.v1beta1.BasicAllowance', spend_limit: coins(5n), expiration: null },
      },
    ],
  }
  const slashing = { params: { slash_fraction_double_sign: '0.020000000000000000' } }
  const distribution = {
    validator_accumulated_commissions: [
      { validator_address: two.operator, accumulated: { commission: [{ denom: 'utia', amount: '700.900000000000000000' }] } },
    ],
  }
  return {
    ...aGenesis({ balances, appState: { staking, gov, authz, feegrant, slashing, distribution } }),
    initial_height: String(FIRST),
    genesis_time: blockTime(FIRST - 1),
  }
}

function aCancelledUnbonding(amount: bigint, creationHeight: number): BuiltTx {
  const message = aMessage(MsgCancelUnbondingDelegationSchema, {
    delegatorAddress: alice.text,
    validatorAddress: one.operator,
    amount: { denom: 'utia', amount: String(amount) },
    creationHeight: BigInt(creationHeight),
  })
  const event = anEvent('cancel_unbonding_delegation', {
    amount: `${amount}utia`,
    validator: one.operator,
    delegator: alice.text,
    creation_height: String(creationHeight),
  })
  return aTx({ from: alice.text, actions: [{ message, events: [...movedCoins(NOT_BONDED, BONDED, `${amount}utia`), event] }] })
}

function aRevocation(): BuiltTx {
  const parties = { granter: alice.text, grantee: bob.text }
  return aTx({
    from: alice.text,
    actions: [
      {
        message: aMessage(MsgRevokeSchema, { ...parties, msgTypeUrl: MSG_SEND }),
        events: [aTypedEvent('cosmos.authz.v1beta1.EventRevoke', { msg_type_url: MSG_SEND, ...parties })],
      },
    ],
  })
}

/** All whole units that two has earned here and before: 700.9 and 0.3. */
function aCommission(): BuiltTx {
  const message = aMessage(MsgWithdrawValidatorCommissionSchema, { validatorAddress: two.operator })
  const events = [
    ...movedCoins(moduleText('distribution'), bob.text, '701utia'),
    anEvent('withdraw_commission', { amount: '701utia' }),
  ]
  return aTx({ from: bob.text, actions: [{ message, events }] })
}

describe('a chain that starts with the state of another one', () => {
  let chain: BuiltChain
  before(async () => {
    chain = await indexAndReplay(genesis(), [
      aBlock(FIRST, { txs: [aCancelledUnbonding(400_000n, 950), aVote(one.text, 2, YES), aVote(alice.text, 2, NO)] }),
      // A double sign at 956: of what began at 955 or later 2 % are cut, the older entry is left alone.
      aBlock(FIRST + 1, {
        evidence: [{ kind: 'duplicate_vote', validatorAddress: one.consAddress, height: 956, time: blockTime(956) }],
        begin: [
          ...burned('not_bonded', 10_000n),
          ...burned('bonded', 20_000n),
          ...burned('bonded', 150_000n),
          anEvent('slash', { address: one.consText, power: '9', reason: 'double_sign', burned_coins: '150000' }),
          anEvent('slash', { jailed: one.consText }),
        ],
        txs: [aRevocation()],
        end: movedCoins(BONDED, NOT_BONDED, '10150000utia'),
        validatorUpdates: [{ consAddress: one.consAddress, power: 0n }],
      }),
      aBlock(FIRST + 2, { end: [...refundedDeposit(bob.text, 1_000_000_000n), votingEnded(2, 'proposal_rejected')] }),
      aBlock(FIRST + 3, {
        begin: [anEvent('commission', { validator: two.operator, amount: '0.300000000000000000utia' })],
        txs: [aCommission()],
        end: unbondingDone(alice.text, one.operator, 600_000n),
      }),
    ])
  })
  after(() => chain.close())

  test('validators keep their tokens and shares', async () => {
    const rows = await chain.sql`
      select moniker, stake, round(shares, 6) as shares, jailed, bonded from validator where operator is not null order by id`
    // 400,000 tokens bought 404,040.404040 shares back at the old rate.
    assert.deepEqual(plain(rows), [
      { moniker: 'one', stake: '10150000', shares: '10404040.404040', jailed: true, bonded: false },
      { moniker: 'two', stake: '4980000', shares: '4980000.000000', jailed: false, bonded: true },
      { moniker: 'three', stake: '2000000', shares: '2000000.000000', jailed: true, bonded: false },
    ])
  })

  test('commission earned before can be withdrawn now', async () => {
    const rows = await chain.sql`select commissions from validator where moniker = 'two'`
    assert.deepEqual(plain(rows), [{ commissions: '0.200000000000000000' }])
  })

  test('delegations are those of the document, and nobody else delegates', async () => {
    const rows = await chain.sql<{ moniker: string; address: Buffer }[]>`
      select v.moniker, a.address from delegation d join validator v on v.id = d.validator_id join address a on a.id = d.address_id`
    assert.deepEqual(
      rows.map(({ moniker, address }) => `${address.toString('hex')} at ${moniker}`).sort(),
      [`${one.hex} at one`, `${alice.hex} at one`, `${bob.hex} at two`, `${three.hex} at three`].sort(),
    )
  })

  test('unbondings know when they began: one is cancelled by that height, one is slashed by it', async () => {
    const rows = await chain.sql`select height, amount, initial_amount from undelegation`
    assert.deepEqual(plain(rows), [{ height: 960, amount: '480000', initial_amount: '500000' }])
    assert.equal((await moneyOf(chain.sql, alice))?.unbonding, '480000')
  })

  test('redelegations know their shares', async () => {
    const rows = await chain.sql`select height, amount, shares from redelegation`
    assert.deepEqual(plain(rows), [{ height: 960, amount: '1000000', shares: '1000000.000000000000000000' }])
  })

  test('proposals keep their times, deposits and results', async () => {
    const rows = await chain.sql<Record<string, string>[]>`
      select id, status, deposit, created_at, deposit_time, activation_time, end_time from proposal order by id`
    const time = (height: number) => Date.parse(blockTime(height))
    assert.deepEqual(
      rows.map((row) => [
        row.id,
        row.status,
        row.deposit,
        ...[row.created_at, row.deposit_time, row.activation_time, row.end_time].map((text) => text && Date.parse(text)),
      ]),
      [
        [1, 'applied', '1000000000', time(901), time(911), time(905), time(909)],
        [2, 'rejected', '1000000000', time(902), time(912), time(998), time(1002)],
        [3, 'inactive', '400000000', time(903), time(913), null, null],
      ],
    )
  })

  test('the count of an old proposal is that of the document, an open one is counted with its old votes', async () => {
    const rows = await chain.sql`
      select yes_voting_power, no_voting_power, abstain_voting_power, no_with_veto_voting_power, voting_power, votes_count
      from proposal where id < 3 order by id`
    assert.deepEqual(plain(rows), [
      {
        yes_voting_power: '7000000',
        no_voting_power: '5',
        abstain_voting_power: '40',
        no_with_veto_voting_power: '6',
        voting_power: '7000051',
        votes_count: 0,
      },
      // One and with it Alice are out of the set by then: what is left is Bob's vote of before.
      {
        yes_voting_power: '0',
        no_voting_power: '4980000',
        abstain_voting_power: '0',
        no_with_veto_voting_power: '0',
        voting_power: '4980000',
        votes_count: 3,
      },
    ])
  })

  test('grants and allowances of the document can be revoked', async () => {
    const rows = await chain.sql`select "authorization", revoked, revoke_height, height from authz_grant order by id`
    assert.deepEqual(plain(rows), [
      { authorization: MSG_SEND, revoked: true, revoke_height: FIRST + 1, height: FIRST - 1 },
      { authorization: 'fee', revoked: false, revoke_height: null, height: FIRST - 1 },
    ])
  })

  test('it is served from its first height on', async (t) => {
    const api = await serveChain(chain.url)
    t.after(() => api.close())
    for (const path of [
      '/block/999',
      '/block/1000',
      '/proposal/1',
      '/proposal/2/votes',
      '/validators?limit=10',
      `/address/${alice.text}/undelegations`,
    ])
      assert.equal((await api.get(path)).status, 200, path)
  })
})

test('genesis txs are found at whatever height a chain begins, and are no txs of an account', async (t) => {
  const document = aGenesis({
    balances: { [one.text]: 11_000_000n, [two.text]: 6_000_000n },
    validators: [
      { name: 'one', stake: 10_000_000n },
      { name: 'two', stake: 5_000_000n },
    ],
  })
  const later = { ...document, initial_height: String(FIRST), genesis_time: blockTime(FIRST - 1) }
  const chain = await indexAndReplay(later, [aBlock(FIRST), aBlock(FIRST + 1)])
  t.after(() => chain.close())
  const api = await serveChain(chain.url)
  t.after(() => api.close())
  const txs = await api.list('/tx/genesis')
  assert.deepEqual(
    txs.map(({ height, position }) => [height, position]),
    [
      [FIRST - 1, 0],
      [FIRST - 1, 1],
    ],
  )
  assert.equal((await chain.sql`select 1 from address_bucket`).length, 0)
})
