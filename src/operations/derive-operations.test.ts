import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { collectRoutes } from '../api/collect-routes.ts'
import type { ApiContext } from '../api/route.ts'
import { allRoutes } from '../api/routes/all.ts'
import { SOLD_BY_DEFAULT, SOLD_GROUPS, type SoldGroup } from '../config/paid-schema.ts'
import { packagePath } from '../lib/package-path.ts'
import { describeApi } from '../pay/http/openapi.ts'
import { quote } from '../pay/sale/offers.ts'
import type { PaySettings } from '../pay/settings.ts'
import { CATALOG } from './catalog.ts'
import { deriveOperations, groupOf } from './derive-operations.ts'

const NOTHING = new Proxy({}, { get: () => undefined })
const network = { name: 'main', chainId: '', kind: 'main' }
const routes = collectRoutes(allRoutes, { network, db: NOTHING, watch: NOTHING } as unknown as ApiContext)
const derived = (groups: readonly SoldGroup[]) => deriveOperations(routes, new Set(groups))
const settings = {
  baseUrl: 'https://paid.example',
  methods: ['evm'],
  evm: { chainId: 8453, token: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' },
  chargeNoContent: true,
  challengeTtlS: 300,
} as unknown as PaySettings

test('every operation of the key surface can be sold, but for contents of blobs', () => {
  const sold = new Set(CATALOG.flatMap((operation) => operation.routes))
  const unsold = routes.filter((route) => route.method === 'GET' && groupOf(route) === undefined && !sold.has(route.path))
  assert.deepEqual(
    unsold.map(({ schema }) => schema.operationId),
    ['get-block-ods', 'list-namespace-blob-contents'],
  )
  assert.deepEqual(new Set(derived(SOLD_GROUPS).map(({ label }) => label.toLowerCase())), new Set(SOLD_GROUPS.slice(1)))
})

test('names and paths are those of the key surface, and none is sold twice', () => {
  const all = [...CATALOG, ...derived(SOLD_GROUPS)]
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
  assert.equal(new Set(all.map(({ path }) => path)).size, all.length)
  const history = all.find(({ path }) => path === '/v1/address/{hash}/history')!
  assert.deepEqual([history.id, history.tier, history.label], ['listAddressHistory', 'C', 'History'])
})

test('reads, lists, and what takes more work have a tier each', () => {
  const tiers = new Map(derived(SOLD_GROUPS).map(({ id, tier }) => [id, tier]))
  assert.deepEqual(
    ['getGasPrice', 'listRollupBlobs', 'listAddressStatement', 'getTxProof', 'getPriceSeries', 'exportRollupBlobs'].map((id) =>
      tiers.get(id),
    ),
    ['A', 'B', 'C', 'C', 'C', 'C'],
  )
})

test('a long list costs its price for each hundred rows, and a request that will be refused the least', () => {
  const history = derived(['history']).find(({ id }) => id === 'listAddressHistory')!
  const price = (query: string) => quote(history, 'https://paid.example', `/v1/address/x/history${query}`).usd
  assert.deepEqual(['', '?limit=100', '?limit=101', '?LIMIT=%2B1000', '?limit=1001', '?limit=x', '?limit=0'].map(price), [
    '0.005000',
    '0.005000',
    '0.010000',
    '0.050000',
    '0.005000',
    '0.005000',
    '0.005000',
  ])
  const proof = derived(['proofs'])[0]!
  assert.equal(quote(proof, 'https://paid.example', `${proof.path}?limit=1000`).usd, '0.005000')
})

test('the operations that were sold first keep names, prices and inputs, and all that is sold by default is described in 64 KB', () => {
  type Described = { paths: Record<string, unknown>; components: { schemas: Record<string, unknown> } }
  const before = JSON.parse(readFileSync(packagePath('test', 'fixtures', 'paid-operations.json'), 'utf8')) as {
    paths: Record<string, unknown>
    schemas: Record<string, unknown>
  }
  const items = [...CATALOG, ...derived(SOLD_BY_DEFAULT)]
  const text = JSON.stringify(describeApi(settings, items))
  const { paths, components } = JSON.parse(text) as Described
  assert.equal(Object.keys(before.paths).length, 23)
  for (const [path, described] of Object.entries(before.paths)) assert.deepEqual(paths[path], described, path)
  assert.deepEqual(components.schemas, before.schemas)
  assert.equal(Object.keys(paths).length, items.length)
  assert.ok(Buffer.byteLength(text) < 64 * 1024, `${Buffer.byteLength(text)} bytes`)
})
