import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { generatePrivateKey } from 'viem/accounts'
import { createClientAddress } from '../../src/access/client.ts'
import { PAY_DEFAULTS } from '../../src/pay/from-config.ts'
import { payerKey } from '../../src/pay/local-chain/accounts.ts'
import { createPayMetrics } from '../../src/pay/metrics.ts'
import type { Hex } from '../../src/pay/settings.ts'
import { type Bed, echo, makeBed } from './bed.ts'
import { type Header, payHeader, x402Header, x402Payload } from './clients.ts'
import { startRpcProxy } from './rpc-proxy.ts'
import { contractPayload, deployWallet, slowWallet } from './wallets.ts'

/** Running the surface: limits, figures, and what never gets into a log. */

let bed: Bed
before(async () => {
  bed = await makeBed()
})
after(() => bed.stop())

const { limits: LIMITS } = PAY_DEFAULTS

const head = (url: string, headers: Header = {}) => fetch(`${url}/v1/head`, { headers })

test('offers are limited per client, and paying is not', async () => {
  const limits = { ...LIMITS, challengesPerS: 0.1, challengeBurst: 3 }
  const server = await bed.serve({ settings: { limits } })
  const paying = await payHeader('mpp', server.settings, `${server.url}/v1/head`)
  assert.equal((await head(server.url)).status, 402)
  assert.equal((await head(server.url)).status, 402)
  const refused = await head(server.url)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
  assert.equal((await head(server.url, paying)).status, 200)
})

test('payments that cannot be taken are limited much harder', async () => {
  const limits = { ...LIMITS, failuresPerMinute: 1, failureBurst: 2 }
  const server = await bed.serve({ settings: { limits } })
  const poor = await payHeader('x402', server.settings, `${server.url}/v1/head`, generatePrivateKey())
  assert.deepEqual(
    [await head(server.url, poor), await head(server.url, poor)].map(({ status }) => status),
    [402, 402],
  )
  assert.equal((await head(server.url, poor)).status, 429)
  assert.equal((await head(server.url)).status, 402)
})

test('a good payment for what is not there stays good and free, and cannot be used to ask without end', async () => {
  const limits = { ...LIMITS, unsoldPerMinute: 1, unsoldBurst: 2 }
  let status = 404
  const server = await bed.serve({
    settings: { limits },
    lookup: async (operation, inputs) => (status === 200 ? echo(operation, inputs) : { status, detail: 'nothing found' }),
  })
  const header = await payHeader('x402', server.settings, `${server.url}/v1/head`)
  status = 503
  for (let i = 0; i < 3; i++) assert.equal((await head(server.url, header)).status, 503)
  status = 404
  assert.deepEqual([(await head(server.url, header)).status, (await head(server.url, header)).status], [404, 404])
  status = 200
  const refused = await head(server.url, header)
  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('ratelimit') ?? '', /"unsold";r=0;t=1\d\d/)
  assert.equal(refused.headers.get('www-authenticate'), null)
  assert.equal((await head(server.url)).status, 402)
})

test('a valid payment is never refused for what others behind the same address do', async () => {
  const limits = { ...LIMITS, failuresPerMinute: 1, failureBurst: 2, unsoldPerMinute: 1, unsoldBurst: 1 }
  let status = 200
  const server = await bed.serve({
    settings: { limits },
    lookup: async (operation, inputs) => (status === 200 ? echo(operation, inputs) : { status, detail: 'nothing found' }),
  })
  const pay = (rail: 'mpp' | 'x402', key?: Hex) => payHeader(rail, server.settings, `${server.url}/v1/head`, key)
  const statusOf = async (headers: Header) => (await head(server.url, headers)).status
  // A payer without money, garbage, and one who asks for what is not there: each uses up its own limit.
  const poor = await pay('x402', generatePrivateKey())
  for (const expected of [402, 402, 429]) assert.equal(await statusOf(poor), expected)
  for (const expected of [402, 402, 429]) assert.equal(await statusOf({ authorization: 'Payment x' }), expected)
  status = 404
  const curious = await pay('x402', payerKey(2))
  for (const expected of [404, 429]) assert.equal(await statusOf(curious), expected)
  status = 200
  for (const rail of ['mpp', 'x402'] as const) assert.equal(await statusOf(await pay(rail)), 200)
  // A contract that has bought before is a customer; one that nobody knows waits with the garbage.
  const wallet = await deployWallet(bed, slowWallet(1), 10_000n)
  const byContract = async (origin: string) => x402Header(await contractPayload(`${origin}/v1/head`, wallet))
  assert.equal(await statusOf(await byContract(server.url)), 429)
  const other = await bed.serve()
  assert.equal((await head(other.url, await byContract(other.url))).status, 200)
  assert.equal(await statusOf(await byContract(server.url)), 200)
})

test('every answer of an operation tells the limits and what is left of them', async () => {
  // So slow that nothing fills up meanwhile.
  const limits = { ...LIMITS, challengesPerS: 0.1, failuresPerMinute: 1, unsoldPerMinute: 1 }
  const server = await bed.serve({ settings: { limits } })
  const header = await payHeader('mpp', server.settings, `${server.url}/v1/head`)
  const told = async (response: Promise<Response>) => {
    const { status, headers } = await response
    assert.equal(headers.get('ratelimit-policy'), '"challenges";q=200;w=2000, "failures";q=20;w=1200, "unsold";q=60;w=3600')
    assert.match(headers.get('access-control-expose-headers') ?? '', /RateLimit, RateLimit-Policy/)
    return [status, headers.get('ratelimit')?.replaceAll(/;t=\d+/g, '')]
  }
  assert.deepEqual(await told(head(server.url, header)), [200, '"challenges";r=199, "failures";r=20, "unsold";r=60'])
  assert.deepEqual(await told(head(server.url, { authorization: 'Payment x' })), [
    402,
    '"challenges";r=199, "failures";r=19, "unsold";r=60',
  ])
})

test('headers that cannot be read are limited as well: each refusal carries offers', async () => {
  const limits = { ...LIMITS, failuresPerMinute: 1, failureBurst: 2 }
  for (const [header, status] of [
    [{ authorization: 'Payment nonsense' }, 402],
    [{ 'payment-signature': 'nonsense' }, 400],
  ] as [Header, number][]) {
    const server = await bed.serve({ settings: { limits } })
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await head(server.url, header)).status)
    assert.deepEqual(statuses, [status, status, 429])
  }
})

test('a forwarded address counts only when its proxy is trusted', async () => {
  const limits = { ...LIMITS, challengesPerS: 0.1, challengeBurst: 1 }
  const behind = await bed.serve({ settings: { limits }, clientAddress: createClientAddress(['127.0.0.1']) })
  assert.equal((await head(behind.url, { 'x-forwarded-for': '10.0.0.1' })).status, 402)
  assert.equal((await head(behind.url, { 'x-forwarded-for': '10.0.0.2' })).status, 402)
  assert.equal((await head(behind.url, { 'x-forwarded-for': '10.0.0.1' })).status, 429)
  const direct = await bed.serve({ settings: { limits } })
  assert.equal((await head(direct.url, { 'x-forwarded-for': '10.0.0.1' })).status, 402)
  assert.equal((await head(direct.url, { 'x-forwarded-for': '10.0.0.2' })).status, 429)
})

test('an unpaid request touches neither database nor chain: offers go on when both are away', async () => {
  // Of its own: the jobs of other servers connect again every few seconds.
  const alone = await makeBed()
  bed.onStop(alone.stop)
  const proxy = await startRpcProxy(alone.chain.rpcUrl)
  bed.onStop(proxy.close)
  const evm = { ...alone.settings.evm!, rpcUrl: proxy.url }
  const server = await alone.serve({ settings: { evm }, connections: 1, reconcileMs: 3_600_000, watchMs: 3_600_000 })
  const connections = async (more: 'any' | 'busy' = 'any') => {
    const [{ count }] = await alone.ledger<[{ count: number }]>`
      select count(*) from pg_stat_activity
      where application_name like 'astrolabe pay %' and datname = current_database() and pid <> pg_backend_pid()
        and (${more} = 'any' or state <> 'idle' or state_change > clock_timestamp() - interval '300 ms')`
    return count
  }
  // The jobs run once when the server starts.
  while ((await connections()) === 0 || (await connections('busy')) > 0) await delay(20)
  proxy.mode = 'down'
  await alone.ledger`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'astrolabe pay %' and datname = current_database() and pid <> pg_backend_pid()`
  while ((await connections()) > 0) await delay(5)
  for (let i = 0; i < 20; i++) assert.equal((await head(server.url)).status, 402)
  assert.equal(await connections(), 0)
})

test('figures follow what happens, by bounded labels', async () => {
  const registry = new Registry()
  const server = await bed.serve({ metrics: createPayMetrics(registry) })
  await head(server.url)
  assert.equal((await head(server.url, await payHeader('mpp', server.settings, `${server.url}/v1/head`))).status, 200)
  await head(server.url, await payHeader('x402', server.settings, `${server.url}/v1/head`, generatePrivateKey()))
  const text = await registry.metrics()
  assert.match(text, /idx_pay_challenges_total\{tier="A"\} 3/)
  assert.match(text, /idx_pay_credentials_total\{outcome="paid"\} 1/)
  assert.match(text, /idx_pay_credentials_total\{outcome="insufficient_balance"\} 1/)
  assert.match(text, /idx_pay_revenue_usd_total\{tier="A"\} 0\.001/)
  assert.match(text, /idx_pay_settle_duration_seconds_count 1/)
})

test('a chain that is away is logged without its address and without what was asked', async () => {
  let written = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += chunk
      done()
    },
  })
  const proxy = await startRpcProxy(bed.chain.rpcUrl)
  bed.onStop(proxy.close)
  const evm = { ...bed.settings.evm!, rpcUrl: `${proxy.url}/v2/operators-key` }
  const server = await bed.serve({ log: pino({ level: 'trace' }, stream), settings: { evm } })
  for (const rail of ['mpp', 'x402'] as const) {
    const payload = await x402Payload(server.settings, `${server.url}/v1/head`)
    const header = rail === 'x402' ? x402Header(payload) : await payHeader(rail, server.settings, `${server.url}/v1/head`)
    proxy.mode = 'down'
    assert.equal((await head(server.url, header)).status, 503)
    proxy.mode = 'up'
    assert.doesNotMatch(written, new RegExp((payload.payload as { signature: string }).signature.slice(2, 66)))
  }
  assert.match(written, /payment chain not available/)
  assert.match(written, /HttpRequestError/)
  assert.doesNotMatch(written, /operators-key|eth_estimateGas|0xe3ee160e/)
})

test('no credential, key or secret gets into a log line', async () => {
  let written = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += chunk
      done()
    },
  })
  const settlerKey = generatePrivateKey()
  const broken = await bed.serve({
    log: pino({ level: 'trace' }, stream),
    settings: { evm: { ...bed.settings.evm!, settlerKey } },
  })
  const failing = await bed.serve({
    log: pino({ level: 'trace' }, stream),
    lookup: () => Promise.reject(new Error('lookup broke')),
  })
  const secrets = [settlerKey.slice(2), bed.settings.secretKey, bed.settings.evm!.settlerKey.slice(2)]
  for (const rail of ['mpp', 'x402'] as const)
    for (const server of [broken, failing]) {
      const header = await payHeader(rail, server.settings, `${server.url}/v1/head`)
      secrets.push(...Object.values(header).map((value) => value.replace(/^Payment /, '')))
      const response = await head(server.url, header)
      const body = await response.text()
      for (const secret of secrets) assert.ok(!body.includes(secret))
    }
  assert.match(written, /payment chain not available/)
  assert.match(written, /lookup failed/)
  for (const secret of secrets) assert.ok(!written.includes(secret), secret)
})
