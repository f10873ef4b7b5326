import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPool } from '../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { freshDatabase } from '../support/database.ts'
import { clientOf, makeKey, openWebhookApi, subscribe } from './stack.ts'

test('the end of a key is told 7 days and 1 day before, once each, and begins again with a renewal', async () => {
  const url = await freshDatabase('devnet')
  const sql = openPool('access', { url, schema: SHARED_SCHEMA, max: 1 })
  closeAfterwards(() => sql.end())
  const api = await openWebhookApi(url)
  const client = clientOf(api, await makeKey(url))
  await api.service.parts.ring.refresh()
  const { id, receiver } = await subscribe(client, { events: ['key.expiring'] })
  // A change of the subscription makes the deliverer look at once.
  const expireIn = async (hours: number) => {
    await sql`update api_key set expires_at = now() + ${hours} * interval '1 hour', changed_at = clock_timestamp()`
    await client('PATCH', `/webhooks/${id}`, { description: `${hours} hours` })
  }
  const told = () => receiver.events.map(({ data }) => data.days)
  await expireIn(8 * 24)
  await expireIn(7 * 24 - 1)
  await receiver.until((events) => events.length === 1)
  await sql`update api_key set expires_at = expires_at - interval '6 days'`
  await client('PATCH', `/webhooks/${id}`, { description: 'a day' })
  await receiver.until((events) => events.length === 2)
  await client('PATCH', `/webhooks/${id}`, { description: 'nothing new' })
  await expireIn(5 * 24)
  await receiver.until((events) => events.length === 3)
  assert.deepEqual(told(), [7, 1, 7])
  const [row] = await sql<{ id: string; account: string; end: string }[]>`
    select id, account, to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "end" from api_key`
  const { type, data } = receiver.events[2]!
  assert.deepEqual(
    [type, data],
    ['key.expiring', { key: row!.id, account: row!.account, plan: 'free', days: 7, expires_at: row!.end }],
  )
})
