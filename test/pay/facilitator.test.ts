import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { generatePrivateKey } from 'viem/accounts'
import { freePort } from '../../src/lib/free-port.ts'
import type { PaySettings } from '../../src/pay/settings.ts'
import { longTest } from '../support/long-test.ts'
import { type Bed, makeBed, reached, type Server } from './bed.ts'
import { mppClient, payHeader, persist, receiptOf, x402Fetch } from './clients.ts'
import { type LocalFacilitator, startFacilitator } from './facilitator.ts'
import { spawnPaid } from './processes.ts'

/** Payments settled by a facilitator: the one of the official library, on the local chain. What it says is believed when the chain shows it. */

const PRICE = 1000n

let bed: Bed
let facilitator: LocalFacilitator
let settings: Partial<PaySettings>
let server: Server

before(async () => {
  bed = await makeBed()
  facilitator = await startFacilitator(bed)
  bed.onStop(facilitator.close)
  // No settler key: gas is the facilitator's business.
  const evm = { ...bed.settings.evm!, settlerKey: '0x' as const, facilitator: { url: facilitator.url } }
  settings = { evm, confirmTimeoutMs: 400, leaseMs: 1500 }
  server = await bed.serve({ settings, reconcileMs: 3_600_000 })
})
after(() => bed.stop())
beforeEach(() => {
  facilitator.mode = 'up'
  facilitator.asked = []
})

const head = (headers: Record<string, string>, url = server.url) => fetch(`${url}/v1/head`, { headers })

async function isOwed(tries: () => Promise<Response>): Promise<void> {
  const response = await tries()
  assert.equal(response.status, 503)
  assert.ok(Number(response.headers.get('retry-after')) >= 1)
  assert.equal(response.headers.get('www-authenticate'), null)
  assert.equal(response.headers.get('payment-receipt'), null)
}

test('both official clients buy, the facilitator moves the money, and the receipt names its transaction', async () => {
  const before = await bed.revenue()
  const target = `${server.url}/v1/block/7`
  for (const buy of [x402Fetch(server.settings), mppClient(server.settings).fetch]) {
    facilitator.asked = []
    const response = await buy(target)
    assert.equal(response.status, 200)
    const hash = receiptOf(response).reference
    const receipt = await bed.rpc<{ status: string }>('eth_getTransactionReceipt', hash)
    assert.equal(receipt.status, '0x1')
    assert.deepEqual(
      facilitator.asked.map(({ path }) => path),
      ['/verify', '/settle'],
    )
    await reached(bed.ledger, { tx_hash: hash }, 'delivered')
  }
  assert.equal((await bed.revenue()) - before, 2n * PRICE)
})

test('an x402 payment is passed on as it came, with what registries list it by', async () => {
  const target = `${server.url}/v1/head`
  assert.equal((await x402Fetch(server.settings)(target)).status, 200)
  const { paymentPayload } = facilitator.asked.at(-1)!.body
  assert.equal(paymentPayload.resource?.url, target)
  assert.ok(paymentPayload.extensions && 'bazaar' in paymentPayload.extensions)
})

test('a payer without money is refused with the reason, and nothing is settled', async () => {
  for (const rail of ['x402', 'mpp'] as const) {
    const header = await payHeader(rail, server.settings, `${server.url}/v1/head`, generatePrivateKey())
    const refused = await head(header)
    assert.equal(refused.status, 402)
    assert.match(((await refused.json()) as { detail: string }).detail, /too little balance/)
  }
  assert.ok(!facilitator.asked.some(({ path }) => path === '/settle'))
})

for (const mode of ['down', 'failing'] as const)
  longTest(`a facilitator that is ${mode} is 503, and the same payment is taken once when it is back`, async () => {
    const before = await bed.revenue()
    for (const rail of ['x402', 'mpp'] as const) {
      const header = await payHeader(rail, server.settings, `${server.url}/v1/head`)
      facilitator.mode = mode
      await isOwed(() => head(header))
      facilitator.mode = 'up'
      assert.equal((await persist(() => head(header))).status, 200)
    }
    assert.equal((await bed.revenue()) - before, 2n * PRICE)
  })

test('a facilitator that answers without end is 503, is not read to the end, and the same payment is taken once', async () => {
  const before = await bed.revenue()
  const header = await payHeader('x402', server.settings, `${server.url}/v1/head`)
  facilitator.mode = 'flooding'
  await isOwed(() => head(header))
  assert.ok(facilitator.flooded < 32 * 2 ** 20, `${facilitator.flooded} bytes`)
  facilitator.mode = 'up'
  assert.equal((await persist(() => head(header))).status, 200)
  assert.equal((await bed.revenue()) - before, PRICE)
})

longTest(
  'a facilitator that takes an order and never answers is 503 after its time, and the same payment is taken once',
  async () => {
    const evm = { ...settings.evm!, facilitator: { url: facilitator.url, timeoutMs: 300 } }
    const impatient = await bed.serve({ settings: { ...settings, evm, baseUrl: server.url }, reconcileMs: 3_600_000 })
    const before = await bed.revenue()
    const header = await payHeader('x402', server.settings, `${server.url}/v1/head`)
    facilitator.mode = 'silent'
    await isOwed(() => head(header, impatient.url))
    facilitator.mode = 'up'
    assert.equal((await persist(() => head(header))).status, 200)
    assert.equal((await bed.revenue()) - before, PRICE)
  },
)

test('an answer that is lost behind the settlement costs nothing: the chain is asked, and money moves once', async () => {
  const before = await bed.revenue()
  const header = await payHeader('x402', server.settings, `${server.url}/v1/head`)
  facilitator.mode = 'lost'
  // The chain shows the transfer although nobody named its transaction.
  assert.equal((await persist(() => head(header))).status, 200)
  assert.equal((await bed.revenue()) - before, PRICE)
  assert.equal(facilitator.asked.filter(({ path }) => path === '/settle').length, 1)
})

for (const mode of ['lying', 'boasting'] as const)
  longTest(`what a ${mode} facilitator says is not believed: nothing is sold until the chain shows the money`, async () => {
    const before = await bed.revenue()
    const header = await payHeader('mpp', server.settings, `${server.url}/v1/head`)
    facilitator.mode = mode
    await isOwed(() => head(header))
    assert.equal(await bed.revenue(), before, 'nothing has moved')
    facilitator.mode = 'up'
    const sold = await persist(() => head(header))
    assert.equal(sold.status, 200)
    assert.equal((await bed.revenue()) - before, PRICE)
  })

longTest('a facilitator that refuses for reasons of its own is 503, and the payment is free for another try', async () => {
  const before = await bed.revenue()
  const header = await payHeader('x402', server.settings, `${server.url}/v1/head`)
  facilitator.mode = 'refusing'
  await isOwed(() => head(header))
  facilitator.mode = 'up'
  assert.equal((await head(header)).status, 200)
  assert.equal((await bed.revenue()) - before, PRICE)
})

longTest('what a facilitator never settled is over with the authorization, and is told so', async () => {
  const short = await bed.serve({ settings: { ...settings, challengeTtlS: 12 }, reconcileMs: 50 })
  const before = await bed.revenue()
  const header = await payHeader('x402', short.settings, `${short.url}/v1/head`)
  facilitator.mode = 'lying'
  await isOwed(() => head(header, short.url))
  await bed.rpc('evm_increaseTime', 60)
  await bed.rpc('evm_mine')
  const refused = await persist(() => head(header, short.url))
  assert.equal(refused.status, 402)
  assert.match(((await refused.json()) as { detail: string }).detail, /expired/)
  assert.equal(await bed.revenue(), before)
})

longTest(
  'a process killed before it asks the facilitator, or before it answers: charged once, answered by another one',
  async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`
    const replica = await spawnPaid(bed, baseUrl, { reconcileMs: 200, settings })
    const before = await bed.revenue()
    const steps = ['signed', 'sent'] as const
    for (const dieAt of steps) {
      const doomed = await spawnPaid(bed, baseUrl, { dieAt, settings })
      const header = await payHeader('x402', { ...bed.settings, baseUrl }, `${doomed.url}/v1/head`)
      await assert.rejects(head(header, doomed.url), TypeError)
      await doomed.ended
      assert.equal((await persist(() => head(header, replica.url))).status, 200, dieAt)
    }
    assert.equal((await bed.revenue()) - before, BigInt(steps.length) * PRICE)
  },
)
