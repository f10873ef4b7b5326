import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Step } from '../../src/pay/rails/payment.ts'
import { forgetAnswers } from '../../src/store/pay/ledger.ts'
import { longTest } from '../support/long-test.ts'
import { type Bed, makeBed, reached, type Server } from './bed.ts'
import { type Header, payHeader, persist, receiptOf } from './clients.ts'
import { spawnPaid } from './processes.ts'

/** One payment is one charge and one delivery: replayed, copied, across processes, after a crash at every step. */

let bed: Bed
let server: Server
/** this process and another one */
let replicas: { url: string }[]

before(async () => {
  bed = await makeBed()
  server = await bed.serve({ settings: { leaseMs: 1500 } })
  replicas = [server, await spawnPaid(bed, server.url)]
})
after(() => bed.stop())

const RAILS = ['mpp', 'x402'] as const
const PRICE = 1000n

/** Work of the background job once a challenge has expired. */
async function forgetAnswerOf(txHash: string): Promise<void> {
  await bed.ledger`update payment set response_until = now() - interval '1 second' where tx_hash = ${txHash}`
  await forgetAnswers(bed.ledger)
}

const head = (origin: string, headers: Header = {}) => fetch(`${origin}/v1/head`, { headers })

function testCrashes(steps: readonly Step[]): void {
  for (const [i, step] of steps.entries())
    test(`a crash after "${step}": the same credential gets its answer from another process, charged once`, async () => {
      const rail = RAILS[i % 2]!
      const before = await bed.revenue()
      const doomed = await spawnPaid(bed, server.url, { dieAt: step, settings: { leaseMs: 1500 } })
      const header = await payHeader(rail, server.settings, `${server.url}/v1/head`)
      await assert.rejects(head(doomed.url, header))
      await doomed.ended
      // While the lease of the dead one runs, nobody is asked to pay again; an answer that is kept is given at once.
      assert.equal((await head(server.url, header)).status, step === 'settled' ? 200 : 409)
      const response = await persist(() => head(server.url, header))
      assert.equal(response.status, 200, await response.clone().text())
      const { reference } = receiptOf(response)
      await reached(bed.ledger, { tx_hash: reference }, 'delivered')
      await forgetAnswerOf(reference)
      assert.equal((await persist(() => head(server.url, header))).status, 402)
      assert.equal((await bed.revenue()) - before, PRICE)
    })
}

/** Tests of the default run. */
export function testReplays(): void {
  testCrashes(['sent'])

  for (const rail of RAILS)
    test(`${rail}: a credential buys one answer, which any process repeats, and nothing once the answer is forgotten`, async () => {
      const before = await bed.revenue()
      const header = await payHeader(rail, server.settings, `${server.url}/v1/head`)
      const first = await head(server.url, header)
      assert.equal(first.status, 200)
      const body = await first.text()
      for (const replica of replicas) {
        const repeated = await head(replica.url, header)
        assert.equal(repeated.headers.get('idempotent-replayed'), 'true')
        assert.equal(await repeated.text(), body)
      }
      await forgetAnswerOf(receiptOf(first).reference)
      const again = await persist(() => head(server.url, header))
      assert.equal(again.status, 402)
      assert.match(((await again.json()) as { detail: string }).detail, /nonce_already_used/)
      for (const replica of replicas) assert.equal((await head(replica.url, header)).status, 402)
      assert.equal((await bed.revenue()) - before, PRICE)
    })

  for (const rail of RAILS)
    test(`${rail}: 64 copies at once over two processes are one charge and one delivery`, async () => {
      const before = await bed.revenue()
      const header = await payHeader(rail, server.settings, `${server.url}/v1/head`)
      const responses = await Promise.all(Array.from({ length: 64 }, (_, i) => head(replicas[i % 2]!.url, header)))
      const statuses = responses.map(({ status }) => status)
      const sold = responses.filter(({ status, headers }) => status === 200 && !headers.has('idempotent-replayed'))
      assert.equal(sold.length, 1)
      assert.ok(statuses.every((status) => status === 200 || status === 409))
      for (const response of responses.filter(({ status }) => status === 409)) assert.ok(response.headers.get('retry-after'))
      assert.equal((await bed.revenue()) - before, PRICE)
    })

  test('payments at once over two processes that share a settler key are all settled', async () => {
    const before = await bed.revenue()
    const url = `${server.url}/v1/head`
    const headers = await Promise.all(Array.from({ length: 12 }, (_, i) => payHeader(RAILS[i % 2]!, server.settings, url)))
    const responses = await Promise.all(headers.map((header, i) => head(replicas[i % 2]!.url, header)))
    assert.deepEqual(
      responses.map(({ status }) => status),
      headers.map(() => 200),
    )
    assert.equal((await bed.revenue()) - before, 12n * PRICE)
  })

  longTest('a payment whose process died is settled by the background job, and still waits for its payer', async () => {
    const before = await bed.revenue()
    const doomed = await spawnPaid(bed, server.url, { dieAt: 'signed', settings: { leaseMs: 500 } })
    const header = await payHeader('mpp', server.settings, `${server.url}/v1/head`)
    await assert.rejects(head(doomed.url, header))
    await doomed.ended
    const [{ key }] = (await bed.ledger`select key from payment order by created_at desc limit 1`) as unknown as [{ key: string }]
    const keeper = await spawnPaid(bed, server.url, { reconcileMs: 100 })
    await reached(bed.ledger, { key }, 'settled')
    assert.equal((await bed.revenue()) - before, PRICE)
    const response = await persist(() => head(keeper.url, header))
    assert.equal(response.status, 200)
    assert.equal((await bed.revenue()) - before, PRICE)
    await reached(bed.ledger, { key }, 'delivered')
    await keeper.stop()
  })
}

/** Tests of the long run. */
export function testReplaysAtLength(): void {
  testCrashes(['claimed', 'signed', 'sent', 'settled'])
}
