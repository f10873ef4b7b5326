import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi } from '../testing.ts'

type Row = { id: number; height: number; position: number; type: string; hash: string }

describe('blocks of the recorded chain', () => {
  let api: TestApi
  before(async () => {
    api = await openTestApi()
  })
  after(() => api.close())
  const list = async (path: string): Promise<Row[]> => (await api.get(path)).json()
  const heights = async (path: string) => (await list(path)).map(({ height }) => height)

  test('blocks come by height, and a cursor continues behind the last one', async () => {
    assert.deepEqual(await heights('/v1/block?limit=3'), [0, 1, 2])
    assert.deepEqual(await heights('/v1/block?limit=3&offset=400'), [400, 401, 402])
    assert.deepEqual(await heights('/v1/block?limit=3&sort=desc&offset=402'), [1, 0])
    assert.deepEqual(await heights('/v1/block?limit=2&cursor=3&offset=50'), [3, 4])
    assert.deepEqual(await heights('/v1/block?limit=2&cursor=3&sort=desc'), [1, 0])
    assert.deepEqual(await heights('/v1/block?offset=404'), [])
    assert.equal((await api.get('/v1/block/count')).text, '404\n')
  })

  test('the link of a full page leads to the next one, to the end', async () => {
    let path: string | undefined = '/v1/block?limit=100&sort=desc&stats=1'
    const seen: number[] = []
    for (let pages = 0; path; pages++) {
      assert.ok(pages < 6)
      const answer = await api.get(path)
      seen.push(...(answer.json() as Row[]).map(({ height }) => height))
      path = answer.headers.link?.match(/^<(.+)>; rel="next"$/)?.[1]
      if (path) assert.match(path, /sort=desc&stats=1&cursor=\d+$/)
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 404 }, (_, i) => 403 - i),
    )
  })

  test('the proposer comes with the statistics in the list, and always in a block', async () => {
    for (const [path, keys] of Object.entries({
      '/v1/block?offset=20&limit=1': [false, false],
      '/v1/block?offset=20&limit=1&stats=true': [true, true],
    })) {
      const [block] = await list(path)
      assert.deepEqual(['proposer' in block!, 'stats' in block!], keys, path)
    }
    const block = (await api.get('/v1/block/20')).json() as Row
    assert.deepEqual(['proposer' in block, 'stats' in block], [true, false])
    const genesis = (await api.get('/v1/block/0?stats=t')).json() as Row
    assert.deepEqual(['proposer' in genesis, 'stats' in genesis], [false, true])
  })

  test('an unknown height is 204 for a thing and an empty list for lists', async () => {
    for (const part of ['', '/stats', '/blobs/count', '/ods']) {
      assert.equal((await api.get(`/v1/block/404${part}`)).status, 204, part)
      assert.equal((await api.get(`/v1/block/9223372036854775807${part}`)).status, 204, part)
    }
    for (const part of ['/events', '/messages', '/blobs']) assert.deepEqual(await list(`/v1/block/404${part}`), [], part)
    assert.equal((await api.get('/v1/block/0/messages')).status, 400)
    assert.equal((await api.get('/v1/block/0/events')).status, 200)
  })

  test('events are paged inside their packed value', async () => {
    const all = await list('/v1/block/20/events?limit=100')
    assert.equal(all.length, 17)
    assert.deepEqual(await list('/v1/block/20/events?limit=5&offset=10'), all.slice(10, 15))
    assert.deepEqual(await list(`/v1/block/20/events?limit=5&cursor=${all[9]!.id}`), all.slice(10, 15))
    assert.deepEqual(await list('/v1/block/20/events?offset=17'), [])
    assert.deepEqual(
      all.map(({ position }) => position),
      all.map((_, i) => i),
    )
    const hashes = (await list('/v1/tx?height=20')).map(({ hash }) => hash)
    const ofTxs = (await Promise.all(hashes.map((hash) => list(`/v1/tx/${hash}/events?limit=100`)))).flat()
    const ids = [...all, ...ofTxs].map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
  })

  test('messages of a block are filtered by type, one by one', async () => {
    const all = await list('/v1/block/25/messages?limit=100')
    const types = (rows: Row[]) => new Set(rows.map(({ type }) => type))
    const only = await list('/v1/block/25/messages?limit=100&msg_type=MsgPayForBlobs')
    const others = await list('/v1/block/25/messages?limit=100&excluded_msg_type=MsgPayForBlobs')
    assert.deepEqual(types(only), new Set(['MsgPayForBlobs']))
    assert.ok(others.length > 0 && !types(others).has('MsgPayForBlobs'))
    assert.deepEqual([...only, ...others].map(({ id }) => id).sort(), all.map(({ id }) => id).sort())
    assert.deepEqual(await list('/v1/block/25/messages?msg_type=MsgSend&excluded_msg_type=MsgSend'), [])
  })

  test('the square of a block without txs is one share of tail padding', async () => {
    assert.deepEqual((await api.get('/v1/block/403/ods')).json(), {
      width: 1,
      items: [{ from: [0, 0], to: [0, 0], namespace: '//////////////////////////////////////4=', type: 'tail_padding' }],
    })
  })
})
