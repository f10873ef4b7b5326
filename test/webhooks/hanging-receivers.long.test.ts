import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { freshDatabase } from '../support/database.ts'
import { LOCAL } from './settings.ts'
import { clientOf, makeKey, openWebhookApi, subscribe } from './stack.ts'

const ACCOUNTS = 10
const SUBSCRIPTIONS = 1000
const EVENTS = 20
/** Without turns the requests of all subscriptions that wait would come first, hundreds of them each time. */
const MOST_BETWEEN = 5 * ACCOUNTS

test(`an account gets its events in turn beside ${SUBSCRIPTIONS} subscriptions of ${ACCOUNTS} others whose receivers hang`, async () => {
  const url = await freshDatabase('devnet')
  let hanging = 0
  const server = createServer(() => hanging++).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterwards(async () => {
    server.close()
    server.closeAllConnections()
  })
  const plans = [{ name: 'free', requests_per_second: 100_000, webhooks: SUBSCRIPTIONS }]
  // None of them is given up for good while the test runs.
  const target = { ...LOCAL.target, timeoutMs: 60_000 }
  const api = await openWebhookApi(url, { access: { plans }, webhooks: { deliver: false, ...LOCAL, target } })
  const keys = []
  for (let i = 0; i <= ACCOUNTS; i++) keys.push(await makeKey(url))
  await api.service.parts.ring.refresh()
  const [client, ...others] = keys.map((key) => clientOf(api, key))
  const { last_height: head } = (await client!('GET', '/head')).body
  const hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  for (let i = 0; i < SUBSCRIPTIONS / ACCOUNTS; i++)
    for (const other of others) {
      const { status, body } = await other('POST', '/webhooks', { url: `${hook}/${i}`, events: ['block'], from: 1 })
      assert.equal(status, 200, JSON.stringify(body))
    }
  const own = await subscribe(client!, { events: ['block'], from: head - EVENTS + 1 })
  const before: number[] = []
  own.receiver.manner = () => {
    before.push(hanging)
    return 'ok'
  }
  // All of them begin at once.
  await openWebhookApi(url, { access: { plans }, webhooks: { deliver: true, ...LOCAL, target } })
  await own.receiver.until(({ length }) => length === EVENTS)
  assert.ok(before[0]! < SUBSCRIPTIONS / 2, `${before[0]} requests to receivers that hang before the first event`)
  const between = before.slice(1).map((count, i) => count - before[i]!)
  const median = between.sort((a, b) => a - b)[Math.floor(between.length / 2)]!
  console.log(
    `requests to receivers that hang before and between the events of another account: ${before[0]}, ${between.join(', ')}`,
  )
  assert.ok(median <= MOST_BETWEEN, `${median} requests to receivers that hang between two events`)
})
