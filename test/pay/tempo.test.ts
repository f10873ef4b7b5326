import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Challenge } from 'mppx'
import { Mppx, tempo } from 'mppx/client'
import { createClient, createTestClient, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tempo as tempoChain } from 'viem/tempo/chains'
import { systemClock } from '../../src/lib/clock.ts'
import { openClient } from '../../src/pay/evm/rpc.ts'
import { payerKey, RECIPIENT } from '../../src/pay/local-chain/accounts.ts'
import { findAnvil, spawnAnvil } from '../../src/pay/local-chain/anvil.ts'
import { buyOnce } from '../../src/pay/local-chain/buy-once.ts'
import type { Hex } from '../../src/pay/settings.ts'
import { type Bed, makeBed, type Server } from './bed.ts'
import { mppClient, persist, receiptOf } from './clients.ts'
import { startRpcProxy } from './rpc-proxy.ts'

/** The second MPP method, on a local chain of its kind: offered beside the first, paid by a transaction that the payer signs. */

const CHAIN_ID = 42431
const TOKEN: Hex = '0x20c0000000000000000000000000000000000000'

let bed: Bed
let server: Server
let rpcUrl: string

before(async () => {
  bed = await makeBed()
  // Without periodic blocks the window of its short-lived transaction numbers is missed.
  const chain = await spawnAnvil(
    findAnvil()!,
    ['--network', 'tempo', '--hardfork', 'T3', '--block-time', '1', '--mixed-mining'],
    CHAIN_ID,
  )
  bed.onStop(chain.stop)
  rpcUrl = chain.rpcUrl
  // Until its second block the chain simulates calls at second 1, where no payment is valid yet.
  const client = openClient({ url: rpcUrl })
  while ((await client.getBlockNumber({ cacheTime: 0 })) < 2n) await systemClock.sleep(50)
  server = await bed.serve({
    settings: { methods: ['evm', 'tempo'], tempo: { chainId: CHAIN_ID, rpcUrl, token: TOKEN, decimals: 6 }, leaseMs: 2000 },
  })
})
after(() => bed.stop())

function tempoClient() {
  const client = createClient({ chain: { ...tempoChain, id: CHAIN_ID }, transport: http(rpcUrl) })
  return Mppx.create({
    polyfill: false,
    methods: [tempo.charge({ account: privateKeyToAccount(payerKey(0)), getClient: () => client as never })],
  })
}

const balance = () =>
  openClient({ url: rpcUrl }).readContract({
    address: TOKEN,
    abi: parseAbi(['function balanceOf(address owner) view returns (uint256)']),
    functionName: 'balanceOf',
    args: [RECIPIENT],
  })

test('a chain or token of the second method that is not what the settings say is refused at start', async () => {
  const serve = (chainId: number, token: Hex) =>
    bed.serve({ settings: { methods: ['tempo'], tempo: { chainId, rpcUrl, token, decimals: 6 } } })
  await assert.rejects(serve(4217, TOKEN), /chain_id is 42431, the settings say 4217/)
  await assert.rejects(serve(CHAIN_ID, RECIPIENT), /check paid\.tempo\.rpc_url and paid\.tempo\.token/)
})

test('both methods are offered, in the order the client prefers', async () => {
  const methods = async (accept?: string) => {
    const response = await fetch(`${server.url}/v1/head`, accept ? { headers: { 'accept-payment': accept } } : {})
    return Challenge.fromResponseList(response).map(({ method }) => method)
  }
  assert.deepEqual(await methods(), ['evm', 'tempo'])
  assert.deepEqual(await methods('tempo/charge, evm/charge;q=0.5'), ['tempo', 'evm'])
  assert.deepEqual(await methods('tempo/charge'), ['tempo'])
  assert.deepEqual(await methods('stripe/charge'), ['evm', 'tempo'])
})

test('a tempo payer buys answers for exactly their price, and a repetition costs nothing', async () => {
  const before = await balance()
  const client = tempoClient()
  for (const path of ['/v1/head', '/v1/validators']) {
    const response = await client.fetch(server.url + path)
    assert.equal(response.status, 200, await response.clone().text())
    assert.equal(receiptOf(response).method, 'tempo')
  }
  assert.equal((await balance()) - before, 3000n)
  const payment = await client.preparePayment(await fetch(`${server.url}/v1/head`))
  const headers = { authorization: await payment.createCredential() }
  const again = () => fetch(`${server.url}/v1/head`, { headers })
  assert.equal((await again()).status, 200)
  assert.equal((await persist(again)).headers.get('idempotent-replayed'), 'true')
  assert.equal((await balance()) - before, 4000n)
})

test('a chain that cannot say where a payment is costs no second one, however late it is', async () => {
  const proxy = await startRpcProxy(rpcUrl)
  bed.onStop(proxy.close)
  const chain = { chainId: CHAIN_ID, rpcUrl: proxy.url, token: TOKEN, decimals: 6 }
  const settings = { methods: ['tempo' as const], tempo: chain, confirmTimeoutMs: 100, leaseMs: 2000 }
  const careful = await bed.serve({ settings, reconcileMs: 3_600_000, onStep: () => void (proxy.mode = 'blind') })
  const url = `${careful.url}/v1/head`
  const payment = await tempoClient().preparePayment(await fetch(url))
  const headers = { authorization: await payment.createCredential() }
  const before = await balance()
  proxy.mode = 'up'
  assert.equal((await fetch(url, { headers })).status, 503)
  await bed.ledger`update payment set valid_before = now() - interval '1 day' where state = 'broadcast'`
  assert.equal((await fetch(url, { headers })).status, 503)
  proxy.mode = 'up'
  assert.equal((await persist(() => fetch(url, { headers }))).status, 200)
  assert.equal((await balance()) - before, 1000n)
})

for (const mode of ['down', 'silent', 'limiting', 'failing', 'flooding'] as const)
  test(`a node that is ${mode} is 503 and never held against the payer`, async () => {
    const proxy = await startRpcProxy(rpcUrl)
    bed.onStop(proxy.close)
    const chain = { chainId: CHAIN_ID, rpcUrl: proxy.url, token: TOKEN, decimals: 6 }
    const limits = { ...bed.settings.limits, failureBurst: 1, failuresPerMinute: 1 }
    const shop = await bed.serve({ settings: { methods: ['tempo'], tempo: chain, limits, leaseMs: 2000 } })
    const url = `${shop.url}/v1/head`
    const payment = await tempoClient().preparePayment(await fetch(url))
    const headers = { authorization: await payment.createCredential() }
    proxy.mode = mode
    for (let tries = 0; tries < (mode === 'silent' ? 1 : 3); tries++) {
      const response = await fetch(url, { headers })
      assert.equal(response.status, 503, await response.clone().text())
      assert.equal(response.headers.get('www-authenticate'), null)
      assert.ok(response.headers.get('retry-after'))
    }
    assert.ok(proxy.flooded < 256 * 2 ** 20, `${proxy.flooded} bytes`)
    proxy.mode = 'up'
    assert.equal((await persist(() => fetch(url, { headers }))).status, 200)
  })

test('the demonstration finds the offer it can pay, and says so when there is none', async () => {
  const chain = { chainId: CHAIN_ID, rpcUrl, token: TOKEN, decimals: 6 }
  const other = await bed.serve({ settings: { methods: ['tempo', 'evm'], tempo: chain } })
  assert.equal((await buyOnce({ url: `${other.url}/v1/head`, protocol: 'mpp' })).status, 200)
  const alone = await bed.serve({ settings: { methods: ['tempo'], tempo: chain } })
  await assert.rejects(buyOnce({ url: `${alone.url}/v1/head`, protocol: 'x402' }), /pays by the method evm/)
})

test('the evm payer is served beside it', async () => {
  assert.equal((await mppClient(server.settings).fetch(`${server.url}/v1/head`)).status, 200)
})

test('a transaction whose time is over on its chain is 402 with a new offer', async () => {
  const url = `${server.url}/v1/head`
  const payment = await tempoClient().preparePayment(await fetch(url))
  const headers = { authorization: await payment.createCredential() }
  const before = await balance()
  // Last in this file: the clock of the chain stays ahead.
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  await client.increaseTime({ seconds: 3600 })
  await client.mine({ blocks: 1 })
  const late = await fetch(url, { headers })
  assert.equal(late.status, 402, await late.clone().text())
  assert.deepEqual(
    Challenge.fromResponseList(late).map(({ method }) => method),
    ['evm', 'tempo'],
  )
  assert.match(((await late.json()) as { detail: string }).detail, /has expired/)
  assert.equal(await balance(), before)
})
