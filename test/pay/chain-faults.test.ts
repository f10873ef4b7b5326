import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createWalletClient, encodeFunctionData, http, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { openClient } from '../../src/pay/evm/rpc.ts'
import { addressAt, FUNDING, payerKey } from '../../src/pay/local-chain/accounts.ts'
import { fundGas } from '../../src/pay/local-chain/anvil.ts'
import type { Hex } from '../../src/pay/settings.ts'
import { createFastClock } from '../clocks.ts'
import { type Bed, makeBed, reached, type ServeOptions } from './bed.ts'
import { type Header, mppHeader, payHeader, persist, receiptOf, sendAuthorization, x402Header, x402Payload } from './clients.ts'
import { startRpcProxy } from './rpc-proxy.ts'

/** The payment chain is slow, away, lying, or faster than us: every settled payment is delivered or can be asked for again. */

let bed: Bed
before(async () => {
  bed = await makeBed()
})
after(() => bed.stop())

const RAILS = ['mpp', 'x402'] as const
const PRICE = 1000n

const head = (origin: string, headers: Header) => fetch(`${origin}/v1/head`, { headers })

/** A server that reaches the chain through a proxy of ours. */
async function serveBehindProxy(options: ServeOptions = {}) {
  const proxy = await startRpcProxy(bed.chain.rpcUrl)
  bed.onStop(proxy.close)
  const evm = { ...bed.settings.evm!, rpcUrl: proxy.url }
  const server = await bed.serve({ ...options, settings: { evm, leaseMs: 2000, ...options.settings } })
  return { proxy, server }
}

/** Sent and not mined: the client is told to come back, never to pay again. */
for (const rail of RAILS)
  test(`${rail}: a transfer that is not confirmed in time is 503 with its hash, and the same credential gets the answer`, async () => {
    const server = await bed.serve({ settings: { confirmTimeoutMs: 200 } })
    const header = await payHeader(rail, server.settings, `${server.url}/v1/head`)
    const before = await bed.revenue()
    await bed.rpc('evm_setAutomine', false)
    try {
      for (let tries = 0; tries < 2; tries++) {
        const response = await head(server.url, header)
        const told = (await response.json()) as { transaction?: string }
        assert.equal(response.status, 503, JSON.stringify(told))
        assert.match(told.transaction ?? '', /^0x[0-9a-f]{64}$/)
        assert.ok(response.headers.get('retry-after'))
        assert.equal(response.headers.get('www-authenticate'), null)
        assert.equal(response.headers.get('payment-required'), null)
      }
    } finally {
      await bed.rpc('anvil_mine')
      await bed.rpc('evm_setAutomine', true)
    }
    const response = await persist(() => head(server.url, header))
    assert.equal(response.status, 200)
    assert.equal((await bed.revenue()) - before, PRICE)
  })

for (const rail of RAILS)
  test(`${rail}: a chain that is away is 503, nothing is charged, and the credential stays good`, async () => {
    const { proxy, server } = await serveBehindProxy()
    const header = await payHeader(rail, server.settings, `${server.url}/v1/head`)
    const before = await bed.revenue()
    proxy.mode = 'down'
    const response = await head(server.url, header)
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('www-authenticate'), null)
    proxy.mode = 'up'
    assert.equal((await head(server.url, header)).status, 200)
    assert.equal((await bed.revenue()) - before, PRICE)
  })

test('a chain that goes away between signing and sending: the stored transaction is sent later, charged once', async () => {
  const { proxy, server } = await serveBehindProxy({
    settings: { confirmTimeoutMs: 100 },
    onStep: (step) => {
      if (step === 'signed') proxy.mode = 'down'
    },
  })
  const header = await payHeader('mpp', server.settings, `${server.url}/v1/head`)
  const before = await bed.revenue()
  assert.equal((await head(server.url, header)).status, 503)
  assert.equal(await bed.revenue(), before)
  proxy.mode = 'up'
  assert.equal((await persist(() => head(server.url, header))).status, 200)
  assert.equal((await bed.revenue()) - before, PRICE)
})

test('a node whose receipts show no transfer releases no answer and asks for no second payment', async () => {
  const { proxy, server } = await serveBehindProxy()
  const header = await payHeader('x402', server.settings, `${server.url}/v1/head`)
  const before = await bed.revenue()
  proxy.mode = 'forgetful'
  const response = await head(server.url, header)
  assert.equal(response.status, 503)
  assert.equal(response.headers.get('payment-required'), null)
  proxy.mode = 'up'
  assert.equal((await persist(() => head(server.url, header))).status, 200)
  assert.equal((await bed.revenue()) - before, PRICE)
})

for (const rail of RAILS)
  test(`${rail}: a node that takes the transaction and says it failed costs no second payment`, async () => {
    const { proxy, server } = await serveBehindProxy()
    const header = await payHeader(rail, server.settings, `${server.url}/v1/head`)
    const before = await bed.revenue()
    proxy.mode = 'confused'
    assert.equal((await persist(() => head(server.url, header))).status, 200)
    assert.equal((await bed.revenue()) - before, PRICE)
  })

test('a settler without gas is 503 for the payer and free, and works again once it is filled up', async () => {
  const settlerKey = generatePrivateKey()
  const server = await bed.serve({ settings: { evm: { ...bed.settings.evm!, settlerKey } } })
  for (const rail of RAILS) {
    const header = await payHeader(rail, server.settings, `${server.url}/v1/head`)
    const before = await bed.revenue()
    assert.equal((await head(server.url, header)).status, 503)
    assert.equal(await bed.revenue(), before)
  }
  await fundGas(bed.chain.rpcUrl, privateKeyToAccount(settlerKey).address)
  const header = await payHeader('mpp', server.settings, `${server.url}/v1/head`)
  assert.equal((await head(server.url, header)).status, 200)
})

test('somebody else sends the authorization first: the money came, so the answer goes out, once', async () => {
  let foreign: Hex | undefined
  let payload: Awaited<ReturnType<typeof x402Payload>> | undefined
  const server = await bed.serve({
    onStep: async (step) => {
      if (step === 'signed' && payload) foreign = await sendAuthorization(bed, payload)
    },
  })
  payload = await x402Payload(server.settings, `${server.url}/v1/head`)
  const before = await bed.revenue()
  const response = await head(server.url, x402Header(payload))
  assert.equal(response.status, 200, await response.clone().text())
  assert.equal(receiptOf(response).reference, foreign)
  assert.equal((await bed.revenue()) - before, PRICE)
})

test('a payer that empties its account before the transfer is refused, and the ledger knows it', async () => {
  const key = payerKey(4)
  const wallet = createWalletClient({ account: privateKeyToAccount(key), transport: http(bed.chain.rpcUrl) })
  const data = encodeFunctionData({
    abi: parseAbi(['function transfer(address to, uint256 value)']),
    functionName: 'transfer',
    args: [addressAt(0), FUNDING],
  })
  const server = await bed.serve({
    onStep: async (step) => {
      if (step === 'signed') await wallet.sendTransaction({ chain: null, to: bed.chain.token, data })
    },
  })
  const before = await bed.revenue()
  const header = x402Header(await x402Payload(server.settings, `${server.url}/v1/head`, key))
  const response = await head(server.url, header)
  assert.equal(response.status, 402)
  assert.match(((await response.json()) as { detail: string }).detail, /reverted/)
  assert.ok(response.headers.get('payment-response'))
  assert.equal(await bed.revenue(), before)
  const [row] = await bed.ledger<{ state: string }[]>`select state from payment where payer = ${addressAt(4).toLowerCase()}`
  assert.equal(row?.state, 'failed')
})

test('the settler key used elsewhere costs a new signature, not a payment', async () => {
  const server = await bed.serve()
  const settler = createWalletClient({
    account: privateKeyToAccount(bed.settings.evm!.settlerKey),
    transport: http(bed.chain.rpcUrl),
  })
  const hash = await settler.sendTransaction({ chain: null, to: addressAt(0), value: 1n })
  await openClient({ url: bed.chain.rpcUrl }).waitForTransactionReceipt({ hash, pollingInterval: 20 })
  const before = await bed.revenue()
  const header = await payHeader('mpp', server.settings, `${server.url}/v1/head`)
  const response = await head(server.url, header)
  assert.equal(response.status, 200, await response.clone().text())
  assert.equal((await bed.revenue()) - before, PRICE)
})

test('a reply that was lost with its connection is handed over when asked for again', async () => {
  let lose: (() => void) | undefined
  const server = await bed.serve({
    onStep: async (step) => {
      if (step !== 'settled' || !lose) return
      lose()
      lose = undefined
      // The server has to see the broken connection before it answers.
      await delay(100)
    },
  })
  const header = await mppHeader(server.settings, `${server.url}/v1/head`)
  const before = await bed.revenue()
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1')
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  lose = () => socket.destroy()
  socket.write(`GET /v1/head HTTP/1.1\r\nhost: x\r\nauthorization: ${header.authorization}\r\n\r\n`)
  await closed
  const response = await persist(() => head(server.url, header))
  assert.equal(response.status, 200)
  assert.equal((await bed.revenue()) - before, PRICE)
})

test('a payment asks the node three questions: would it pass, take it, was it mined', async () => {
  const { proxy, server } = await serveBehindProxy()
  const buy = async (rail: (typeof RAILS)[number]) => {
    const header = await payHeader(rail, server.settings, `${server.url}/v1/head`)
    proxy.calls.length = 0
    assert.equal((await head(server.url, header)).status, 200)
    // Fees and our own balance are asked for every few seconds, not for every payment; so is what became of those before.
    return proxy.calls.filter(
      (call) => !/getBalance|getBlockByNumber|PriorityFee|gasPrice|getTransactionCount|blockNumber/.test(call),
    )
  }
  for (const rail of RAILS)
    assert.deepEqual([...new Set(await buy(rail))], ['eth_estimateGas', 'eth_sendRawTransaction', 'eth_getTransactionReceipt'])
})

test('a server that is told to stop sends those away who wait for a block, and the next one serves them', async () => {
  const server = await bed.serve({ clock: createFastClock(20), settings: { confirmTimeoutMs: 3_600_000_000 } })
  const header = await payHeader('mpp', server.settings, `${server.url}/v1/head`)
  const before = await bed.revenue()
  await bed.rpc('evm_setAutomine', false)
  try {
    const waiting = head(server.url, header)
    await reached(bed.ledger, { state: 'broadcast' }, 'broadcast')
    await server.close()
    const response = await waiting
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('connection'), 'close')
    assert.match(((await response.json()) as { transaction: string }).transaction, /^0x[0-9a-f]{64}$/)
    assert.equal(response.headers.get('www-authenticate'), null)
  } finally {
    await bed.rpc('anvil_mine')
    await bed.rpc('evm_setAutomine', true)
  }
  const next = await bed.serve()
  assert.equal((await persist(() => head(next.url, header))).status, 200)
  assert.equal((await bed.revenue()) - before, PRICE)
})
