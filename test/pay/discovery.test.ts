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
import { SOLD_BY_DEFAULT } from '../../src/config/paid-schema.ts'
import { LABELS, TIER_USD } from '../../src/operations/operation.ts'
import { toAtomic } from '../../src/pay/sale/offers.ts'
import { fewOf } from '../support/long-test.ts'
import { type Bed, makeBed, type Server } from './bed.ts'
import { payHeader } from './clients.ts'
import { sampleOf, soldOperations } from './sold-operations.ts'

/** What is sold by default. */
const SOLD = soldOperations(SOLD_BY_DEFAULT)

let bed: Bed
let server: Server

before(async () => {
  bed = await makeBed()
  server = await bed.serve({
    operations: SOLD,
    settings: { contactEmail: 'ops@example.org', docsUrl: 'https://docs.example.org' },
  })
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
  assert.equal(Object.keys(document.paths).length, SOLD.length)
  const labels = new Set<string>()
  for (const { path, tier, rowsOf } of SOLD) {
    const { tags, security, responses, ...rest } = document.paths[path]!.get
    assert.deepEqual(rest['x-payment-info'].price, {
      mode: 'fixed',
      currency: 'USD',
      amount: TIER_USD[tier],
      ...(rowsOf && { per_rows: 100 }),
    })
    assert.deepEqual(security, [])
    assert.ok('402' in responses)
    for (const tag of tags) labels.add(tag)
  }
  assert.deepEqual(labels, new Set([...LABELS, 'History', 'Statements', 'Proofs', 'Exports', 'Series', 'Gas']))
})

test('the validator of MPP finds nothing to say', async () => {
  assert.deepEqual(validate((await (await fetch(`${server.url}/openapi.json`)).json()) as never), [])
})

test('the checks of the agentcash registry find nothing to say', async () => {
  const found = await discoverOriginSchema({ target: server.url })
  assert.ok(found.found)
  assert.equal(found.endpoints.length, SOLD.length)
  const document = await getOpenAPI(server.url)
  const source = document.isOk() ? document.value : undefined
  assert.ok(source && !('parseFailure' in source))
  assert.deepEqual(getWarningsForOpenAPI(source), [])
  for (const operation of fewOf(SOLD, 5)) {
    const { path } = operation
    const checked = await checkEndpointSchema({ url: server.url + sampleOf(operation), probe: true })
    assert.ok(checked.found, path)
    for (const advisory of checked.advisories) assert.deepEqual(getWarningsForL3(advisory), [], path)
  }
})

test('every offer carries both protocols with the same price, and says what goes in and comes out', async () => {
  for (const { path, tier, id } of fewOf(SOLD, 8)) {
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
    assert.ok(size < 4000, `${id}: ${size} bytes of headers`)
    const body = (await response.json()) as { paymentRequired: typeof offer }
    assert.deepEqual(body.paymentRequired.accepts, offer.accepts)
    assert.ok(body.paymentRequired.resource?.description)
    assert.deepEqual(validateDiscoveryExtension(body.paymentRequired.extensions!.bazaar as never), { valid: true }, id)
  }
})

test('both offers fit into 3.5 KB, whatever is asked for, and are paid for that request', async () => {
  const long = `?limit=100&offset=0&from=1&to=2&signers=${'celestia1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq,'.repeat(40)}&x=${'y'.repeat(500)}`
  for (const { path, id } of fewOf(SOLD, 8))
    for (const query of ['', long]) {
      const target = server.url + path.replace(/[{}]/g, '') + query
      const response = await fetch(target)
      assert.equal(response.status, 402)
      const offers = ['www-authenticate', 'payment-required'].map((name) => response.headers.get(name)!)
      const size = offers.join('').length
      assert.ok(size < 3584, `${id}: ${size} bytes of offers`)
      const { paymentRequired } = (await response.json()) as { paymentRequired: { resource: { url: string } } }
      assert.equal(paymentRequired.resource.url, target)
    }
  const target = `${server.url}/v1/blob?limit=1&x=${'y'.repeat(900)}`
  for (const rail of ['mpp', 'x402'] as const) {
    const headers = await payHeader(rail, server.settings, target)
    assert.equal((await fetch(`${target}z`, { headers })).status, 402)
    assert.equal((await fetch(target, { headers })).status, 200)
  }
})

test('a browser may send what the official clients send', async () => {
  const asked = 'authorization, payment-signature, accept-payment, idempotency-key, access-control-expose-headers'
  const response = await fetch(`${server.url}/v1/head`, {
    method: 'OPTIONS',
    headers: { origin: 'https://shop.example', 'access-control-request-headers': asked },
  })
  const allowed = response.headers.get('access-control-allow-headers')!.toLowerCase().split(', ')
  for (const name of asked.split(', ')) assert.ok(allowed.includes(name), name)
})

test('documents answer HEAD, and there is an icon', async () => {
  for (const path of ['/openapi.json', '/llms.txt', '/favicon.ico', '/favicon.svg']) {
    const response = await fetch(server.url + path, { method: 'HEAD' })
    assert.equal(response.status, 200, path)
    assert.ok(Number(response.headers.get('content-length')) > 0, path)
    assert.equal(await response.text(), '')
    assert.equal((await fetch(server.url + path)).status, 200)
  }
  const sold = await fetch(`${server.url}/v1/head`, { method: 'HEAD' })
  assert.equal(sold.status, 405)
  assert.equal(sold.headers.get('allow'), 'GET, OPTIONS')
})

test('challenges of the same moment are all different', async () => {
  const ids = await Promise.all(
    Array.from({ length: 50 }, async () => Challenge.fromResponse(await fetch(`${server.url}/v1/head`)).id),
  )
  assert.equal(new Set(ids).size, 50)
})

test('llms.txt lists every path with its price', async () => {
  const text = await (await fetch(`${server.url}/llms.txt`)).text()
  for (const { path, tier, rowsOf } of SOLD)
    assert.ok(text.includes(`GET ${path} (USD ${TIER_USD[tier]}${rowsOf ? ' per 100 rows' : ''})`), path)
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
