import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { TestApi } from '../access/guarded-api.ts'
import { waitUntil } from '../live/stack.ts'
import { freshDatabase } from '../support/database.ts'
import { LOCAL } from './settings.ts'
import { type Client, clientOf, makeKey, openWebhookApi, subscribe } from './stack.ts'

let url: string
let api: TestApi
let keys: string[]
let client: Client
let other: Client
let head: number

const PLANS = [{ name: 'free', requests_per_second: 100_000, webhooks: 8 }]

before(async () => {
  url = await freshDatabase('devnet')
  keys = [await makeKey(url), await makeKey(url)]
  const delivery = { ...LOCAL.delivery, pauseAfterMs: 200 }
  api = await openWebhookApi(url, {
    access: { plans: PLANS },
    webhooks: { deliver: true, target: { ...LOCAL.target, timeoutMs: 10_000 }, delivery },
  })
  await api.service.parts.ring.refresh()
  client = clientOf(api, keys[0])
  other = clientOf(api, keys[1])
  head = (await client('GET', '/head')).body.last_height
})

const show = async (id: string) => (await client('GET', `/webhooks/${id}`)).body

test('a webhook needs a key, and belongs to the account of that key', async () => {
  assert.equal((await clientOf(api, undefined)('GET', '/webhooks')).body.code, 'key_required')
  const { id } = await subscribe(client, { events: ['block'] })
  const { body } = await client('GET', '/webhooks')
  assert.deepEqual(
    body.map((each: { id: string }) => each.id),
    [id],
  )
  assert.equal(body[0].secret, undefined)
  assert.deepEqual([body[0].height, body[0].state], [head, 'active'])
  assert.deepEqual((await other('GET', '/webhooks')).body, [])
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/pause'],
    ['POST', '/rotate'],
    ['POST', '/test'],
    ['GET', '/deliveries'],
  ] as const) {
    const { status, body: refusal } = await other(method, `/webhooks/${id}${path}`, method === 'PATCH' ? {} : undefined)
    assert.deepEqual([status, refusal.code], [404, 'unknown_webhook'], path)
  }
  assert.equal((await client('DELETE', `/webhooks/${id}`)).status, 200)
  assert.deepEqual((await client('GET', '/webhooks')).body, [])
})

test('what is wrong with a subscription is said by name', async () => {
  const good = { url: 'http://127.0.0.1:9/', events: ['block'] }
  for (const [change, param] of [
    [{ url: 'ftp://127.0.0.1/' }, 'url'],
    [{ url: 'http://10.0.0.1/' }, 'url'],
    [{ url: 'http://[::ffff:10.0.0.1]/' }, 'url'],
    [{ url: 'http://user:word@127.0.0.1/' }, 'url'],
    [{ url: 'no url' }, 'url'],
    [{ events: [] }, 'events'],
    [{ events: ['blocks'] }, 'events.0'],
    [{ filters: { signer: ['celestia1'] }, events: ['tx'] }, 'filters.signer'],
    [{ filters: { signer: ['celestia1w4dvevy0zm70yss42h4k597at605fn388cmm78'] } }, 'filters.signer'],
    [{ filters: { colour: 'blue' } }, 'filters.colour'],
    [{ from: head + 2 }, 'from'],
    [{ from: 0 }, 'from'],
  ] as const) {
    const { status, body } = await client('POST', '/webhooks', { ...good, ...change })
    assert.deepEqual([status, body.param], [400, param], `${JSON.stringify(change)}: ${JSON.stringify(body)}`)
  }
  assert.equal((await client('POST', '/webhooks')).status, 400)
  assert.equal((await client('GET', '/webhooks/wh_none')).status, 404)
  const put = await api.app.inject({ method: 'PUT', url: '/v1/webhooks' })
  assert.deepEqual([put.statusCode, put.headers.allow], [405, 'OPTIONS, GET, HEAD, POST'])
})

test('text that the database cannot hold is refused by the name of its field, when created and when changed', async () => {
  const { id } = await subscribe(client, { events: ['transfer'] })
  const good = { url: 'http://127.0.0.1:9/', events: ['transfer'] }
  for (const bad of ['a\0b', 'a\ud800b', '\udc00'])
    for (const [change, param] of [
      [{ description: bad }, 'description'],
      [{ url: `http://127.0.0.1:9/${bad}` }, 'url'],
      [{ filters: { denom: bad } }, 'filters.denom'],
      [{ filters: { address: [bad] } }, 'filters.address.0'],
      [{ events: [bad] }, 'events.0'],
    ] as const)
      for (const { status, body } of [
        await client('POST', '/webhooks', { ...good, ...change }),
        await client('PATCH', `/webhooks/${id}`, change),
      ])
        assert.deepEqual([status, body.param], [400, param], JSON.stringify([change, body]))
  const { body } = await client('PATCH', `/webhooks/${id}`, { description: 'whole 🔭 pairs' })
  assert.equal(body.description, 'whole 🔭 pairs')
  await client('DELETE', `/webhooks/${id}`)
})

test('an event that is named twice is sent once', async () => {
  const { id, receiver } = await subscribe(client, { events: ['block', 'block'], from: head })
  assert.deepEqual((await show(id)).events, ['block'])
  assert.deepEqual((await client('PATCH', `/webhooks/${id}`, { events: ['tx', 'block', 'tx'] })).body.events, ['tx', 'block'])
  await client('PATCH', `/webhooks/${id}`, { events: ['block', 'block'], from: head })
  await waitUntil(async () => (await show(id)).height === head)
  const { body: deliveries } = await client('GET', `/webhooks/${id}/deliveries`)
  const blocks = deliveries.filter(({ type }: { type: string }) => type === 'block')
  assert.equal(blocks.length, 1)
  assert.ok(receiver.events.length > 0)
  await client('DELETE', `/webhooks/${id}`)
})

test('an action takes an empty body as none, and whose webhook it is comes before what was sent', async () => {
  const { id } = await subscribe(client, { events: ['proposal'] })
  const send = (key: string | undefined, method: 'POST' | 'PATCH' | 'DELETE', path: string, payload: string) =>
    api.app.inject({
      method,
      url: `/v1/webhooks/${id}${path}`,
      headers: { ...(key && { apikey: key }), 'content-type': 'application/json' },
      payload,
    })
  for (const path of ['/test', '/pause', '/resume', '/rotate']) {
    assert.equal((await send(keys[0], 'POST', path, '')).statusCode, 200, path)
    assert.equal((await send(keys[1], 'POST', path, '')).statusCode, 404, path)
    assert.equal((await send(keys[1], 'POST', path, '{')).statusCode, 404, path)
    assert.equal((await send(undefined, 'POST', path, '{')).statusCode, 401, path)
  }
  assert.equal((await send(keys[1], 'POST', '/deliveries/msg_1/replay', '{')).statusCode, 404)
  for (const payload of ['', '{', '{"events":[]}']) {
    assert.equal((await send(keys[1], 'PATCH', '', payload)).statusCode, 404, payload)
    assert.equal((await send(keys[0], 'PATCH', '', payload)).statusCode, 400, payload)
    assert.equal((await send(keys[1], 'DELETE', '', payload)).statusCode, 404, payload)
  }
  assert.equal((await send(keys[0], 'DELETE', '', '')).statusCode, 200)
})

test('a plan bounds the number of webhooks', async () => {
  const ids: string[] = []
  for (let i = 0; i < 8; i++)
    ids.push((await other('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['proposal'] })).body.id)
  const { status, body } = await other('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['proposal'] })
  assert.deepEqual([status, body.code], [403, 'too_many_webhooks'])
  for (const id of ids) await other('DELETE', `/webhooks/${id}`)
})

test('a test says how the receiver answered; a replay sends one event again under its id', async () => {
  const { id, receiver } = await subscribe(client, { events: ['block'], from: head })
  const [first] = await receiver.until(({ length }) => length === 1)
  receiver.manner = () => 'fail'
  assert.deepEqual((await client('POST', `/webhooks/${id}/test`)).body.status, 503)
  receiver.manner = () => 'ok'
  const { body: attempt } = await client('POST', `/webhooks/${id}/test`)
  assert.deepEqual([attempt.ok, attempt.status], [true, 204])
  assert.deepEqual([receiver.events.at(-1)!.type, receiver.events.at(-1)!.id], ['webhook.test', attempt.id])

  await waitUntil(async () => (await show(id)).height === head)
  const { body: deliveries } = await client('GET', `/webhooks/${id}/deliveries`)
  assert.equal(deliveries.length, 1)
  assert.deepEqual([deliveries[0].id, deliveries[0].state, deliveries[0].attempts], [first!.id, 'delivered', 1])
  assert.equal((await client('POST', `/webhooks/${id}/deliveries/${first!.id}/replay`)).body.ok, true)
  assert.deepEqual(receiver.events.at(-1), first)
  assert.equal((await client('POST', `/webhooks/${id}/deliveries/msg_none/replay`)).status, 404)
  await client('DELETE', `/webhooks/${id}`)
})

test('a new secret signs beside the old one', async () => {
  const { id, receiver, secrets } = await subscribe(client, { events: ['proposal'] })
  const { body } = await client('POST', `/webhooks/${id}/rotate`)
  assert.notEqual(body.secret, secrets[0])
  for (const secret of [secrets[0]!, body.secret]) {
    secrets.splice(0, secrets.length, secret)
    assert.equal((await client('POST', `/webhooks/${id}/test`)).body.status, 204)
  }
  assert.equal(receiver.signatures[0]!.split(' ').length, 2)
  await client('DELETE', `/webhooks/${id}`)
})

test('paused, nothing comes; resumed, everything; set back, all of it again under the same ids', async () => {
  const { id, receiver } = await subscribe(client, { events: ['block'], from: head - 2 })
  const first = [...(await receiver.until(({ length }) => length === 3))]
  const { body: paused } = await client('POST', `/webhooks/${id}/pause`)
  assert.deepEqual([paused.state, paused.paused_reason], ['paused', 'owner'])
  assert.equal((await client('PATCH', `/webhooks/${id}`, { from: head - 2 })).body.height, head - 3)
  assert.equal(receiver.events.length, 3)
  const { body: resumed } = await client('POST', `/webhooks/${id}/resume`)
  assert.deepEqual([resumed.state, resumed.paused_reason], ['active', undefined])
  assert.deepEqual((await receiver.until(({ length }) => length === 6)).slice(3), first)
  await client('PATCH', `/webhooks/${id}`, { events: ['tx', 'block'], from: head })
  const last = (await receiver.until((taken) => taken.some(({ type }) => type === 'tx') || taken.length > 6)).at(-1)!
  assert.equal(last.height, head)
  await client('DELETE', `/webhooks/${id}`)
})

test('a receiver that fails for too long, or is gone, is paused and told so', async () => {
  const { id, receiver } = await subscribe(client, { events: ['block'] })
  let isBack = false
  receiver.manner = () => (isBack ? 'ok' : 'fail')
  await client('PATCH', `/webhooks/${id}`, { from: head })
  await waitUntil(async () => (await show(id)).failures > 1)
  const failing = await show(id)
  assert.match(failing.last_error, /503/)
  assert.ok(failing.failing_since && failing.next_attempt_at)
  await waitUntil(async () => (await show(id)).state === 'paused')
  assert.equal((await show(id)).paused_reason, 'failing')
  isBack = true
  await client('POST', `/webhooks/${id}/resume`)
  // The word that it is paused may still arrive.
  const isBlock = ({ type }: { type: string }) => type === 'block'
  assert.equal((await receiver.until((taken) => taken.some(isBlock))).find(isBlock)!.height, head)
  const gone = await subscribe(client, { events: ['block'] })
  gone.receiver.manner = (request) => (request === 1 ? 'gone' : 'ok')
  await client('PATCH', `/webhooks/${gone.id}`, { from: head })
  await waitUntil(async () => (await show(gone.id)).state === 'paused')
  const word = (await gone.receiver.until((taken) => taken.some(({ type }) => type === 'webhook.paused'))).at(-1)!
  assert.deepEqual([word.type, word.data.reason], ['webhook.paused', 'gone'])
})

test('a webhook that waits for its next attempt can be set to another height, and does not keep the process from ending', async () => {
  const own = await freshDatabase('devnet')
  const key = await makeKey(own)
  const delivery = { ...LOCAL.delivery, backoff: { minMs: 2000, maxMs: 2000 } }
  const patient = await openWebhookApi(own, {
    access: { plans: PLANS },
    webhooks: { deliver: true, target: LOCAL.target, delivery },
  })
  await patient.service.parts.ring.refresh()
  const ask = clientOf(patient, key)
  const fail = async () => {
    const { id, receiver } = await subscribe(ask, { events: ['block'] })
    receiver.manner = () => 'fail'
    await ask('PATCH', `/webhooks/${id}`, { from: head })
    await waitUntil(async () => (await ask('GET', `/webhooks/${id}`)).body.failures > 0)
    return { id, receiver }
  }
  const { id, receiver } = await fail()
  receiver.manner = () => 'ok'
  await ask('PATCH', `/webhooks/${id}`, { from: head })
  await receiver.until(({ length }) => length === 1)
  await fail()
  await patient.close()
})

test('two processes send nothing twice, and the second continues when the first ends', async () => {
  const own = await freshDatabase('devnet')
  const key = await makeKey(own)
  const options = { access: { plans: PLANS } }
  const [first, second] = [await openWebhookApi(own, options), await openWebhookApi(own, options)]
  for (const each of [first, second]) await each.service.parts.ring.refresh()
  const ask = clientOf(second, key)
  const { id, receiver } = await subscribe(ask, { events: ['block'], from: head - 29 })
  await receiver.until(({ length }) => length === 30)
  assert.equal(new Set(receiver.events.map((event) => event.id)).size, 30)
  await first.close()
  await ask('PATCH', `/webhooks/${id}`, { from: head - 1 })
  await receiver.until(({ length }) => length === 32)
  assert.deepEqual(receiver.events.slice(30), receiver.events.slice(28, 30))
})
