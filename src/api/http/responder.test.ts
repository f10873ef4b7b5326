import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Type } from 'typebox'
import { aBlob, aBlock, aGenesis, anAccount, anEvent, aPayForBlobs, aSend, CHAIN_ID } from '../../../test/builders.ts'
import { freshDatabase } from '../../../test/support/database.ts'
import { SCHEMA } from '../../../test/support/templates.ts'
import { deriveBlock } from '../../derive/block.ts'
import { deriveGenesis } from '../../derive/genesis.ts'
import { packBlock } from '../../store/pack/pack-block.ts'
import { Writer } from '../../store/write/writer.ts'
import type { ChainBlock } from '../../types/chain.ts'
import type { RouteGroup } from '../route.ts'
import { allRoutes } from '../routes/all.ts'
import { Limit, Offset } from '../schema/query.ts'
import type { ApiOptions } from '../server.ts'
import { openTestApi, type TestApi } from '../testing.ts'

const alice = anAccount('alice').text
const bob = anAccount('bob').text
const send = (amount: bigint) => aSend(alice, bob, amount)
const begin = (mark: string) => [anEvent('liveness', { mark })]

/** Tells how often it was asked, so that a kept answer can be told from a new one. */
function countingRoutes(): { group: RouteGroup; calls: () => number } {
  let calls = 0
  const group: RouteGroup = (app, ctx) => {
    const schema = (operationId: string) => ({
      operationId,
      summary: '',
      tags: [],
      querystring: Type.Object({ n: Type.Optional(Type.Integer()) }),
      response: { 200: Type.Unknown() },
    })
    app.get('/counted', { schema: schema('counted') }, () => ({ call: ++calls, height: ctx.head()?.last_height }))
    app.get('/slow', { schema: schema('slow') }, async () => {
      await ctx.db`select pg_sleep(0.05)`
      return ++calls
    })
    app.get('/moving', { schema: schema('moving') }, async () => {
      const seen = ctx.head()?.last_height
      // Another process commits a block before the second statement.
      if (++calls === 1) await onFirstCall?.()
      return { seen, stored: (await ctx.db<{ h: number }[]>`select last_height as h from head`)[0]!.h }
    })
    app.get('/chasing', { schema: schema('chasing') }, async () => {
      const [row] = await ctx.db<{ h: number }[]>`select last_height as h from head`
      await onEveryCall?.()
      return { stored: row!.h }
    })
    const paged = {
      ...schema('paged'),
      querystring: Type.Object({ limit: Limit, offset: Offset }),
      response: { 200: Type.Array(Type.Integer()) },
    }
    app.get('/paged', { schema: paged }, async ({ query: { limit, offset } }) => {
      await onEveryCall?.()
      return Array.from({ length: limit }, (_, i) => offset + i)
    })
  }
  return { group, calls: () => calls }
}
/** Hook behind the first statement of each try. */
let onEveryCall: (() => Promise<void>) | undefined
let onFirstCall: (() => Promise<void>) | undefined

describe('answers of a chain that moves', () => {
  let writer: Writer
  let url: string
  const commit = async (block: ChainBlock) => {
    await writer.commit([packBlock(deriveBlock(block))])
    await writer.settled()
  }
  const apis: TestApi[] = []
  const open = async (groups: RouteGroup[], options: ApiOptions = {}) => {
    const api = await openTestApi({ url, groups, ...options })
    apis.push(api)
    return api
  }

  before(async () => {
    url = await freshDatabase()
    writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, new AbortController().signal)
    const genesis = aGenesis({ balances: { [alice]: 1_000_000_000n } })
    await writer.commitGenesis(packBlock(deriveGenesis(genesis).facts), { chainId: CHAIN_ID, genesisHash: '00' })
    await commit(aBlock(1, { txs: [send(5n)], begin: begin('one') }))
  })
  after(async () => {
    for (const api of apis) await api.close()
    await writer.close()
  })

  test('an answer is kept for exactly one head', async () => {
    const { group, calls } = countingRoutes()
    const api = await open([...allRoutes, group])
    const first = await api.get('/v1/counted')
    for (const path of ['/v1/counted', '/v1/counted?x=1', '/v1/counted/?n=', '/v1/counted?N=']) {
      const again = await api.get(path)
      assert.equal(again.text, first.text, path)
      assert.equal(again.headers.etag, first.headers.etag)
    }
    assert.equal(calls(), 1)
    await api.get('/v1/counted?n=2')
    await api.get('/v1/counted?pretty')
    assert.equal(calls(), 3)

    const before = Number(first.headers['x-indexed-height'])
    await commit(aBlock(before + 1, { txs: [send(6n)] }))
    await api.watch.confirm()
    const next = await api.get('/v1/counted')
    assert.equal(calls(), 4)
    assert.equal(Number(next.headers['x-indexed-height']), before + 1)
    assert.notEqual(next.headers.etag, first.headers.etag)
    assert.equal((await api.get('/v1/tx/count')).text, `${before + 1}\n`)
  })

  test('a client that has the answer is told so', async () => {
    const api = await open(allRoutes)
    const { headers } = await api.get('/v1/block?limit=2')
    assert.equal(headers['cache-control'], 'no-cache')
    for (const tag of [headers.etag!, headers.etag!.slice(2), `"x", ${headers.etag}`, '*']) {
      const answer = await api.get('/v1/block?limit=2', { 'if-none-match': tag })
      assert.equal(answer.status, 304, tag)
      assert.equal(answer.text, '')
      assert.equal(answer.headers.etag, headers.etag)
    }
    assert.equal((await api.get('/v1/block?limit=2', { 'if-none-match': '"x"' })).status, 200)
  })

  test('equal requests at once are answered by one query', async () => {
    const { group, calls } = countingRoutes()
    const api = await open([group])
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.get('/v1/slow')))
    assert.deepEqual(new Set(answers.map(({ text }) => text)), new Set(['1\n']))
    assert.equal(calls(), 1)
  })

  test('an answer never mixes two heads', async () => {
    const { group } = countingRoutes()
    const api = await open([group])
    const height = api.watch.head!.last_height
    onFirstCall = () => commit(aBlock(height + 1, { txs: [send(7n)] }))
    const answer = await api.get('/v1/moving')
    onFirstCall = undefined
    assert.deepEqual(answer.json(), { seen: height + 1, stored: height + 1 })
    assert.equal(answer.headers['x-indexed-height'], String(height + 1))
  })

  test('an answer that a running head outpaces claims no height that it was not read at', async () => {
    const { group } = countingRoutes()
    const api = await open([group])
    let next = api.watch.head!.last_height + 1
    onEveryCall = () => commit(aBlock(next++))
    const answer = await api.get('/v1/chasing')
    const { stored } = answer.json() as { stored: number }
    assert.equal(answer.headers['x-indexed-height'], String(stored))
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.ok(stored < api.watch.head!.last_height)
    onEveryCall = undefined
  })

  test('an answer read across a fork is read again until it is of one branch', async () => {
    const { group } = countingRoutes()
    const api = await open([group])
    const height = api.watch.head!.last_height
    let forks = 0
    onEveryCall = async () => {
      if (++forks > 4) return
      await writer.revertTo(height - 1)
      await commit(aBlock(height, { branch: `fork ${forks}`, parentHash: '' }))
    }
    const answer = await api.get('/v1/chasing')
    onEveryCall = undefined
    assert.deepEqual([answer.status, answer.headers['x-indexed-height'], forks], [200, String(height), 5])
  })

  test('a fork breaks off a list that is being sent: rows of the other branch may have left', async () => {
    const { group } = countingRoutes()
    const api = await open([group])
    const height = api.watch.head!.last_height
    let pages = 0
    onEveryCall = async () => {
      if (++pages !== 3) return
      await writer.revertTo(height - 1)
      await commit(aBlock(height, { branch: 'while a list is sent', parentHash: '' }))
    }
    // Nothing has left yet, so that there is a status to tell it by.
    const broken = await api.get('/v1/paged?limit=1000', { accept: 'application/x-ndjson' })
    assert.deepEqual([broken.status, (broken.json() as { code: string }).code], [503, 'chain_reorganising'])
    pages = 5
    const { text } = await api.get('/v1/paged?limit=1000', { accept: 'application/x-ndjson' })
    onEveryCall = undefined
    assert.equal(text.split('\n').length, 1001)
  })

  test('nothing of a block that was taken back is served again', async () => {
    const api = await open(allRoutes)
    const height = api.watch.head!.last_height + 1
    const blob = aBlob('fork', 'first branch')
    await commit(aBlock(height, { begin: begin('old'), txs: [aPayForBlobs(alice, [blob])] }))
    await api.watch.confirm()
    const paths = ['/events', '/stats', '', '/blobs', '/ods', '/blobs/count'].map((part) => `/v1/block/${height}${part}`)
    const old = await Promise.all(paths.map((path) => api.get(path)))
    assert.match(old[0]!.text, /"mark":"old"/)

    await writer.revertTo(height - 1)
    await commit(aBlock(height, { begin: begin('new'), branch: 'other', parentHash: '', txs: [send(8n), send(9n)] }))
    await api.watch.confirm()
    for (const [i, path] of paths.entries()) assert.notEqual((await api.get(path)).text, old[i]!.text, path)
    assert.match((await api.get(paths[0]!)).text, /"mark":"new"/)
  })

  test('closed things outlive the head, but only deep ones leave the process as immutable', async () => {
    const api = await open(allRoutes)
    const first = await api.get('/v1/block/1/events')
    assert.equal(first.headers['cache-control'], 'no-cache')
    for (let i = 0; i < 100; i++) await commit(aBlock(api.watch.head!.last_height + 1 + i))
    await api.watch.confirm()
    const fresh = await open(allRoutes)
    assert.match((await fresh.get('/v1/block/1/events')).headers['cache-control']!, /max-age=86400, immutable/)
    const last = fresh.watch.head!.last_height
    assert.equal((await fresh.get(`/v1/block/${last}/stats`)).headers['cache-control'], 'no-cache')
    assert.equal((await fresh.get('/v1/block/999999/events')).headers['cache-control'], 'no-cache')
    const cautious = await open(allRoutes, { rollbackDepth: 1000 })
    assert.equal((await cautious.get('/v1/block/1/events')).headers['cache-control'], 'no-cache')
  })
})

describe('before the first block', () => {
  let api: TestApi
  before(async () => {
    api = await openTestApi({ url: await freshDatabase() })
  })
  after(() => api.close())

  test('counters are 204 and lists are empty', async () => {
    for (const path of ['/v1/head', '/v1/block/count', '/v1/tx/count', '/v1/constants', '/v1/gas/estimate_for_pfb?sizes=1'])
      assert.equal((await api.get(path)).status, 204, path)
    for (const path of ['/v1/block', '/v1/tx', '/v1/blob', '/v1/namespace', '/v1/search?query=1'])
      assert.equal((await api.get(path)).text, '[]\n', path)
    assert.deepEqual((await api.get('/v1/gas/price')).json(), { slow: '0', median: '0', fast: '0' })
  })
})
