import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generatePrivateKey } from 'viem/accounts'
import { HttpError } from '../../src/api/http/errors.ts'
import type { Lookup } from '../../src/operations/lookup.ts'
import { anAccount } from '../builders.ts'
import { type Bed, echo, makeShop, type Server } from './bed.ts'
import { changeMpp, changeRequest, type Header, mppHeader, payHeader, signMpp, x402Header, x402Payload } from './clients.ts'

/** Both rails: what each wrong payment is told, and that none of them moves money. */

let bed: Bed
let server: Server
let url: string

before(async () => {
  ;({ bed, server, url } = await makeShop())
})
after(() => bed.stop())

const RAILS = ['mpp', 'x402'] as const
const PROBLEMS = 'https://paymentauth.org/problems/'

type Told = { status: number; type: string; detail: string }

async function ask(headers: Header, target = url): Promise<Response> {
  return fetch(target, { headers })
}

/** 402 with fresh offers of both rails and the right problem; nothing moves, nothing is promised. */
async function assertRefused(headers: Header, problem: string, pattern?: RegExp, target = url): Promise<void> {
  const before = await bed.revenue()
  const response = await ask(headers, target)
  const told = (await response.json()) as Told
  assert.equal(response.status, 402, JSON.stringify(told))
  assert.equal(told.type, PROBLEMS + problem)
  assert.equal(response.headers.get('content-type'), 'application/problem+json')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.match(response.headers.get('www-authenticate') ?? '', /^Payment id="/)
  assert.ok(response.headers.get('payment-required'))
  assert.equal(response.headers.get('payment-receipt'), null)
  if (pattern) assert.match(told.detail, pattern)
  assert.equal(await bed.revenue(), before)
}

async function assertUncharged(headers: Header, status: number, target = url): Promise<Told> {
  const before = await bed.revenue()
  const response = await ask(headers, target)
  const told = (await response.json()) as Told
  assert.equal(response.status, status, JSON.stringify(told))
  assert.equal(response.headers.get('payment-receipt'), null)
  assert.equal(await bed.revenue(), before)
  return told
}

test('no credential, another scheme and the old x402 header are all unpaid', async () => {
  await assertRefused({}, 'payment-required')
  await assertRefused({ authorization: 'Bearer abc' }, 'payment-required')
  await assertRefused({ 'x-payment': 'abc' }, 'payment-required')
  await assertRefused({ apikey: 'abc' }, 'payment-required')
})

test('an unpaid request with bad inputs is offered, not refused: probes ask for templates', async () => {
  await assertRefused({}, 'payment-required', undefined, `${server.url}/v1/block?limit=0`)
  await assertRefused({}, 'payment-required', undefined, `${server.url}/v1/search`)
})

test('an MPP header that cannot be read is a malformed credential', async () => {
  await assertRefused({ authorization: 'Payment not-json' }, 'malformed-credential')
  await assertRefused({ authorization: `Payment ${Buffer.from('{"a":1}').toString('base64url')}` }, 'malformed-credential')
  await assertRefused({ authorization: `Payment ${'A'.repeat(9000)}` }, 'malformed-credential')
})

test('an x402 header that cannot be read is 400', async () => {
  for (const value of ['not base64 json', Buffer.from('{"x402Version":2}').toString('base64'), 'A'.repeat(9000)]) {
    const told = await assertUncharged({ 'payment-signature': value }, 400)
    assert.equal(told.type, `${PROBLEMS}malformed-credential`)
  }
  const payload = await x402Payload(server.settings, url)
  delete (payload.payload as Record<string, unknown>).signature
  await assertUncharged(x402Header(payload), 400)
})

test('a number that no token can hold is 400 on x402, also when the payer is a contract', async () => {
  const good = await x402Payload(server.settings, url)
  const { authorization } = good.payload as { authorization: Record<string, string> }
  for (const field of ['value', 'validAfter', 'validBefore']) {
    const changed = { ...authorization, from: bed.chain.token, [field]: String(2n ** 256n) }
    await assertUncharged(x402Header({ ...good, payload: { ...good.payload, authorization: changed } }), 400)
  }
})

test('an authorization that never ends is as good as any other', async () => {
  const before = await bed.revenue()
  assert.equal((await ask(await signMpp(server.settings, url, { validBefore: 2n ** 256n - 1n }))).status, 200)
  assert.equal((await bed.revenue()) - before, 1000n)
})

test('a payload without its fields is an invalid payload', async () => {
  const good = await mppHeader(server.settings, url)
  await assertRefused(
    changeMpp(good, (wire) => delete wire.payload.nonce),
    'invalid-payload',
  )
})

test('a challenge we did not issue like that is invalid', async () => {
  const good = await mppHeader(server.settings, url)
  const changes: ((wire: Parameters<Parameters<typeof changeMpp>[1]>[0]) => void)[] = [
    (wire) => changeRequest(wire, (request) => (request.amount = '1')),
    (wire) => changeRequest(wire, (request) => (request.recipient = bed.chain.token)),
    (wire) => changeRequest(wire, (request) => (request.currency = bed.settings.recipient)),
    (wire) => changeRequest(wire, (request) => (request.methodDetails = { ...(request.methodDetails as object), chainId: 1 })),
    (wire) => (wire.challenge.expires = new Date(Date.now() + 1e9).toISOString()),
    (wire) => (wire.challenge.method = 'stripe'),
    (wire) => (wire.challenge.realm = 'other'),
    (wire) => (wire.challenge.opaque = Buffer.from('{}').toString('base64url')),
    (wire) => delete wire.challenge.opaque,
  ]
  for (const change of changes) await assertRefused(changeMpp(good, change), 'invalid-challenge')
})

test('a challenge of another secret is invalid, one of the previous secret is good', async () => {
  const other = await bed.serve({ settings: { secretKey: 'x'.repeat(40) } })
  const foreign = await mppHeader(other.settings, `${other.url}/v1/head`)
  await assertRefused(foreign, 'invalid-challenge', /not issued by this server/)
  const rotated = await bed.serve({ settings: { secretKey: 'y'.repeat(40), previousSecretKey: other.settings.secretKey } })
  const response = await ask(foreign, `${rotated.url}/v1/head`)
  assert.equal(response.status, 200)
})

test('a payment for one request opens no other, of the same price or a higher one', async () => {
  const block = `${server.url}/v1/block?limit=1`
  await assertRefused(await mppHeader(server.settings, url), 'invalid-challenge', undefined, block)
  await assertRefused(await mppHeader(server.settings, block), 'invalid-challenge', undefined, `${server.url}/v1/block?limit=2`)
  await assertRefused(await mppHeader(server.settings, url), 'invalid-challenge', undefined, `${server.url}/v1/validators`)
  const cheap = x402Header(await x402Payload(server.settings, url))
  await assertRefused(cheap, 'verification-failed', /another resource/, block)
  await assertRefused(cheap, 'verification-failed', /not the one of this request/, `${server.url}/v1/validators`)
})

test('an MPP authorization that differs from its challenge fails verification', async () => {
  const good = await mppHeader(server.settings, url)
  const cases: [string, unknown, RegExp][] = [
    ['value', '1', /amount mismatch/],
    ['to', bed.chain.token, /recipient mismatch/],
    ['nonce', `0x${'11'.repeat(32)}`, /nonce mismatch/],
    ['from', bed.settings.recipient, /signature mismatch|source/],
    ['validAfter', '99999999999', /not valid yet/],
    ['validBefore', '1', /expired/],
    ['signature', `0x${'11'.repeat(64)}1b`, /signature mismatch/],
    ['signature', `0x${'ff'.repeat(65)}`, /signature mismatch/],
  ]
  for (const [field, value, pattern] of cases)
    await assertRefused(
      changeMpp(good, (wire) => (wire.payload[field] = value)),
      'verification-failed',
      pattern,
    )
})

test('an x402 payment that differs from its offer fails verification', async () => {
  const good = await x402Payload(server.settings, url)
  const now = Math.floor(Date.now() / 1000)
  const authorized = good.payload as { authorization: Record<string, string>; signature: string }
  const withAuthorization = (change: Record<string, string>) => ({
    ...good,
    payload: { ...good.payload, authorization: { ...authorized.authorization, ...change } },
  })
  const cases: [typeof good, RegExp][] = [
    [{ ...good, accepted: { ...good.accepted, amount: '1' } }, /not the one of this request/],
    [{ ...good, accepted: { ...good.accepted, payTo: bed.chain.token } }, /not the one of this request/],
    [{ ...good, accepted: { ...good.accepted, network: 'eip155:1' } }, /not the one of this request/],
    [{ ...good, resource: { ...good.resource!, url: 'https://other.example/v1/head' } }, /another resource/],
    [withAuthorization({ value: '1' }), /amount mismatch/],
    [withAuthorization({ to: bed.chain.token }), /recipient mismatch/],
    [withAuthorization({ validBefore: String(now - 1) }), /expired/],
    [withAuthorization({ validBefore: String(now + 4) }), /expired/],
    [withAuthorization({ validAfter: String(now + 1000) }), /not valid yet/],
    [withAuthorization({ from: bed.settings.recipient }), /signature mismatch/],
    [{ ...good, payload: { ...good.payload, signature: `0x${'ff'.repeat(65)}` } }, /signature mismatch/],
  ]
  for (const [payload, pattern] of cases) await assertRefused(x402Header(payload), 'verification-failed', pattern)
})

test('an expired challenge says so', async () => {
  const late = await bed.serve({ now: () => Date.now() - 20_000, settings: { challengeTtlS: 12 } })
  const target = `${late.url}/v1/head`
  await assertRefused(await signMpp(late.settings, target), 'payment-expired', undefined, target)
})

test('clocks that differ by a minute do not matter', async () => {
  for (const shift of [-60_000, 60_000]) {
    const off = await bed.serve({ now: () => Date.now() + shift })
    for (const rail of RAILS) {
      const target = `${off.url}/v1/head`
      assert.equal((await ask(await payHeader(rail, off.settings, target), target)).status, 200)
    }
  }
})

test('a payer without balance is told so', async () => {
  for (const rail of RAILS)
    await assertRefused(
      await payHeader(rail, server.settings, url, generatePrivateKey()),
      'verification-failed',
      /insufficient_balance/,
    )
})

test('both rails in one request are 400', async () => {
  const both = { ...(await payHeader('mpp', server.settings, url)), ...(await payHeader('x402', server.settings, url)) }
  const told = await assertUncharged(both, 400)
  assert.equal(told.type, `${PROBLEMS}bad-request`)
})

test('wrong inputs of a paid request are 400 and free, and the credential stays good', async () => {
  const cases = [
    '/v1/block?limit=0',
    '/v1/block?limit=101',
    '/v1/block?offset=-1',
    '/v1/block?sort=up',
    '/v1/block/0',
    '/v1/search?query=',
  ]
  for (const rail of RAILS)
    for (const target of cases) {
      const told = await assertUncharged(await payHeader(rail, server.settings, server.url + target), 400, server.url + target)
      assert.match(told.detail, /^(limit|offset|sort|height|query) /)
    }
  const strings = [
    '/v1/block/1e3',
    '/v1/block/%00',
    '/v1/tx/zz',
    '/v1/address/x',
    '/v1/search?query=%ff',
    '/v1/namespace/00/0/blobs',
  ]
  for (const target of strings)
    await assertUncharged(await payHeader('x402', server.settings, server.url + target), 400, server.url + target)
})

test('what was not found or failed is free, and the same credential buys it later', async () => {
  let status = 404
  const lookup: Lookup = async (operation, inputs) => (status === 200 ? echo(operation, inputs) : { status, detail: 'no answer' })
  const broken = await bed.serve({ lookup })
  const target = `${broken.url}/v1/tx/${'ab'.repeat(32)}`
  for (const rail of RAILS) {
    const header = await payHeader(rail, broken.settings, target)
    for (status of [404, 500, 503]) await assertUncharged(header, status, target)
    status = 200
    const before = await bed.revenue()
    assert.equal((await ask(header, target)).status, 200)
    assert.equal((await bed.revenue()) - before, 1000n)
  }
})

test('what this index can never answer is not offered, and who pays for it all the same is not charged', async () => {
  let isStateless = false
  const check = ({ id }: { id: string }) => {
    if (isStateless && id === 'getAddress') throw new HttpError(409, 'no_state', 'this index begins without state')
  }
  const stateless = await bed.serve({
    check,
    lookup: async (operation, inputs) => {
      check(operation)
      return echo(operation, inputs)
    },
  })
  const target = `${stateless.url}/v1/address/${anAccount('alice').text}`
  const headers: Header[] = []
  for (const rail of RAILS) headers.push(await payHeader(rail, stateless.settings, target))
  isStateless = true
  const refused = await fetch(target)
  assert.deepEqual([refused.status, refused.headers.get('payment-required')], [409, null])
  assert.match(((await refused.json()) as Told).detail, /begins without state/)
  for (const header of headers) await assertUncharged(header, 409, target)
  assert.equal((await fetch(`${stateless.url}/v1/head`)).status, 402)
})

test('a lookup that throws is 500 without its text, and free', async () => {
  const broken = await bed.serve({ lookup: () => Promise.reject(new Error('secret text')) })
  const target = `${broken.url}/v1/head`
  const told = await assertUncharged(await payHeader('mpp', broken.settings, target), 500, target)
  assert.doesNotMatch(JSON.stringify(told), /secret/)
})

test('unknown paths are 404, other methods 405, preflights free', async () => {
  assert.equal((await fetch(`${server.url}/v1/nothing`)).status, 404)
  const posted = await fetch(url, { method: 'POST', body: 'x' })
  assert.equal(posted.status, 405)
  assert.equal(posted.headers.get('allow'), 'GET, OPTIONS')
  const preflight = await fetch(url, { method: 'OPTIONS' })
  assert.equal(preflight.status, 204)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /PAYMENT-SIGNATURE/)
  assert.match((await fetch(url)).headers.get('access-control-expose-headers') ?? '', /PAYMENT-REQUIRED/)
})
