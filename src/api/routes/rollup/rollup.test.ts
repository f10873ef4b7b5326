import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { devnetUrl } from '../../../../test/support/database.ts'
import { type ServedChain, serveChain } from '../../../../test/support/served-chain.ts'

describe('rollups of the recorded chain', () => {
  let api: ServedChain
  before(async () => {
    api = await serveChain(devnetUrl)
  })
  after(() => api.close())

  const slugs = async (query: string) => (await api.list(`/rollup?${query}`)).map((row) => row.slug)

  test('verified rollups are listed by size, others are as unknown', async () => {
    assert.deepEqual(await slugs(''), ['forma-art', 'movement-labs'])
    assert.equal((await api.get('/rollup/count')).body, 2)
    for (const path of ['/rollup/3', '/rollup/slug/hibachi', '/rollup/99', '/rollup/slug/none'])
      assert.equal((await api.get(path)).status, 204, path)
    for (const name of ['namespaces', 'providers', 'blobs', 'export'])
      assert.deepEqual(await api.list(`/rollup/3/${name}`), [], name)
  })

  test('filters are OR inside and AND between', async () => {
    assert.deepEqual(await slugs('category=nft,finance'), ['forma-art', 'movement-labs'])
    assert.deepEqual(await slugs('category=nft&type=settled'), [])
    assert.deepEqual(await slugs('tags=art,none'), ['forma-art'])
    assert.deepEqual(await slugs('stack=OP%20Stack&provider=Conduit'), ['movement-labs'])
    assert.deepEqual(await slugs('is_active=false'), [])
    assert.deepEqual(await slugs('provider='), ['forma-art'], 'the one without a provider')
    assert.deepEqual(await slugs('tags='), [])
    assert.deepEqual(await slugs('sort_by=blobs_count&sort=asc'), ['movement-labs', 'forma-art'])
  })

  test('shares are of all listed rollups, whatever the filter', async () => {
    const rows = await api.list('/rollup')
    for (const share of ['size_pct', 'fee_pct', 'blobs_count_pct'])
      assert.ok(Math.abs(rows.reduce((sum, row) => sum + Number(row[share]), 0) - 1) < 1e-12, share)
    assert.deepEqual(await api.list('/rollup?category=nft'), rows.slice(0, 1))
    assert.deepEqual((await api.get('/rollup/slug/forma-art')).body, rows[0])
    assert.deepEqual((await api.get('/rollup/1')).body, rows[0])
  })

  test('texts and lists that were not given are left out', async () => {
    const { body } = await api.get<object>('/rollup/2')
    for (const name of ['website', 'github', 'twitter', 'color', 'tags', 'links']) assert.ok(!(name in body), name)
  })

  test('blobs are those of the providers, newest first or by size', async () => {
    const { body } = await api.get<{ blobs_count: number; size: number }>('/rollup/1')
    const pages = await Promise.all([0, 100].map((offset) => api.list(`/rollup/1/blobs?limit=100&offset=${offset}`)))
    const rows = pages.flat()
    assert.equal(rows.length, body.blobs_count)
    assert.equal(
      rows.reduce((sum, row) => sum + Number(row.size), 0),
      body.size,
    )
    assert.deepEqual(await api.list(`/rollup/1/blobs?limit=7&cursor=${rows[99]!.id}`), rows.slice(100, 107))
    const bySize = await api.list('/rollup/1/blobs?sort_by=size&limit=100')
    assert.ok(bySize.every((row, i) => i === 0 || Number(row.size) <= Number(bySize[i - 1]!.size)))
    assert.ok(
      (await api.list('/rollup/1/blobs?joins=false')).every((row) => !('tx' in row) && !('signer' in row) && 'namespace' in row),
    )
  })

  test('an export holds the blobs of its window, newest first', async () => {
    const blobs = (await Promise.all([0, 100].map((offset) => api.list(`/rollup/1/blobs?limit=100&offset=${offset}`)))).flat()
    const { status, text } = await api.get('/rollup/1/export')
    const [header, ...lines] = text.trimEnd().split('\n')
    assert.equal(status, 200)
    assert.equal(header, 'time,height,size,commitment,content_type,signer,namespace_version,namespace_namespace_id,tx_hash')
    assert.deepEqual(
      lines.map((line) => line.split(',').slice(1, 4)),
      blobs.map((blob) => [String(blob.height), String(blob.size), blob.commitment]),
    )
    assert.match(
      lines[0]!,
      /^2026-11-15 02:36:38\.938228\+00,397,9066,[^,]+,image\/png,celestia1[a-z0-9]+,0,\\x[0-9a-f]{56},\\x[0-9a-f]{64}$/,
    )
    const middle = Math.floor(Date.parse(String(blobs[50]!.time)) / 1000)
    const later = (await api.get(`/rollup/1/export?from=${middle}`)).text.trimEnd().split('\n').length - 1
    const earlier = (await api.get(`/rollup/1/export?to=${middle}`)).text.trimEnd().split('\n').length - 1
    assert.equal(later, blobs.filter((blob) => Date.parse(String(blob.time)) >= middle * 1000).length)
    assert.equal(later + earlier, blobs.length)
  })

  test('providers are pairs of signer and namespace', async () => {
    assert.deepEqual(await api.list('/rollup/2/providers'), [
      { address: 'celestia1dze27k76ngpwfs0gtcdml08t3md2ad4my3yag8', namespace: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAbW92ZW1lbnQ=' },
    ])
  })
})
