import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  checkEndpointSchema,
  discoverOriginSchema,
  getOpenAPI,
  getWarningsForL3,
  getWarningsForOpenAPI,
  validatePaymentRequiredDetailed,
} from '@agentcash/discovery'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { validateDiscoveryExtension } from '@x402/extensions/bazaar'
import { Challenge } from 'mppx'
import { validate } from 'mppx/discovery'
import { CATALOG } from '../../src/pay/catalog/catalog.ts'
import { LABELS, TIER_USD } from '../../src/pay/catalog/operation.ts'
import { toAtomic } from '../../src/pay/offers.ts'
import { type Bed, makeBed, type Server } from './bed.ts'

let bed: Bed
let server: Server

before(async () => {
  bed = await makeBed()
  server = await bed.serve({ settings: { contactEmail: 'ops@example.org', docsUrl: 'https://docs.example.org' } })
})
after(() => bed.stop())

type Described = {
  info: { version: string }
  paths: Record<string, { get: { tags: string[]; security: unknown[]; 'x-payment-info': { price: unknown }; responses: object } }>
}

test('the description is complete, small and free', async () => {
  const response = await fetch(`${server.url}/openapi.json`)
  const text = await response.text()
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('cache-control'), 'max-age=300')
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  assert.ok(Buffer.byteLength(text) < 64 * 1024, `${Buffer.byteLength(text)} bytes`)
  const document = JSON.parse(text) as Described
  assert.equal(document.info.version, '1.0.0')
  assert.equal(Object.keys(document.paths).length, 23)
  const labels = new Set<string>()
  for (const { path, tier } of CATALOG) {
    const { tags, security, responses, ...rest } = document.paths[path]!.get
    assert.deepEqual(rest['x-payment-info'].price, { mode: 'fixed', currency: 'USD', amount: TIER_USD[tier] })
    assert.deepEqual(security, [])
    assert.ok('402' in responses)
    for (const tag of tags) labels.add(tag)
  }
  assert.deepEqual(labels, new Set(LABELS))
})

test('the validator of MPP finds nothing to say', async () => {
  assert.deepEqual(validate((await (await fetch(`${server.url}/openapi.json`)).json()) as never), [])
})

test('the checks of the agentcash registry find nothing to say', async () => {
  const found = await discoverOriginSchema({ target: server.url })
  assert.ok(found.found)
  assert.equal(found.endpoints.length, 23)
  const document = await getOpenAPI(server.url)
  const source = document.isOk() ? document.value : undefined
  assert.ok(source && !('parseFailure' in source))
  assert.deepEqual(getWarningsForOpenAPI(source), [])
  for (const { path } of CATALOG) {
    const probed = path
      .replace('{timeframe}', 'day')
      .replace('{name}', 'tps')
      .replace(/\{\w+\}/g, '1')
    const checked = await checkEndpointSchema({ url: server.url + probed, probe: true })
    assert.ok(checked.found, path)
    for (const advisory of checked.advisories) assert.deepEqual(getWarningsForL3(advisory), [], path)
  }
})

test('every offer carries both protocols with the same price, and says what goes in and comes out', async () => {
  for (const { path, tier, id } of CATALOG) {
    const response = await fetch(server.url + path.replace(/[{}]/g, ''))
    assert.equal(response.status, 402)
    const amount = toAtomic(TIER_USD[tier]).toString()
    const [challenge] = Challenge.fromResponseList(response)
    const { request, intent, method } = challenge!
    assert.deepEqual([intent, method, request.amount], ['charge', 'evm', amount])
    const offer = decodePaymentRequiredHeader(response.headers.get('payment-required')!)
    assert.equal(offer.accepts[0]!.amount, amount)
    assert.equal(offer.accepts[0]!.payTo, request.recipient)
    assert.deepEqual(validateDiscoveryExtension(offer.extensions!.bazaar as never), { valid: true }, id)
    const verdict = validatePaymentRequiredDetailed(offer, { requireInputSchema: true, requireOutputSchema: true })
    assert.deepEqual(verdict.issues, [], id)
    const size = [...response.headers].reduce((bytes, [name, value]) => bytes + name.length + value.length + 4, 0)
    assert.ok(size < 8192, `${id}: ${size} bytes of headers`)
  }
})

test('challenges of the same moment are all different', async () => {
  const ids = await Promise.all(
    Array.from({ length: 50 }, async () => Challenge.fromResponse(await fetch(`${server.url}/v1/head`)).id),
  )
  assert.equal(new Set(ids).size, 50)
})

test('llms.txt lists every path with its price', async () => {
  const text = await (await fetch(`${server.url}/llms.txt`)).text()
  for (const { path, tier } of CATALOG) assert.ok(text.includes(`GET ${path} (USD ${TIER_USD[tier]})`), path)
  assert.match(text, /204/)
})

test('what the descriptions say about an unknown address and kept answers is what the settings say', async () => {
  const texts = async ({ url }: Server) =>
    Promise.all(['/openapi.json', '/llms.txt'].map(async (path) => (await fetch(url + path)).text()))
  for (const text of await texts(server)) assert.match(text, /including 204 for an unknown address(.|\n)*free for 300 seconds/)
  const other = await bed.serve({ settings: { chargeNoContent: false, challengeTtlS: 60 } })
  const [openapi, llms] = await texts(other)
  for (const text of [openapi!, llms!]) {
    assert.match(text, /204 for an unknown address is free(.|\n)*free for 60 seconds/)
    assert.doesNotMatch(text, /including 204|it is charged/)
  }
  assert.match(openapi!, /Unknown address; not charged/)
})

test('the well-known paths of older drafts are not served', async () => {
  for (const path of ['/.well-known/x402', '/.well-known/mpp']) assert.equal((await fetch(server.url + path)).status, 404)
})
