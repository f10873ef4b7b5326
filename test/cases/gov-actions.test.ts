import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GenericAuthorizationSchema, MsgGrantSchema } from '../../src/decode/gen/cosmos/authz/v1beta1/types_pb.ts'
import { BasicAllowanceSchema, MsgGrantAllowanceSchema } from '../../src/decode/gen/cosmos/feegrant/v1beta1/types_pb.ts'
import { aProposal, aVote, dropped, votingEnded, YES } from '../../src/simulation/txs/gov.ts'
import type { Db } from '../../src/store/db.ts'
import {
  aBlock,
  aGenesis,
  anAccount,
  anAny,
  anEvent,
  aSend,
  aTypedEvent,
  aValidator,
  moduleText,
  movedCoins,
} from '../builders.ts'
import { indexAndReplay } from '../support/built-chain.ts'
import { plain } from './read-rows.ts'
import { delegationEvents } from './staking-blocks.ts'

const [alice, bob, carol, newcomer] = [anAccount('alice'), anAccount('bob'), anAccount('carol'), anAccount('newcomer')]
const [one, two] = [aValidator('one'), aValidator('two')]
const GOV = moduleText('gov')
const DEPOSIT = 1_000_000_000n
const VOTE = '/cosmos.gov.v1.MsgVote'

const genesis = () =>
  aGenesis({
    balances: { [alice.text]: 9_000_000_000n, [bob.text]: 1_000_000n, [one.text]: 11_000_000n, [two.text]: 7_000_000n },
    validators: [
      { name: 'one', stake: 10_000_000n },
      { name: 'two', stake: 6_000_000n },
    ],
  })

const aGrant = (grantee: string) =>
  anAny(MsgGrantSchema, {
    granter: GOV,
    grantee,
    grant: { authorization: anAny(GenericAuthorizationSchema, { msg: VOTE }), expiration: { seconds: 1_900_000_000n } },
  })
const anAllowance = (grantee: string) =>
  anAny(MsgGrantAllowanceSchema, {
    granter: GOV,
    grantee,
    allowance: anAny(BasicAllowanceSchema, { spendLimit: [{ denom: 'utia', amount: '7' }] }),
  })
const aRefund = (to: string) => movedCoins(GOV, to, `${DEPOSIT}utia`)
const proposes = (id: number, messages: ReturnType<typeof anAny>[], opens = true) =>
  aProposal({ id, from: alice.text, deposit: DEPOSIT, opens, messages })

const listGrants = (sql: Db) => sql`
  select encode(e.address, 'hex') as grantee, "authorization", g.height, g.revoked, g.params, g.expiration is not null as ends
  from authz_grant g join address e on e.id = g.grantee_id join address r on r.id = g.granter_id
  where r.name = 'gov' order by g.id`

test('what a proposal grants is granted when it has passed, on its terms', async (t) => {
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { txs: [proposes(1, [aGrant(bob.text), aGrant(newcomer.text), anAllowance(bob.text)])] }),
    aBlock(2, { txs: [aVote(one.text, 1, YES)] }),
    aBlock(3, {
      end: [
        ...aRefund(alice.text),
        aTypedEvent('cosmos.authz.v1beta1.EventGrant', { granter: GOV, grantee: bob.text, msg_type_url: VOTE }),
        aTypedEvent('cosmos.authz.v1beta1.EventGrant', { granter: GOV, grantee: newcomer.text, msg_type_url: VOTE }),
        anEvent('set_feegrant', { granter: GOV, grantee: bob.text }),
        votingEnded(1, 'proposal_passed'),
      ],
    }),
    // The account of the newcomer exists by then; a second proposal takes the first grant back.
    aBlock(4, { txs: [aSend(alice.text, newcomer.text, 5n), proposes(2, [])] }),
    aBlock(5, {
      end: [
        ...aRefund(alice.text),
        aTypedEvent('cosmos.authz.v1beta1.EventRevoke', { granter: GOV, grantee: bob.text, msg_type_url: VOTE }),
        votingEnded(2, 'proposal_passed'),
      ],
    }),
  ])
  t.after(() => chain.close())
  assert.deepEqual(plain(await listGrants(chain.sql)), [
    { grantee: bob.hex, authorization: VOTE, height: 3, revoked: true, params: { Msg: VOTE }, ends: true },
    { grantee: newcomer.hex, authorization: VOTE, height: 3, revoked: false, params: { Msg: VOTE }, ends: true },
    {
      grantee: bob.hex,
      authorization: 'fee',
      height: 3,
      revoked: false,
      params: { Expiration: null, SpendLimit: [{ Amount: '7', Denom: 'utia' }] },
      ends: false,
    },
  ])
  assert.deepEqual(plain(await chain.sql`select * from proposal_grant`), [])
})

test('a proposal that fails, is rejected or never opens grants nothing', async (t) => {
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, {
      txs: [proposes(1, [aGrant(bob.text)]), proposes(2, [aGrant(bob.text)]), proposes(3, [aGrant(carol.text)], false)],
    }),
    aBlock(2, {
      end: [
        ...aRefund(alice.text),
        votingEnded(1, 'proposal_failed', 'passed, but msg 0 failed on execution'),
        ...aRefund(alice.text),
        votingEnded(2, 'proposal_rejected'),
        ...aRefund(alice.text),
        dropped(3),
      ],
    }),
  ])
  t.after(() => chain.close())
  assert.deepEqual(plain(await listGrants(chain.sql)), [])
  assert.deepEqual(plain(await chain.sql`select * from proposal_grant`), [])
  const seen = await chain.sql`select count(*)::int as n from address where address = ${Buffer.from(carol.hex, 'hex')}`
  assert.deepEqual(plain(seen), [{ n: 0 }])
})

test('an expedited proposal that is voted on again still grants when it passes', async (t) => {
  const proposal = aProposal({
    id: 1,
    from: alice.text,
    deposit: DEPOSIT,
    opens: true,
    expedited: true,
    messages: [aGrant(bob.text)],
  })
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { txs: [proposal] }),
    aBlock(2, { end: [votingEnded(1, 'expedited_proposal_rejected')] }),
    aBlock(3),
    aBlock(4, { end: [...aRefund(alice.text), votingEnded(1, 'proposal_passed')] }),
  ])
  t.after(() => chain.close())
  const grants = await listGrants(chain.sql)
  assert.deepEqual(
    grants.map(({ grantee, height }) => [grantee, height]),
    [[bob.hex, 4]],
  )
})

test('stake that the gov module moves by a passed proposal is its own', async (t) => {
  const chain = await indexAndReplay(genesis(), [
    aBlock(1, { txs: [aSend(alice.text, GOV, 3_000_000n), proposes(1, [])] }),
    aBlock(2, {
      end: [
        ...aRefund(alice.text),
        ...delegationEvents(GOV, one.operator, 2_000_000n),
        anEvent('redelegate', {
          source_validator: one.operator,
          destination_validator: two.operator,
          amount: '500000utia',
          completion_time: '2026-01-01T00:01:12Z',
        }),
        votingEnded(1, 'proposal_passed'),
      ],
      validatorUpdates: [
        { consAddress: one.consAddress, power: 11n },
        { consAddress: two.consAddress, power: 6n },
      ],
    }),
  ])
  t.after(() => chain.close())
  const held = await chain.sql`
    select v.moniker, d.amount from delegation d join validator v on v.id = d.validator_id join address a on a.id = d.address_id
    where a.name = 'gov' order by v.id`
  assert.deepEqual(plain(held), [
    { moniker: 'one', amount: '1500000' },
    { moniker: 'two', amount: '500000' },
  ])
})
