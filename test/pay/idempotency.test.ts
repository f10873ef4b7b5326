import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { appendPaymentIdentifierToExtensions } from '@x402/extensions/payment-identifier'
import { systemClock } from '../../src/lib/clock.ts'
import type { Lookup } from '../../src/pay/lookup.ts'
import { NO_METRICS } from '../../src/pay/metrics.ts'
import { reconcileOnce } from '../../src/pay/reconcile.ts'
import { type Bed, makeBed, type Server, silent, uniqueId } from './bed.ts'
import { type Header, mppHeader, payHeader, persist, receiptOf, x402Header, x402Payload } from './clients.ts'

let bed: Bed
let server: Server
let lookups = 0

/** A new answer each time it is asked. */
const counting: Lookup = async () => ({ status: 200, body: `${++lookups}\n` })

before(async () => {
  bed = await makeBed()
  server = await bed.serve({ lookup: counting })
})
after(() => bed.stop())

const PRICE = 1000n

const get = (path: string, headers: Header) => fetch(server.url + path, { headers })

async function identified(path: string, id: string): Promise<Header> {
  const payload = await x402Payload(server.settings, server.url + path)
  const extensions = appendPaymentIdentifierToExtensions(structuredClone(payload.extensions ?? {}), id)
  return x402Header({ ...payload, extensions })
}

async function assertSameAnswer(first: Response, second: Response): Promise<void> {
  assert.equal(second.status, 200)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.equal(await second.text(), await first.text())
  assert.deepEqual(receiptOf(second), receiptOf(first))
}

test('an idempotency key makes repeating free: same bytes, same receipt, no second lookup', async () => {
  const before = await bed.revenue()
  const header = { ...(await mppHeader(server.settings, `${server.url}/v1/head`)), 'idempotency-key': 'order-1' }
  const first = await get('/v1/head', header)
  assert.equal(first.status, 200)
  const asked = lookups
  await assertSameAnswer(first, await get('/v1/head', header))
  assert.equal(lookups, asked)
  assert.equal((await bed.revenue()) - before, PRICE)
})

test('an x402 payment identifier does the same', async () => {
  const before = await bed.revenue()
  const header = await identified('/v1/head', uniqueId())
  const first = await get('/v1/head', header)
  assert.equal(first.status, 200)
  await assertSameAnswer(first, await get('/v1/head', header))
  assert.equal((await bed.revenue()) - before, PRICE)
})

test('the same payer with the same key and a new credential is not charged again', async () => {
  const before = await bed.revenue()
  const id = uniqueId()
  const first = await get('/v1/head', await identified('/v1/head', id))
  await assertSameAnswer(first, await get('/v1/head', await identified('/v1/head', id)))
  assert.equal((await bed.revenue()) - before, PRICE)
})

test('a key that was used for another request is a conflict, uncharged', async () => {
  const id = uniqueId()
  assert.equal((await get('/v1/head', await identified('/v1/head', id))).status, 200)
  const before = await bed.revenue()
  const other = await get('/v1/constants', await identified('/v1/constants', id))
  assert.equal(other.status, 409)
  assert.equal(await bed.revenue(), before)
})

test('a key that comes only with the repetition, or another one, buys nothing', async () => {
  const header = await payHeader('mpp', server.settings, `${server.url}/v1/head`)
  assert.equal((await get('/v1/head', { ...header, 'idempotency-key': 'first' })).status, 200)
  const before = await bed.revenue()
  assert.equal((await persist(() => get('/v1/head', { ...header, 'idempotency-key': 'second' }))).status, 402)
  assert.equal(await bed.revenue(), before)
})

test('a key of another payer is another key', async () => {
  const before = await bed.revenue()
  const mpp = { ...(await mppHeader(server.settings, `${server.url}/v1/head`)), 'idempotency-key': 'shared' }
  const x402 = { ...x402Header(await x402Payload(server.settings, `${server.url}/v1/head`)), 'idempotency-key': 'shared' }
  const bodies = [await (await get('/v1/head', mpp)).text(), await (await get('/v1/head', x402)).text()]
  assert.notEqual(bodies[0], bodies[1])
  assert.equal((await bed.revenue()) - before, 2n * PRICE)
})

test('a key that cannot be one is 400', async () => {
  const header = await mppHeader(server.settings, `${server.url}/v1/head`)
  assert.equal((await get('/v1/head', { ...header, 'idempotency-key': 'x'.repeat(256) })).status, 400)
})

test('a stored answer is forgotten after its time, and then buys nothing', async () => {
  const header = { ...(await mppHeader(server.settings, `${server.url}/v1/head`)), 'idempotency-key': 'old' }
  assert.equal((await get('/v1/head', header)).status, 200)
  await bed.ledger`update payment set response_until = now() - interval '1 second' where idem_key = 'old'`
  const idle = { findForeignUse: async () => undefined } as never
  await reconcileOnce({
    db: bed.ledger,
    settings: server.settings,
    settlement: idle,
    metrics: NO_METRICS,
    clock: systemClock,
    log: silent,
  })
  assert.equal((await persist(() => get('/v1/head', header))).status, 402)
})

test('an unknown address is an answer: 204, charged, with a receipt; a setting makes it free', async () => {
  const unknown: Lookup = async () => ({ status: 204, body: '' })
  for (const charge of [true, false]) {
    const shop = await bed.serve({ lookup: unknown, settings: { chargeNoContent: charge } })
    const url = `${shop.url}/v1/address/${'ab'.repeat(20)}`
    for (const rail of ['mpp', 'x402'] as const) {
      const before = await bed.revenue()
      const response = await fetch(url, { headers: await payHeader(rail, shop.settings, url) })
      assert.equal(response.status, 204)
      assert.equal(response.headers.has('payment-receipt'), charge)
      assert.equal((await bed.revenue()) - before, charge ? PRICE : 0n)
    }
  }
})
