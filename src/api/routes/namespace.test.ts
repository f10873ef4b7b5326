import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestApi, type TestApi } from '../testing.ts'
import { toNamespaceName } from '../view/namespace.ts'

type Namespace = {
  id: number
  namespace_id: string
  version: number
  hash: string
  name: string
  size: number
  pfb_count: number
  blobs_count: number
}

describe('namespaces of the recorded chain', () => {
  let api: TestApi
  let all: Namespace[]
  const read = async <T = Namespace[]>(path: string): Promise<T> => (await api.get(path)).json()
  before(async () => {
    api = await openTestApi()
    all = await read('/v1/namespace?limit=100&sort=asc')
  })
  after(() => api.close())

  test('every order can be paged by cursor', async () => {
    for (const key of ['', 'time', 'pfb_count', 'size'])
      for (const sort of ['asc', 'desc']) {
        const query = `sort=${sort}${key && `&sort_by=${key}`}`
        const whole = await read(`/v1/namespace?limit=100&${query}`)
        assert.equal(whole.length, api.watch.head!.total_namespaces)
        const parts: Namespace[] = []
        for (let path: string | undefined = `/v1/namespace?limit=3&${query}`; path; ) {
          const answer = await api.get(path)
          parts.push(...(answer.json() as Namespace[]))
          path = answer.headers.link?.match(/<(.+)>/)?.[1]
        }
        assert.deepEqual(parts, whole, query)
      }
  })

  test('a namespace is found by id, by id and version, and by its hash in every encoding', async () => {
    const [first] = all as [Namespace]
    assert.deepEqual(await read(`/v1/namespace/${first.namespace_id}`), [first])
    assert.deepEqual(await read(`/v1/namespace/${first.namespace_id.toUpperCase()}/0`), first)
    const bytes = Buffer.from(first.hash, 'base64')
    for (const text of [
      first.hash,
      encodeURIComponent(first.hash),
      bytes.toString('base64url'),
      bytes.toString('hex'),
      `0x${bytes.toString('hex')}`,
    ])
      assert.deepEqual(await read(`/v1/namespace_by_hash/${text}`), first, text)
  })

  test('a hash with slashes is reached by its escaped form', async () => {
    const hash = Buffer.alloc(29, 255).toString('base64')
    assert.ok(hash.includes('/'))
    assert.equal((await api.get(`/v1/namespace_by_hash/${encodeURIComponent(hash)}`)).status, 204)
  })

  test('an unknown namespace is an empty list by id alone and 204 everywhere else', async () => {
    const id = 'ab'.repeat(28)
    assert.deepEqual(await read(`/v1/namespace/${id}`), [])
    for (const part of ['', '/messages', '/blobs', '/rollups'])
      assert.equal((await api.get(`/v1/namespace/${id}/0${part}`)).status, 204, part)
    assert.equal((await api.get(`/v1/namespace/${all[0]!.namespace_id}/1`)).status, 204)
    const hash = Buffer.from(`00${id}`, 'hex').toString('base64')
    assert.equal((await api.get(`/v1/blob?namespaces=${encodeURIComponent(hash)}`)).status, 204)
    for (const bad of ['zz', `${id}00`, id.slice(2)]) assert.equal((await api.get(`/v1/namespace/${bad}`)).status, 400, bad)
    for (const bad of ['256', '-1', 'x']) assert.equal((await api.get(`/v1/namespace/${id}/${bad}`)).status, 400, bad)
  })

  test('the blobs of a namespace are as many as it counts, with and without joins', async () => {
    const { namespace_id, blobs_count, size } = all[2]!
    const rows: { id: number; size: number }[] = []
    for (let path: string | undefined = `/v1/namespace/${namespace_id}/0/blobs?limit=100&joins=f`; path; ) {
      const answer = await api.get(path)
      const page = answer.json() as { id: number; size: number }[]
      for (const row of page) assert.ok(!('tx' in row) && !('signer' in row) && !('namespace' in row))
      rows.push(...page)
      path = answer.headers.link?.match(/<(.+)>/)?.[1]
    }
    assert.equal(rows.length, blobs_count)
    assert.equal(
      rows.reduce((sum, row) => sum + row.size, 0),
      size,
    )
    assert.deepEqual(await read(`/v1/namespace/${namespace_id}/0/blobs?offset=${blobs_count}`), [])
    const hash = encodeURIComponent(Buffer.from(`00${namespace_id}`, 'hex').toString('base64'))
    assert.equal((await read<object[]>(`/v1/blob?namespaces=${hash}&limit=1`)).length, 1)
    assert.deepEqual(await read(`/v1/blob?namespaces=${hash}&offset=${blobs_count}`), [])
    const [joined] = await read<{ tx: object; signer: object }[]>(`/v1/namespace/${namespace_id}/0/blobs?limit=1`)
    assert.ok(joined!.tx && joined!.signer && !('namespace' in joined!))
  })

  test('the messages of a namespace are as many as it counts payments', async () => {
    const { namespace_id, pfb_count } = all[1]!
    let count = 0
    for (let path: string | undefined = `/v1/namespace/${namespace_id}/0/messages?limit=100`; path; ) {
      const answer = await api.get(path)
      count += (answer.json() as object[]).length
      path = answer.headers.link?.match(/<(.+)>/)?.[1]
    }
    assert.equal(count, pfb_count)
  })

  test('rollups of a namespace are the verified ones that name it', async () => {
    const named = (name: string) => all.find((namespace) => namespace.name === name)!.namespace_id
    const names = async (name: string) =>
      (await read<{ name: string }[]>(`/v1/namespace/${named(name)}/0/rollups`)).map((rollup) => rollup.name)
    assert.deepEqual(await names('forma-art'), ['Forma Art'])
    assert.deepEqual(await names('hibachi'), [])
  })

  test('the name is text when it can be', () => {
    const id = (hex: string) => hex.padStart(56, '0')
    assert.equal(toNamespaceName(id('6d656d6573')), 'memes')
    assert.equal(toNamespaceName(id('e6edd3ff')), 'e6edd3ff')
    assert.equal(toNamespaceName(id('6d656d657300')), '6d656d657300')
    assert.equal(toNamespaceName(id('')), '')
  })
})
