import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { serverUrl } from '../../../test/support/database.ts'
import { DEVNET, databaseUrl, SCHEMA } from '../../../test/support/templates.ts'
import { MESSAGE_TYPES, messageTypeId } from '../../types/message-type.ts'
import { type Db, openReader } from '../db.ts'
import type { Fragment } from '../sql/fragment.ts'
import { pageOfAddressMessages } from './address/activity.ts'
import { pageOfBlobs } from './blob.ts'
import { pageOfRollupBlobs } from './rollup/blob.ts'
import { pageOfTxs } from './tx/tx.ts'

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] }

/** Plan nodes that read everything before they give the first row. */
const COLLECTORS = ['Sort', 'Incremental Sort', 'Aggregate', 'Hash', 'Hash Join', 'Seq Scan', 'Materialize']

describe('a page of a list is cut from indexes, however much the owner has', () => {
  let db: Db
  before(async () => {
    db = openReader({ url: databaseUrl(serverUrl, DEVNET), schema: SCHEMA, max: 1 })
    // On a short chain it is cheaper to sort: it only does what it is told not to when there is no other way.
    for (const way of ['sort', 'seqscan', 'bitmapscan', 'hashagg', 'hashjoin']) await db.unsafe(`set enable_${way} to off`)
  })
  after(() => db.end())

  const explain = async (statement: Fragment): Promise<Plan> => {
    const [row] = await db<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>`explain (format json) ${statement}`
    return row!['QUERY PLAN'][0].Plan
  }
  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
  const check = (plan: Plan, what: unknown) => {
    const found = nodesOf(plan).map((node) => node['Node Type'])
    assert.ok(found.some((type) => type.startsWith('Index')))
    assert.deepEqual(
      found.filter((type) => COLLECTORS.includes(type)),
      [],
      JSON.stringify(what),
    )
  }
  const page = { limit: 10, offset: 1000 }

  test('blobs of namespaces, signers, both and rollups, by time and by size', async () => {
    const owners: { namespaceIds?: number[]; signerIds?: number[] }[] = [
      {},
      { signerIds: [3] },
      { signerIds: [3, 4, 5] },
      { namespaceIds: [1] },
      { namespaceIds: [1, 2] },
    ]
    const pairs = { namespaceIds: [1, 2], signerIds: [3, 4] }
    for (const sort of ['asc', 'desc'] as const) {
      check(await explain(pageOfBlobs(db, { ...page, ...pairs, sort })), pairs)
      for (const sort_by of ['time', 'size'] as const) {
        for (const owner of owners)
          check(await explain(pageOfBlobs(db, { ...page, ...owner, sort, sort_by })), { owner, sort_by })
        check(await explain(pageOfRollupBlobs(db, { ...page, sort, sort_by, id: 1 })), { rollup: 1, sort_by })
      }
    }
  })

  test('txs of one or several message types and of a status', async () => {
    const types = ['MsgPayForBlobs', 'MsgSend', 'MsgDelegate'].map((name) => messageTypeId(name)!)
    for (const sort of ['asc', 'desc'] as const)
      for (const wanted of [types, types.slice(1)])
        for (const status of [undefined, ['success'], ['failed']] as ('success' | 'failed')[][]) {
          const filter = { ...page, sort, types: wanted, status }
          check(await explain(pageOfTxs(db, filter)), filter)
        }
  })

  test('txs of a wanted type that is excluded, found among those of several types', async () => {
    const blobs = messageTypeId('MsgPayForBlobs')!
    const otherTypes = MESSAGE_TYPES.map((_, id) => id).filter((id) => id !== blobs)
    for (const sort of ['asc', 'desc'] as const)
      for (const types of [[blobs], [blobs, messageTypeId('MsgSend')!]])
        for (const status of [undefined, ['success']] as ['success'][]) {
          const filter = { ...page, sort, types, otherTypes, status }
          const cut = await explain(pageOfTxs(db, filter))
          check(cut, filter)
          const ofTxs = nodesOf(cut).filter((node) => node['Relation Name'] === 'tx')
          assert.ok(ofTxs.some((node) => node['Index Name'] === 'tx_mixed_idx'))
          assert.ok(ofTxs.every((node) => ['tx_mixed_idx', 'tx_failed_id_idx'].includes(node['Index Name']!)))
        }
  })

  test('blobs of a long period by size, without a look at the rows that are skipped', async () => {
    for (const sort of ['asc', 'desc'] as const)
      for (const period of [{ to: 4e9 }, { from: 1 }, { from: 1, to: 4e9 }]) {
        const plan = await explain(pageOfBlobs(db, { ...page, ...period, sort, sort_by: 'size' }))
        const read = nodesOf(plan).filter((node) => node['Relation Name'] === 'blob')
        assert.deepEqual(
          read.map((node) => [node['Node Type'], node['Index Name']]),
          [['Index Only Scan', 'blob_size_idx']],
          JSON.stringify(period),
        )
        assert.ok(nodesOf(plan).every((node) => node['Node Type'] !== 'Sort'))
      }
  })

  test('blobs of a short and of a long period by size are the same', async () => {
    const [span] = await db<{ middle: number }[]>`select avg(extract(epoch from time))::bigint as middle from blob`
    for (const owner of [{}, { namespaceIds: [1] }, { namespaceIds: [1, 2], signerIds: [16, 17, 18] }])
      for (const period of [{ from: span!.middle }, { to: span!.middle }, { from: span!.middle - 60, to: span!.middle + 60 }]) {
        const filter = { limit: 100, offset: 7, sort: 'desc', sort_by: 'size', ...owner, ...period } as const
        const rows = await db`${pageOfBlobs(db, { ...filter, shortPeriod: true })}`
        assert.ok(rows.length > 0)
        assert.deepEqual([...rows], [...(await db`${pageOfBlobs(db, { ...filter, shortPeriod: false })}`)])
      }
  })

  test('messages of an account and of some types, without a look at the messages that are skipped', async () => {
    const types = ['MsgSend', 'MsgVote'].map((name) => messageTypeId(name)!)
    for (const sort of ['asc', 'desc'] as const) {
      const plan = await explain(pageOfAddressMessages(db, { ...page, sort, types }, db`3`))
      check(plan, sort)
      const read = nodesOf(plan).filter((node) => node['Relation Name'] !== undefined)
      assert.deepEqual(
        read.map((node) => [node['Node Type'], node['Relation Name']]),
        [['Index Only Scan', 'message_address']],
      )
    }
  })
})
