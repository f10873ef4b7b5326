import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi } from '../testing.ts'

type Tx = {
  id: number
  height: number
  hash: string
  status: string
  messages_count: number
  message_types: string[]
  time: string
  messages: { type: string }[]
}

describe('transactions of the recorded chain', () => {
  let api: TestApi
  let all: Tx[]
  const list = async (path: string): Promise<Tx[]> => (await api.get(path)).json()
  const ids = (rows: Tx[]) => rows.map(({ id }) => id)
  before(async () => {
    api = await openTestApi()
    all = []
    for (let path: string | undefined = '/v1/tx?limit=100'; path; ) {
      const answer = await api.get(path)
      all.push(...(answer.json() as Tx[]))
      path = answer.headers.link?.match(/<(.+)>/)?.[1]
    }
  })
  after(() => api.close())

  test('a genesis tx has no hash and is found by its id, with all that hangs on it', async () => {
    const genesis = await list('/v1/tx/genesis')
    assert.ok(genesis.length > 0 && genesis.every(({ hash }) => hash === ''))
    for (const { id } of genesis) {
      const { signers, ...tx } = (await api.get(`/v1/tx/${id}`)).json() as Tx & { signers: unknown[] }
      assert.deepEqual([tx.id, tx.height, signers.length], [id, 0, 1])
      assert.deepEqual(
        (await list(`/v1/tx/${id}/messages`)).map((row) => (row as unknown as { type: string }).type),
        tx.message_types,
      )
      assert.deepEqual(await list(`/v1/tx/${id}/events`), [])
      assert.equal((await api.get(`/v1/tx/${id}/blobs/count`)).text, '0\n')
    }
    const last = all.at(-1)!
    assert.equal((await api.get(`/v1/tx/${last.id}`)).text, (await api.get(`/v1/tx/${last.hash}`)).text)
    for (const id of [genesis.length + 1, 999_999_999_999_999])
      assert.equal((await api.get(`/v1/tx/${id}`)).status, 204, String(id))
    for (const text of ['0', '-1', '1e3', '9999999999999999', 'zz'])
      assert.equal((await api.get(`/v1/tx/${text}`)).status, 400, text)
  })

  test('the cursor walks over every tx once, in order', async () => {
    assert.equal(`${all.length}\n`, (await api.get('/v1/tx/count')).text)
    assert.deepEqual(
      ids(all),
      [...new Set(ids(all))].sort((a, b) => a - b),
    )
    assert.deepEqual(ids(await list('/v1/tx?limit=5&sort=desc')), ids(all.slice(-5).reverse()))
    assert.deepEqual(ids(await list(`/v1/tx?limit=5&sort=desc&cursor=${all[50]!.id}&offset=9`)), ids(all.slice(45, 50).reverse()))
    assert.deepEqual(ids(await list('/v1/tx?limit=5&offset=3000')), ids(all.slice(3000, 3005)))
  })

  /** Filters against the same filters done by hand over all txs. */
  const filters: [string, (tx: Tx) => boolean][] = [
    ['status=failed', ({ status }) => status === 'failed'],
    ['status=success', ({ status }) => status === 'success'],
    ['status=success,failed', () => true],
    ['msg_type=MsgDelegate', ({ message_types: t }) => t.includes('MsgDelegate')],
    ['msg_type=MsgDelegate,MsgSend', ({ message_types: t }) => t.includes('MsgDelegate') || t.includes('MsgSend')],
    ['msg_type=MsgSend&status=failed', ({ message_types: t, status }) => t.includes('MsgSend') && status === 'failed'],
    [
      'msg_type=MsgSend,MsgVote&status=success',
      ({ message_types: t, status }) => status === 'success' && t.some((x) => /Send$|Vote$/.test(x)),
    ],
    ['excluded_msg_type=MsgPayForBlobs', ({ message_types: t }) => t.some((x) => x !== 'MsgPayForBlobs')],
    [
      'excluded_msg_type=MsgPayForBlobs,MsgSend&status=failed',
      ({ message_types: t, status }) => status === 'failed' && t.some((x) => x !== 'MsgPayForBlobs' && x !== 'MsgSend'),
    ],
    [
      'msg_type=MsgSend&excluded_msg_type=MsgSend',
      ({ message_types: t }) => t.includes('MsgSend') && t.some((x) => x !== 'MsgSend'),
    ],
    ['msg_type=MsgVerifyInvariant', () => false],
    ['height=25', ({ height }) => height === 25],
    [
      'height=25&msg_type=MsgSend&status=failed',
      ({ height, message_types: t, status }) => height === 25 && t.includes('MsgSend') && status === 'failed',
    ],
    ['height=0', ({ height }) => height === 0],
    ['height=99999', () => false],
  ]
  test('filters are OR inside and AND between, in both directions and by cursor', async () => {
    for (const [query, holds] of filters) {
      const wanted = all.filter(holds)
      assert.deepEqual(ids(await list(`/v1/tx?limit=20&${query}`)), ids(wanted.slice(0, 20)), query)
      assert.deepEqual(ids(await list(`/v1/tx?limit=3&sort=desc&${query}`)), ids(wanted.slice(-3).reverse()), query)
      assert.deepEqual(ids(await list(`/v1/tx?limit=4&offset=2&${query}`)), ids(wanted.slice(2, 6)), query)
      if (wanted.length > 3)
        assert.deepEqual(ids(await list(`/v1/tx?limit=4&cursor=${wanted[2]!.id}&${query}`)), ids(wanted.slice(3, 7)), query)
    }
  })

  test('a period includes its start and not its end', async () => {
    const seconds = (tx: Tx) => Date.parse(tx.time) / 1000
    const from = Math.ceil(seconds(all[500]!))
    const to = Math.ceil(seconds(all[900]!))
    const within = all.filter((tx) => seconds(tx) >= from && seconds(tx) < to)
    assert.ok(within.length > 100)
    for (const query of ['', '&msg_type=MsgSend', '&status=failed']) {
      const holds = filters.find(([text]) => `&${text}` === query)?.[1]
      const wanted =
        query === '&msg_type=MsgSend'
          ? within.filter((tx) => tx.message_types.includes('MsgSend'))
          : holds
            ? within.filter(holds)
            : within
      assert.deepEqual(ids(await list(`/v1/tx?limit=100&from=${from}&to=${to}${query}`)), ids(wanted.slice(0, 100)), query)
    }
    assert.deepEqual(await list(`/v1/tx?from=${to}&to=${from}`), [])
    assert.deepEqual(await list('/v1/tx?from=9007199254740993'), [])
  })

  test('messages stand inside their tx when asked for', async () => {
    const rows = await list('/v1/tx?limit=30&offset=100&messages=true')
    for (const { messages, message_types } of rows) {
      assert.deepEqual([...new Set(messages.map(({ type }) => type))].sort(), [...message_types].sort())
      for (const message of messages) assert.ok(!('tx' in message))
    }
    assert.ok(!('messages' in (await list('/v1/tx?limit=1'))[0]!))
  })

  test('messages of a tx come page by page; behind the last one the page is empty, not unknown', async () => {
    const { hash } = all.find(({ messages_count }) => messages_count > 1)!
    const messages = await list(`/v1/tx/${hash}/messages`)
    assert.ok(messages.length > 1)
    assert.deepEqual(await list(`/v1/tx/${hash}/messages?limit=1`), messages.slice(0, 1))
    assert.deepEqual(await list(`/v1/tx/${hash}/messages?offset=1`), messages.slice(1))
    assert.deepEqual(await list(`/v1/tx/${hash}/messages?cursor=${messages[0]!.id}`), messages.slice(1))
    assert.deepEqual(await list(`/v1/tx/${hash}/messages?offset=100`), [])
  })

  test('a hash is taken in any case and encoding, and an unknown one is 204', async () => {
    const { hash } = all[1000]!
    const bytes = Buffer.from(hash, 'hex')
    const first = await api.get(`/v1/tx/${hash}`)
    for (const text of [
      hash.toUpperCase(),
      `0x${hash}`,
      bytes.toString('base64url'),
      encodeURIComponent(bytes.toString('base64')),
    ])
      assert.equal((await api.get(`/v1/tx/${text}`)).text, first.text, text)
    for (const part of ['', '/events', '/messages', '/blobs', '/blobs/count'])
      assert.equal((await api.get(`/v1/tx/${'0'.repeat(64)}${part}`)).status, 204, part)
    for (const bad of ['zz', `0x${'0'.repeat(62)}`, '0'.repeat(63), '0'.repeat(66)])
      assert.equal((await api.get(`/v1/tx/${bad}`)).status, 400, bad)
  })

  test('genesis txs have no hash and are found by their list', async () => {
    const rows = await list('/v1/tx/genesis')
    assert.equal(rows.length, 3)
    for (const { hash, height } of rows) assert.deepEqual([hash, height], ['', 0])
    assert.deepEqual(ids(await list('/v1/tx/genesis?sort=desc&limit=2')), ids(rows).reverse().slice(0, 2))
  })

  test('a tx counts and lists the blobs it paid for', async () => {
    const paid = all.find(({ message_types, status }) => message_types.includes('MsgPayForBlobs') && status === 'success')!
    const count = Number((await api.get(`/v1/tx/${paid.hash}/blobs/count`)).text)
    const rows = (await api.get(`/v1/tx/${paid.hash}/blobs?limit=100`)).json() as { tx: Tx; size: number }[]
    assert.equal(rows.length, count)
    assert.ok(count > 0)
    for (const { tx } of rows) assert.equal(tx.hash, paid.hash)
    const sizes = ((await api.get(`/v1/tx/${paid.hash}/blobs?sort_by=size&sort=asc`)).json() as { size: number }[]).map(
      ({ size }) => size,
    )
    assert.deepEqual(
      sizes,
      [...sizes].sort((a, b) => a - b),
    )
  })
})
