import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { addMcpToPaidSurface } from '../../src/mcp/paid-surface.ts'
import { payerKey } from '../../src/pay/local-chain/accounts.ts'
import { countOpen } from '../../src/store/pay/report.ts'
import { type Bed, makeBed, reached, type Server } from '../pay/bed.ts'
import { callOf, connect, signX402, type ToolResult, X402_PAYMENT, X402_RESPONSE } from './clients.ts'

/** An agent that pays for a call and is gone before the answer. */

let bed: Bed
let server: Server
const leaving = new AbortController()

before(async () => {
  bed = await makeBed()
  server = await bed.serve({
    addRoutes: addMcpToPaidSurface,
    onStep: async (step) => {
      if (step !== 'settled') return
      leaving.abort()
      // The server has to see the broken connection before it answers.
      await delay(100)
    },
    reconcileMs: 3_600_000,
  })
})
after(() => bed.stop())

test('its payment stays good: the same call with it gets the answer, and nothing more is charged', async () => {
  const client = await connect(server.url)
  const call = { name: 'getHead', arguments: {} }
  const payment = await signX402(await callOf(client)('getHead'), server.settings, payerKey(1))
  const paid = { ...call, _meta: { [X402_PAYMENT]: payment } }
  const before = await bed.revenue()
  await assert.rejects(
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: paid }),
      signal: leaving.signal,
    }),
    { name: 'AbortError' },
  )
  const hasLeft = async () => (await bed.ledger`select from payment where left_at is not null and state = 'settled'`).length > 0
  for (let tries = 0; tries < 200 && !(await hasLeft()); tries++) await delay(25)
  assert.deepEqual(await countOpen(bed.ledger), { undelivered: 0, pending: 0, claimed: 0, credit: 1 })
  const result = (await client.callTool(paid)) as ToolResult
  assert.ok(!result.isError)
  const { transaction } = (result._meta?.[X402_RESPONSE] as { transaction: string } | undefined) ?? { transaction: '' }
  await reached(bed.ledger, { tx_hash: transaction }, 'delivered')
  assert.equal((await bed.revenue()) - before, 1000n)
  await client.close()
})
