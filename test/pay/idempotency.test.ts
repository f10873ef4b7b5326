import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { appendPaymentIdentifierToExtensions } from '@x402/extensions/payment-identifier'
import type { Lookup } from '../../src/operations/lookup.ts'
import type { Step } from '../../src/pay/rails/payment.ts'
import { forgetAnswers } from '../../src/store/pay/ledger.ts'
import { type Bed, makeBed, reached, type Server, uniqueId } from './bed.ts'
import { type Header, mppHeader, payHeader, persist, receiptOf, signMpp, x402Header, x402Payload } from './clients.ts'

let bed: Bed
let server: Server
let lookups = 0

/** A new answer each time it is asked. */
const counting: Lookup = async () => ({ status: 200, body: Buffer.from(`${++lookups}\n`), height: 400 + lookups })

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
  assert.match(first.headers.get('x-indexed-height') ?? '', /^4\d\d$/)
  assert.equal(second.headers.get('x-indexed-height'), first.headers.get('x-indexed-height'))
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

test('the same query in another order and spelling is the same request', async () => {
  const before = await bed.revenue()
  const target = '/v1/block?limit=5&sort=asc&offset=1'
  const header = { ...(await mppHeader(server.settings, server.url + target)), 'idempotency-key': 'ordered' }
  const first = await get('/v1/block?offset=1&limit=%35&SORT=asc', header)
  assert.equal(first.status, 200, await first.clone().text())
  await assertSameAnswer(first, await get(target, header))
  assert.equal((await bed.revenue()) - before, PRICE)
  assert.equal((await get('/v1/block?limit=5&sort=asc&offset=2', header)).status, 409)
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

for (const rail of ['mpp', 'x402'] as const)
  test(`${rail}: the credential itself is a key: an answer that was lost on the way is given again, until the challenge is over`, async () => {
    const header = await payHeader(rail, server.settings, `${server.url}/v1/head`)
    const before = await bed.revenue()
    const first = await get('/v1/head', header)
    assert.equal(first.status, 200)
    // The last byte went out, and never arrived: nobody here can know.
    await reached(bed.ledger, { tx_hash: receiptOf(first).reference }, 'delivered')
    const asked = lookups
    await assertSameAnswer(first.clone(), await get('/v1/head', header))
    await assertSameAnswer(first, await get('/v1/head', { ...header, 'idempotency-key': uniqueId() }))
    assert.equal(lookups, asked)
    assert.equal((await get('/v1/constants', header)).status, 402)
    await bed.ledger`update payment set response_until = now() - interval '1 second' where tx_hash = ${receiptOf(first).reference}`
    await forgetAnswers(bed.ledger)
    assert.equal((await get('/v1/head', header)).status, 402)
    assert.equal((await bed.revenue()) - before, PRICE)
  })

for (const rail of ['mpp', 'x402'] as const)
  test(`a payment by ${rail} that was charged and is not answered yet is refused for another request, not told to wait`, async () => {
    let [tell, answer] = [() => {}, () => {}]
    const isSettled = new Promise<void>((resolve) => (tell = resolve))
    const isLetGo = new Promise<void>((resolve) => (answer = resolve))
    const onStep = async (step: Step) => {
      if (step !== 'settled') return
      tell()
      await isLetGo
    }
    const slow = await bed.serve({ lookup: counting, onStep })
    const headers = await payHeader(rail, slow.settings, `${slow.url}/v1/head`)
    const first = fetch(`${slow.url}/v1/head`, { headers })
    await isSettled
    const other = await fetch(`${slow.url}/v1/block/7`, { headers })
    answer()
    assert.equal((await first).status, 200)
    assert.equal(other.status, 402)
    assert.match(((await other.json()) as { detail: string }).detail, /another re(quest|source)/)
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

/** Work of the background job once a challenge has expired. */
async function forgetAnswerOf(key: string): Promise<void> {
  await bed.ledger`update payment set response_until = now() - interval '1 second' where idem_key = ${key}`
  await forgetAnswers(bed.ledger)
}

test('a stored answer is forgotten after its time, and then buys nothing', async () => {
  const header = { ...(await mppHeader(server.settings, `${server.url}/v1/head`)), 'idempotency-key': 'old' }
  assert.equal((await get('/v1/head', header)).status, 200)
  await forgetAnswerOf('old')
  assert.equal((await persist(() => get('/v1/head', header))).status, 402)
})

test('a key whose answer is forgotten is free for a new payment', async () => {
  const keyed = async () => ({ ...(await mppHeader(server.settings, `${server.url}/v1/head`)), 'idempotency-key': 'daily' })
  assert.equal((await get('/v1/head', await keyed())).status, 200)
  await reached(bed.ledger, { idem_key: 'daily' }, 'delivered')
  await forgetAnswerOf('daily')
  const before = await bed.revenue()
  assert.equal((await get('/v1/head', await keyed())).status, 200)
  assert.equal((await bed.revenue()) - before, PRICE)
})

test('a key whose payment was settled and never answered gets its answer with a new credential, charged once', async () => {
  const id = uniqueId()
  const before = await bed.revenue()
  assert.equal((await get('/v1/head', await identified('/v1/head', id))).status, 200)
  await reached(bed.ledger, { idem_key: id }, 'delivered')
  // As a crash after the transfer leaves it: no answer kept, none handed over.
  await bed.ledger`
    update payment set state = 'settled', delivered_at = null, lease_until = now(), response_status = null, response_type = null,
      response_body = null, response_until = null
    where idem_key = ${id}`
  const fresh = await identified('/v1/head', id)
  const answered = await get('/v1/head', fresh)
  assert.equal(answered.status, 200, await answered.clone().text())
  await assertSameAnswer(answered, await get('/v1/head', fresh))
  assert.equal((await bed.revenue()) - before, PRICE)
})

test('answers of authorizations without end are kept no longer than others', async () => {
  const header = {
    ...(await signMpp(server.settings, `${server.url}/v1/head`, { validBefore: 10n ** 30n })),
    'idempotency-key': 'endless',
  }
  assert.equal((await get('/v1/head', header)).status, 200)
  const [row] = await bed.ledger<{ kept: number }[]>`
    select extract(epoch from response_until - now())::float8 as kept from payment where idem_key = 'endless'`
  assert.ok(row!.kept > 0 && row!.kept <= server.settings.challengeTtlS)
})

test('an unknown address is an answer: 204, charged, with a receipt; a setting makes it free', async () => {
  const unknown: Lookup = async () => ({ status: 204, body: Buffer.alloc(0) })
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
