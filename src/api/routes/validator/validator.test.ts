import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { devnetUrl } from '../../../../test/support/database.ts'
import { type ServedChain, serveChain } from '../../../../test/support/served-chain.ts'

describe('validators of the recorded chain', () => {
  let api: ServedChain
  const ids = new Map<string, number>()
  const path = (moniker: string, rest = '') => `/validators/${ids.get(moniker)}${rest}`
  before(async () => {
    api = await serveChain(devnetUrl)
    for (const row of await api.list('/validators')) ids.set(String(row.moniker), Number(row.id))
  })
  after(() => api.close())

  test('the list is by stake with the jailed one last, and can be narrowed', async () => {
    assert.deepEqual([...ids.keys()], ['observatory-2', 'observatory-one', 'observatory-0', 'late-comer'])
    const monikers = async (query: string) => (await api.list(`/validators?${query}`)).map((row) => row.moniker)
    assert.deepEqual(await monikers('jailed=true'), ['late-comer'])
    assert.deepEqual(await monikers('jailed=false'), ['observatory-2', 'observatory-one', 'observatory-0'])
    assert.deepEqual(await monikers('version=10'), ['observatory-0'])
    assert.deepEqual(await monikers('version=0&limit=1&offset=2'), ['late-comer'])
  })

  test('the count is by state', async () => {
    assert.deepEqual((await api.get('/validators/count')).body, { total: 4, jailed: 1, active: 3, inactive: 0 })
  })

  test('rewards and commissions are whole, rates lose their zeros, the power is in whole TIA', async () => {
    const { body } = await api.get<Record<string, string>>(path('observatory-one'))
    assert.deepEqual(
      [body.rate, body.rewards, body.commissions, body.stake, body.voting_power],
      ['0.15', '108330085', '16249512', '5915000000000', '5915000'],
    )
  })

  test('a missed block stands in the signatures of the next one', async () => {
    const { body } = await api.get<{ uptime: string; blocks: { height: number; signed: boolean }[] }>(
      path('observatory-one', '/uptime?limit=20'),
    )
    assert.equal(body.uptime, '0.9500')
    assert.deepEqual(body.blocks[0], { height: 402, signed: true })
    assert.deepEqual(
      body.blocks.filter((block) => !block.signed),
      [{ height: 396, signed: false }],
    )
  })

  test('the missed blocks of all validators are those of each', async () => {
    const { body } = await api.get<{ last_height: number; blocks: number; validators: { id: number; missed: number[] }[] }>(
      '/validators/uptime?limit=100',
    )
    assert.deepEqual([body.last_height, body.blocks, body.validators.length], [402, 100, 4])
    for (const { id, missed } of body.validators) {
      const own = await api.get<{ blocks: { height: number; signed: boolean }[] }>(`/validators/${id}/uptime?limit=100`)
      assert.deepEqual(
        missed,
        own.body.blocks.filter((block) => !block.signed).map(({ height }) => height),
      )
    }
  })

  test('of one validator 1,000 blocks are told at once, of all of them 100', async () => {
    type Told = { blocks: number; validators: { id: number; missed: number[] }[] }
    const { body: all } = await api.get<Told>('/validators/uptime?limit=1000')
    assert.equal(all.blocks, 100)
    let older = 0
    for (const { id, missed: recent } of all.validators) {
      const { body: one } = await api.get<Told>(`/validators/uptime?limit=1000&validator=${id}`)
      assert.deepEqual([one.blocks, one.validators.map((validator) => validator.id)], [402, [id]])
      const { missed } = one.validators[0]!
      assert.deepEqual(missed.slice(0, recent.length), recent)
      older += missed.length - recent.length
    }
    assert.ok(older > 0, 'signatures that were missed earlier are told too')
    assert.deepEqual((await api.get<Told>('/validators/uptime?limit=5&validator=999')).body.validators, [])
  })

  test('proposed blocks come with statistics and without proposer, newest first', async () => {
    const rows = await api.list(path('observatory-2', '/blocks?limit=30'))
    assert.ok(
      rows.every(
        (row, i) => 'stats' in row && !('proposer' in row) && (i === 0 || Number(row.height) < Number(rows[i - 1]!.height)),
      ),
    )
    assert.deepEqual(await api.list(path('observatory-2', `/blocks?limit=5&cursor=${rows[9]!.id}`)), rows.slice(10, 15))
    for (const beyond of [2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER])
      assert.deepEqual(await api.list(path('observatory-2', `/blocks?limit=30&cursor=${beyond}`)), rows)
  })

  test('messages name the validator anywhere and do not lead to their tx', async () => {
    const rows = await api.list(path('observatory-one', '/messages?limit=100'))
    assert.ok(rows.some((row) => row.type === 'MsgCreateValidator' && row.height === 0))
    assert.ok(rows.some((row) => row.type === 'MsgDelegate'))
    assert.ok(rows.every((row) => !('tx' in row) && !('tx_id' in row)))
    const { body } = await api.get<{ messages_count: number }>(path('observatory-one'))
    assert.equal(rows.length, body.messages_count)
    assert.deepEqual(await api.list(path('observatory-one', '/messages?limit=100&sort=desc')), rows.toReversed())
  })

  test('jailings that burned nothing are listed', async () => {
    const rows = await api.list(path('late-comer', '/jails'))
    assert.ok(rows.length > 0)
    assert.ok(rows.every((row) => row.reason === 'missing_signature'))
  })

  test('delegators are by amount', async () => {
    const rows = await api.list(path('observatory-one', '/delegators'))
    assert.deepEqual(
      rows.map((row) => row.amount),
      ['5700000000000', '170000000000', '45000000000'],
    )
  })

  test('an unknown validator is 204, and did nothing', async () => {
    assert.equal((await api.get('/validators/999')).status, 204)
    for (const name of ['blocks', 'delegators', 'jails', 'votes', 'messages'])
      assert.deepEqual(await api.list(`/validators/999/${name}`), [])
    assert.deepEqual((await api.get('/validators/999/uptime?limit=2')).body, {
      uptime: '0.0000',
      blocks: [
        { height: 402, signed: false },
        { height: 401, signed: false },
      ],
    })
  })
})
