import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPool } from '../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { waitUntil } from '../live/stack.ts'
import { freshDatabase } from '../support/database.ts'
import { LOCAL } from './settings.ts'
import { clientOf, makeKey, openWebhookApi, subscribe } from './stack.ts'

const plans = [
  { name: 'free', requests_per_second: 1000, webhooks: 10, webhook_events_per_day: 5 },
  { name: 'small', requests_per_second: 1000, webhooks: 10, webhook_bytes_per_day: 10_000 },
]

test('what a plan posts in a day is bounded by events and by bytes, and its owner is told', async () => {
  const url = await freshDatabase('devnet')
  // No request is given up and repeated, however slow the machine is: each of them counts.
  const target = { ...LOCAL.target, timeoutMs: 60_000 }
  const api = await openWebhookApi(url, { access: { plans }, webhooks: { deliver: true, ...LOCAL, target } })
  const [free, small] = [clientOf(api, await makeKey(url)), clientOf(api, await makeKey(url, 'small'))]
  await api.service.parts.ring.refresh()
  const { id, receiver } = await subscribe(free, { events: ['block'], from: 1 })
  const other = await subscribe(free, { events: ['block'], from: 1 })
  const bytes = await subscribe(small, { events: ['block'], from: 1 })
  const show = async (client = free, of = id) => (await client('GET', `/webhooks/${of}`)).body
  const isPaused = async (client: typeof free, of: string) => (await show(client, of)).state === 'paused'
  for (const each of [id, other.id]) await waitUntil(() => isPaused(free, each))
  const paused = await show()
  assert.equal(paused.paused_reason, 'quota')
  const until = new Date(paused.paused_until)
  assert.ok(until.getTime() > Date.now() && until.toISOString().endsWith('T00:00:00.000Z'), 'until the next day of UTC')
  const isBlock = ({ type }: { type: string }) => type === 'block'
  const [word] = (await receiver.until((events) => events.some(({ type }) => type === 'webhook.paused'))).filter(
    (event) => !isBlock(event),
  )
  assert.deepEqual([word!.type, word!.data.reason, new Date(word!.data.until)], ['webhook.paused', 'quota', until])
  // One more may be under way of each subscription when the last one counts.
  const blocks = () => [receiver, other.receiver].flatMap(({ events }) => events.filter(isBlock))
  assert.ok(blocks().length >= 5 && blocks().length <= 6, `${blocks().length} events`)

  await waitUntil(() => isPaused(small, bytes.id))
  const posted = bytes.receiver.events.filter(isBlock).map((event) => JSON.stringify(event).length)
  const sum = posted.reduce((total, each) => total + each, 0)
  assert.ok(sum > 5000 && sum < 20_000, `${sum} bytes`)

  // A day later it continues on its own, where it stopped.
  const sql = openPool('access', { url, schema: SHARED_SCHEMA, max: 1 })
  await sql`update webhook_usage set day = day - 1`
  await sql`update webhook set paused_until = now() - interval '1 second'`
  await sql.end()
  const before = receiver.events.filter(isBlock)
  await receiver.until((events) => events.filter(isBlock).length > before.length)
  const heights = receiver.events.filter(isBlock).map(({ height }) => height)
  assert.deepEqual(
    heights,
    heights.map((_, i) => 1 + i),
  )
})
