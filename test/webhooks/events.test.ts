import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { freshDatabase } from '../support/database.ts'
import { type Client, clientOf, makeKey, openWebhookApi, subscribe } from './stack.ts'

let client: Client

before(async () => {
  const url = await freshDatabase('devnet')
  const key = await makeKey(url)
  const api = await openWebhookApi(url, { access: { plans: [{ name: 'free', requests_per_second: 10_000, webhooks: 100 }] } })
  await api.service.parts.ring.refresh()
  client = clientOf(api, key)
})

const get = async (path: string) => (await client('GET', path)).body

test('blocks of the past come in order, signed, with the object that REST answers', async () => {
  const { last_height: head } = await get('/head')
  const { receiver } = await subscribe(client, { events: ['block'], from: head - 19 })
  const events = await receiver.until(({ length }) => length === 20)
  assert.deepEqual(
    events.map(({ height }) => height),
    Array.from({ length: 20 }, (_, i) => head - 19 + i),
  )
  assert.deepEqual(receiver.invalid, [])
  for (const event of [events[0]!, events[19]!]) {
    const block = await get(`/block/${event.height}?stats=true`)
    assert.deepEqual(event.data, block)
    assert.deepEqual([event.type, event.timestamp, event.network, event.position], ['block', block.time, 'main', 0])
  }
})
