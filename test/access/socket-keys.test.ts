import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { WebSocket } from 'ws'
import { openLive } from '../../src/client/live.ts'
import { openAccessDb } from '../../src/store/access/db.ts'
import { createKey, revokeKey } from '../../src/store/access/keys.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { WsClient } from '../live/ws-client.ts'
import { freshDatabase } from '../support/database.ts'
import { openGuardedApi, SECRETS, type TestApi } from './guarded-api.ts'

/** The plan `small` has two WebSockets, a caller without a key has ten. */
describe('keys on WebSockets', () => {
  let api: TestApi
  let address: string
  let sql: ReturnType<typeof openAccessDb>
  before(async () => {
    const url = await freshDatabase('devnet')
    sql = openAccessDb(url, SHARED_SCHEMA)
    api = await openGuardedApi(url, { push: true })
    await api.app.listen({ host: '127.0.0.1', port: 0 })
    address = `127.0.0.1:${(api.app.server.address() as AddressInfo).port}`
  })
  after(async () => {
    await api.close()
    await sql.end()
  })

  const makeKey = async () => {
    const made = await createKey(sql, SECRETS, { role: 'client', plan: 'small', label: 'x' })
    await api.service.parts.ring.refresh()
    return made
  }
  const open = (headers: Record<string, string> = {}) => WsClient.open(`ws://${address}/v1/ws`, { headers })
  const statusOf = async (headers: Record<string, string>) => {
    const client = new WsClient(`ws://${address}/v1/ws`, { headers })
    const [, response] = await once(client.socket, 'unexpected-response')
    return response.statusCode
  }
  const authorize = (apikey: unknown) => ({ method: 'authorize', body: { apikey } })

  test('a key in the header counts for its plan; a wrong one is answered before the upgrade', async () => {
    const { text } = await makeKey()
    const clients = [await open({ apikey: text }), await open({ APIKEY: text })]
    assert.equal(await statusOf({ apikey: text }), 429)
    assert.equal(await statusOf({ apikey: 'astro_live_wrong' }), 401)
    for (const client of clients) await client.close()
  })

  test('a key in the first message counts for its plan from then on, and frees the place of the address', async () => {
    const { text } = await makeKey()
    const keyed = [await open(), await open()]
    for (const client of keyed) {
      client.send(authorize(text))
      // Sent before the answer: waits for it.
      client.subscribe('head', { ack: true })
      assert.deepEqual(
        (await client.collect('ack', 2)).map(({ method }) => method),
        ['authorize', 'subscribe'],
      )
    }
    const third = await open()
    third.send(authorize(text))
    assert.deepEqual(await third.closed, { code: 1008, reason: 'too_many_connections' })
    assert.deepEqual(third.notices, [{ channel: 'error', body: { code: 5, message: 'too many connections' } }])
    const free = await Promise.all(Array.from({ length: 10 }, () => open()))
    for (const client of [...free, ...keyed]) await client.close()
  })

  test('the client sends its key first', async () => {
    const { text, id } = await makeKey()
    let live: ReturnType<typeof openLive> | undefined
    const ack = await new Promise((resolve) => {
      const onNotice = resolve as (notice: unknown) => void
      live = openLive({ url: `ws://${address}/v1/ws`, apiKey: text, channels: ['head'], onNotice, WebSocket })
    })
    live?.close()
    assert.deepEqual(ack, { channel: 'ack', body: { method: 'authorize' } })
    await revokeKey(sql, id)
  })

  test('a wrong key closes the connection instead of leaving it free, and a late one is refused', async () => {
    const wrong = await open()
    wrong.send(authorize('astro_live_wrong'))
    assert.deepEqual(await wrong.closed, { code: 1008, reason: 'key_refused' })
    assert.deepEqual(wrong.notices, [{ channel: 'error', body: { code: 5, message: 'this is not an API key' } }])
    const late = await open()
    await late.subscribed('head')
    late.send(authorize((await makeKey()).text))
    late.send(authorize(7))
    assert.deepEqual(
      (await late.collect('error', 2)).map(({ code }) => code),
      [5, 1],
    )
    await late.close()
  })

  test('connections of a key that is revoked are closed, however the key came', async () => {
    const { text, id } = await makeKey()
    const [byHeader, byMessage, other] = [await open({ apikey: text }), await open(), await open()]
    byMessage.send(authorize(text))
    await byMessage.collect('ack', 1)
    const stream = await fetch(`http://${address}/v1/sse?channel=head`)
    await revokeKey(sql, id)
    assert.deepEqual(await byHeader.closed, { code: 1008, reason: 'key_inactive' })
    assert.deepEqual(await byMessage.closed, { code: 1008, reason: 'key_inactive' })
    await other.subscribed('head')
    await other.close()
    await stream.body?.cancel()
  })

  test('an event stream ends with its key', async () => {
    const { text, id } = await makeKey()
    const stream = await fetch(`http://${address}/v1/sse?channel=head`, { headers: { apikey: text } })
    assert.equal(stream.status, 200)
    await revokeKey(sql, id)
    assert.match(await stream.text(), /^retry: 1000\n\n/)
  })
})
