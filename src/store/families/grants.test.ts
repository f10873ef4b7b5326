import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { account, StateBench, timeOf } from '../../../test/state-bench.ts'
import type { Effect } from '../../types/effects.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import { Wanted } from '../state/loader.ts'
import { createGrantsFamily } from './grants.ts'

const VOTE = '/cosmos.gov.v1.MsgVote'
const grant = (granter: string, grantee: string, expiration: string | null = null, authorization = VOTE): Effect => ({
  kind: 'grant',
  granter,
  grantee,
  authorization,
  expiration,
  params: { Msg: authorization },
  tx: 0,
  message: 0,
})
const revoke = (granter: string, grantee: string): Effect => ({ kind: 'revoke', granter, grantee, authorization: VOTE })

test('grants are numbered within their block', () => {
  const bench = new StateBench(createGrantsFamily)
  bench.play(5, [grant(account(1), account(2)), grant(account(1), account(3)), grant(account(1), account(2), null, 'fee')])
  assert.deepEqual(
    [...bench.state.grant.all()].map((row) => [row.id - 5 * 2 ** 24, row.granter_id, row.grantee_id, row.authorization]),
    [
      [0, 1, 2, VOTE],
      [1, 1, 3, VOTE],
      [2, 1, 2, 'fee'],
    ],
  )
})

test('a revoked grant stays, with the height of its end', () => {
  const bench = new StateBench(createGrantsFamily)
  bench.play(5, [grant(account(1), account(2))])
  bench.play(8, [revoke(account(1), account(2))])
  // The message and the event of one revocation may both be told.
  bench.play(9, [revoke(account(1), account(2))])
  const row = bench.state.grant.get(1, 2, VOTE)!
  assert.deepEqual([row.revoked, row.revoke_height, row.height], [true, 8, 5])
})

test('granting again gives the same row new terms', () => {
  const bench = new StateBench(createGrantsFamily)
  bench.play(5, [grant(account(1), account(2))])
  bench.play(6, [revoke(account(1), account(2))])
  bench.play(7, [grant(account(1), account(2), timeOf(100))])
  const row = bench.state.grant.get(1, 2, VOTE)!
  assert.deepEqual(
    [row.id, row.revoked, row.revoke_height, row.height, row.expiration],
    [5 * 2 ** 24, false, null, 7, timeOf(100)],
  )
})

test('a known account may grant to one that the same batch brings to life', () => {
  const bench = new StateBench(createGrantsFamily)
  bench.accountId(account(1))
  bench.play(5, [grant(account(1), account(2))])
  assert.equal(bench.state.grant.get(1, 2, VOTE)!.revoked, false)
})

test('revoking what was never granted changes nothing', () => {
  const bench = new StateBench(createGrantsFamily)
  bench.play(5, [revoke(account(1), account(2))])
  assert.equal(bench.state.grant.get(1, 2, VOTE), undefined)
})

test('rows are asked for only when both accounts are known', async () => {
  const bench = new StateBench(createGrantsFamily)
  const ids = new Map([
    [account(1), 11],
    [account(2), 12],
  ])
  const asked: unknown[] = []
  const client = {
    query: async ({ values }: { values: unknown[] }) => {
      asked.push(...values)
      return { rows: [] }
    },
  } as unknown as pg.ClientBase
  const want = new Wanted()
  const block = {
    effects: [grant(account(1), account(2)), revoke(account(1), account(9)), grant(account(9), account(2))],
  } as PackedBlock
  bench.families[0]!.prepare!(block, want, (address) => ids.get(address))
  await want.load(client)
  assert.deepEqual(asked, [['11'], ['12'], [VOTE]])
})

test('a grant without parameters is kept with none', () => {
  const bench = new StateBench(createGrantsFamily)
  bench.play(5, [{ ...grant(account(1), account(2)), params: null } as Effect])
  assert.deepEqual(bench.state.grant.get(1, 2, VOTE)!.params, {})
})
