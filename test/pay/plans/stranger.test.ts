import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { addMcpToPaidSurface } from '../../../src/mcp/paid-surface.ts'
import { payerKey } from '../../../src/pay/local-chain/accounts.ts'
import { refund } from '../../../src/pay/settle/refund.ts'
import { createKey } from '../../../src/store/access/keys.ts'
import { findRefundable } from '../../../src/store/pay/refunds.ts'
import { SECRETS, type TestApi } from '../../access/guarded-api.ts'
import { callByMpp, callByX402, connect } from '../../mcp/clients.ts'
import { mppClient, payHeader, persist, receiptOf, x402Fetch, x402Header, x402Payload } from '../clients.ts'
import { type Bought, DAY_S, openPlanShop, type PlanShop } from './plan-shop.ts'

/** The path of a customer whom nobody knows, with both official clients. */

let shop: PlanShop
before(async () => {
  shop = await openPlanShop({ addRoutes: addMcpToPaidSurface })
})
after(() => shop.stop())

const PRICES = { developer: 49_000_000n, business: 199_000_000n }

const ask = (api: TestApi, key: string) => api.app.inject({ method: 'GET', url: '/v1/plans', headers: { apikey: key } })

/** Status of a key on both servers, once they agree with what is expected: within 5 seconds. */
async function assertKey(key: string, status: number): Promise<void> {
  for (const api of shop.apis)
    for (let tries = 0; ; tries++) {
      const answer = await ask(api, key)
      if (answer.statusCode === status) break
      assert.ok(tries < 100, `${answer.statusCode} instead of ${status}: ${answer.payload}`)
      await delay(50)
    }
}

async function buy(
  client: 'mpp' | 'x402',
  plan: keyof typeof PRICES,
  apikey?: string,
): Promise<Bought & { transaction: string }> {
  const { settings } = shop.server
  const pay = client === 'mpp' ? mppClient(settings).fetch : x402Fetch(settings)
  const before = await shop.bed.revenue()
  const response = await pay(shop.url(plan), { method: 'POST', ...(apikey && { headers: { apikey } }) })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  assert.equal((await shop.bed.revenue()) - before, PRICES[plan])
  return { ...(JSON.parse(text) as Bought), transaction: receiptOf(response).reference }
}

const secondsLeft = ({ valid_until: end }: Bought) => (Date.parse(end) - Date.now()) / 1000
const assertNear = (given: number, wanted: number) => assert.ok(Math.abs(given - wanted) < 60, `${given} is not near ${wanted}`)

test('both surfaces list the plans with limits and prices', async () => {
  const paid = (await (await fetch(`${shop.server.url}/v1/plans`)).json()) as Record<string, unknown>[]
  const { payload } = await shop.apis[0]!.app.inject('/v1/plans')
  assert.deepEqual(JSON.parse(payload), paid)
  assert.deepEqual(
    paid.map(({ name, sold, price_usd, period_days, buy_url, requests_per_second }) => [
      name,
      sold,
      price_usd,
      period_days,
      buy_url,
      requests_per_second,
    ]),
    [
      ['free', false, null, null, null, 100],
      ['developer', true, '49.000000', 30, shop.url('developer'), 50],
      ['business', true, '199.000000', 30, shop.url('business'), 250],
      ['partner', false, null, null, null, 500],
    ],
  )
})

for (const client of ['mpp', 'x402'] as const)
  test(`a stranger buys with ${client}, uses, runs out, renews, changes the plan and is refunded`, async () => {
    const bought = await buy(client, 'developer')
    assert.match(bought.key!, /^astro_live_/)
    assert.deepEqual([bought.plan, bought.renewed, bought.renew_url], ['developer', false, shop.url('developer')])
    assertNear(secondsLeft(bought), 30 * DAY_S)
    const key = bought.key!
    await assertKey(key, 200)
    const used = await ask(shop.apis[1]!, key)
    assert.match(String(used.headers['ratelimit-policy']), /^"burst";q=500;/)
    assert.equal(used.headers['x-key-expires'], undefined)

    const renewed = await buy(client, 'developer', key)
    assert.deepEqual(
      [renewed.key, renewed.renewed, renewed.account, renewed.key_id],
      [undefined, true, bought.account, bought.key_id],
    )
    assert.equal(Date.parse(renewed.valid_until) - Date.parse(bought.valid_until), 30 * DAY_S * 1000)

    await shop.pass(55)
    const warned = await ask(shop.apis[0]!, key)
    assert.equal(warned.statusCode, 200)
    assertNear((Date.parse(String(warned.headers['x-key-expires'])) - Date.now()) / 1000, 5 * DAY_S)
    assert.match(
      String(warned.headers['x-access-warning']),
      /plan developer expires at .* renew it by POST .*\/v1\/plans\/developer\/keys/,
    )

    await shop.pass(6)
    const ended = await ask(shop.apis[0]!, key)
    assert.equal(ended.statusCode, 401)
    const { message } = JSON.parse(ended.payload) as { message: string }
    assert.equal(
      message,
      `the API key has expired: it was of plan developer; renew it by POST ${shop.url('developer')} with the key in the header apikey`,
    )
    const revived = await buy(client, 'developer', key)
    assertNear(secondsLeft(revived), 30 * DAY_S)
    await assertKey(key, 200)

    await shop.pass(15)
    const changed = await buy(client, 'business', key)
    assert.deepEqual([changed.plan, changed.account], ['business', bought.account])
    assertNear(secondsLeft(changed), (30 + (15 * 49) / 199) * DAY_S)
    await delay(1100)
    assert.match(String((await ask(shop.apis[1]!, key)).headers['ratelimit-policy']), /^"burst";q=2500;/)

    const { sql, server } = shop
    for (const { transaction } of [revived, changed]) {
      await sql`update payment set lease_until = now()`
      const payment = await findRefundable(sql, transaction)
      const { isSettled } = await refund({ db: sql, evm: server.settings.evm!, walletKey: payerKey(4), pollMs: 20 }, payment!)
      assert.ok(isSettled)
      if (transaction === changed.transaction) continue
      const [row] = await sql<{ expires_at: string }[]>`select expires_at from api_key where id = ${bought.key_id}`
      assertNear((Date.parse(row!.expires_at) - Date.now()) / 1000, 30 * DAY_S)
    }
    await assertKey(key, 401)
  })

test('the same credential gets the same key again, and no table holds it', async () => {
  for (const rail of ['mpp', 'x402'] as const) {
    const url = shop.url('developer')
    const headers = await payHeader(rail, shop.server.settings, url, undefined, { method: 'POST' })
    const send = () => fetch(url, { method: 'POST', headers })
    const first = await send()
    const { key, account } = (await first.json()) as Bought
    const before = await shop.bed.revenue()
    const again = await send()
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(((await again.json()) as Bought).key, key)
    assert.equal(await shop.bed.revenue(), before)
    const keys = await shop.sql`select id from api_key where account = ${account}`
    assert.equal(keys.length, 1)
    // After the life of the challenge, when it was never handed over. That it was is noted after an answer, which may come in between.
    let handedOver: string | undefined
    for (let tries = 0; tries < 5 && handedOver === undefined; tries++) {
      await shop.sql`update payment set state = 'credit', response_status = null, response_body = null, lease_until = now()
        where key = (select payment_key from plan_term where account = ${account})`
      handedOver = ((await (await send()).json()) as Bought).key
    }
    assert.equal(handedOver, key)
    assert.equal(await shop.bed.revenue(), before)
    const secret = key!.slice(11, 43)
    const stored = await shop.sql<{ row: string; body: string }[]>`
      select p::text as row, encode(coalesce(response_body, ''), 'escape') as body from payment p`
    assert.ok(stored.every(({ row, body }) => !row.includes(secret) && !body.includes(secret)))
  }
})

test('with an idempotency key a new credential of the same payer gets the same key again, too', async () => {
  const url = shop.url('developer')
  const init = { method: 'POST', headers: { 'idempotency-key': 'the-first-of-May' } }
  const send = async () => {
    const headers = await payHeader('mpp', shop.server.settings, url, undefined, init)
    return persist(() => fetch(url, { ...init, headers: { ...init.headers, ...headers } }))
  }
  const first = (await (await send()).json()) as Bought
  const before = await shop.bed.revenue()
  assert.deepEqual(await (await send()).json(), first)
  assert.equal(await shop.bed.revenue(), before)
  await assertKey(first.key!, 200)
})

test('what the chain shows of a payment is not enough to be given its key', async () => {
  const url = shop.url('developer')
  const payload = await x402Payload(shop.server.settings, url, undefined, { method: 'POST' })
  const bought = await fetch(url, { method: 'POST', headers: x402Header(payload) })
  assert.equal(bought.status, 200)
  const guessed = structuredClone(payload)
  guessed.accepted.extra.claim = 'A'.repeat(22)
  const stolen = await persist(() => fetch(url, { method: 'POST', headers: x402Header(guessed) }))
  assert.equal(stolen.status, 402)
  assert.ok(!(await stolen.text()).includes('astro_'))
  delete guessed.accepted.extra.claim
  assert.equal((await fetch(url, { method: 'POST', headers: x402Header(guessed) })).status, 402)
})

test('a key that cannot be renewed costs nothing', async () => {
  const { text: arranged } = await createKey(shop.sql, SECRETS, { role: 'client', plan: 'partner', label: 'arranged' })
  const url = shop.url('developer')
  const before = await shop.bed.revenue()
  for (const [apikey, status] of [
    [arranged, 409],
    ['astro_live_nothing', 401],
    [`${arranged.slice(0, -1)}x`, 401],
  ] as const) {
    const init = { method: 'POST', headers: { apikey } }
    const headers = { ...init.headers, ...(await payHeader('mpp', shop.server.settings, url, undefined, init)) }
    const response = await fetch(url, { method: 'POST', headers })
    assert.equal(response.status, status, await response.clone().text())
    assert.equal(((await response.json()) as { param: string }).param, 'apikey')
  }
  assert.equal(await shop.bed.revenue(), before)
})

test('a payment for a renewal buys nothing without the key, nor the other way round', async () => {
  const { key } = await buy('mpp', 'developer')
  const url = shop.url('developer')
  const init = { method: 'POST', headers: { apikey: key! } }
  const forRenewal = await payHeader('mpp', shop.server.settings, url, undefined, init)
  assert.equal((await fetch(url, { method: 'POST', headers: forRenewal })).status, 402)
  const forNew = await payHeader('mpp', shop.server.settings, url, undefined, { method: 'POST' })
  assert.equal((await fetch(url, { ...init, headers: { ...init.headers, ...forNew } })).status, 402)
})

test('agents buy and renew keys as tools, with both protocols', async () => {
  const client = await connect(shop.server.url)
  const { tools } = await client.listTools()
  const tool = tools.find(({ name }) => name === 'buyPlan_developer')!
  assert.match(tool.description!, /API key of the plan developer for 30 days .* Costs 49 USD/)
  assert.deepEqual([tool.annotations?.readOnlyHint, Object.keys(tool.inputSchema.properties!)], [false, ['apikey']])
  for (const call of [
    callByMpp(client, shop.server.settings, payerKey(2)),
    callByX402(client, shop.server.settings, payerKey(2)),
  ]) {
    const { key, account } = (await call('buyPlan_developer')).structuredContent as Bought
    await assertKey(key!, 200)
    const renewed = (await call('buyPlan_developer', { apikey: key })).structuredContent as Bought
    assert.deepEqual([renewed.renewed, renewed.account], [true, account])
  }
  await client.close()
})

test('both descriptions name the plans with their prices', async () => {
  const { paths } = (await (await fetch(`${shop.server.url}/openapi.json`)).json()) as {
    paths: Record<
      string,
      { post: { 'x-payment-info': { price: { amount: string } }; parameters: { name: string; in: string }[] } }
    >
  }
  const { post } = paths['/v1/plans/business/keys']!
  assert.equal(post['x-payment-info'].price.amount, '199.000000')
  assert.deepEqual(
    post.parameters.map((parameter) => [parameter.name, parameter.in]),
    [['apikey', 'header']],
  )
  const text = await (await fetch(`${shop.server.url}/llms.txt`)).text()
  assert.match(text, /- POST \/v1\/plans\/developer\/keys \(USD 49\.000000\): API key of the plan developer for 30 days\./)
  assert.equal((await fetch(`${shop.server.url}/v1/plans/partner/keys`, { method: 'POST' })).status, 404)
  assert.equal((await fetch(shop.url('developer'))).status, 405)
})
