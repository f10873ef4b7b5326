import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { expireIntoCredit } from '../../src/store/pay/ledger.ts'
import { countOpen } from '../../src/store/pay/report.ts'
import { type Bed, makeBed, reached, type Server } from './bed.ts'
import { type Header, mppHeader, receiptOf } from './clients.ts'

/** Clients that pay and hang up: their payment becomes a credit, and nobody is woken up for it. */

let bed: Bed
let server: Server
let lose: (() => void) | undefined

before(async () => {
  bed = await makeBed()
  server = await bed.serve({
    onStep: async (step) => {
      if (step !== 'settled' || !lose) return
      lose()
      lose = undefined
      // The server has to see the broken connection before it answers.
      await delay(100)
    },
    reconcileMs: 3_600_000,
  })
})
after(() => bed.stop())

async function payAndLeave(): Promise<Header> {
  const header = await mppHeader(server.settings, `${server.url}/v1/head`)
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  lose = () => socket.destroy()
  socket.write(`GET /v1/head HTTP/1.1\r\nhost: x\r\nauthorization: ${header.authorization}\r\n\r\n`)
  await closed
  for (let tries = 0; tries < 200; tries++) {
    if ((await bed.ledger`select from payment where left_at is not null and state = 'settled'`).length > 0) return header
    await delay(25)
  }
  throw new Error('the server did not see that its client left')
}

test('a client that hung up is not counted as one that we failed', async () => {
  await payAndLeave()
  assert.deepEqual(await countOpen(bed.ledger), { undelivered: 0, pending: 0, claimed: 0, credit: 1 })
  await bed.ledger`delete from payment`
})

test('what was paid and not fetched becomes a credit, which the same credential still claims, once', async () => {
  const before = await bed.revenue()
  const header = await payAndLeave()
  assert.equal(await expireIntoCredit(bed.ledger, 300), 0)
  await bed.ledger`update payment set settled_at = settled_at - interval '10 minutes', response_until = now()`
  assert.equal(await expireIntoCredit(bed.ledger, 300), 1)
  const response = await fetch(`${server.url}/v1/head`, { headers: header })
  assert.equal(response.status, 200, await response.clone().text())
  assert.equal((await bed.revenue()) - before, 1000n)
  await reached(bed.ledger, { tx_hash: receiptOf(response).reference }, 'delivered')
  assert.deepEqual(await countOpen(bed.ledger), { undelivered: 0, pending: 0, claimed: 0, credit: 0 })
})
