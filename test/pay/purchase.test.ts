import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodePaymentResponseHeader } from '@x402/core/http'
import { keccak256, toHex } from 'viem'
import { CATALOG } from '../../src/operations/catalog.ts'
import { fillPath, type Operation, TIER_USD } from '../../src/operations/operation.ts'
import { openClient } from '../../src/pay/evm/rpc.ts'
import { hasTransfer } from '../../src/pay/evm/token.ts'
import { addressAt, RECIPIENT } from '../../src/pay/local-chain/accounts.ts'
import { toAtomic } from '../../src/pay/sale/offers.ts'
import type { Hex } from '../../src/pay/settings.ts'
import { type Bed, makeBed, type Server } from './bed.ts'
import { joinedNonce, jsonNonce, mppClient, receiptOf, signMpp, x402Fetch } from './clients.ts'

let bed: Bed
let server: Server

before(async () => {
  bed = await makeBed()
  server = await bed.serve()
})
after(() => bed.stop())

const SAMPLES: Record<string, string> = {
  height: '7',
  hash: 'ab'.repeat(32),
  id: '1',
  version: '0',
  name: 'rbps',
  timeframe: 'day',
}

/** A valid request for each operation. */
function sampleOf({ path, params }: Operation): string {
  const inputs: Record<string, string> = { ...SAMPLES }
  if (path.startsWith('/v1/address')) inputs.hash = 'ab'.repeat(20)
  if (path.startsWith('/v1/namespace_by_hash')) inputs.hash = Buffer.alloc(29, 1).toString('base64')
  if (path.startsWith('/v1/namespace/')) inputs.id = '00'.repeat(28)
  const filled = fillPath(path, Object.fromEntries(Object.keys(params).map((name) => [name, inputs[name]!])))
  return path === '/v1/search' ? `${filled}?query=abc` : filled
}

async function assertTransfer(hash: string, payer: Hex, value: bigint): Promise<void> {
  const receipt = await openClient({ url: bed.chain.rpcUrl }).getTransactionReceipt({ hash: hash as Hex })
  assert.equal(receipt.status, 'success')
  const transfers = receipt.logs.filter((log) => log.topics.length === 3 && log.data !== '0x')
  assert.equal(transfers.length, 1)
  assert.ok(hasTransfer(receipt.logs, { token: bed.chain.token, from: payer, to: RECIPIENT, value }))
}

const priceOf = ({ tier }: Operation) => toAtomic(TIER_USD[tier])

test('the MPP client buys every operation for exactly its price', async () => {
  const client = mppClient(server.settings)
  const before = await bed.revenue()
  const hashes = new Set<string>()
  for (const operation of CATALOG) {
    const response = await client.fetch(server.url + sampleOf(operation))
    assert.equal(response.status, 200, `${operation.id}: ${await response.clone().text()}`)
    assert.equal(response.headers.get('cache-control'), 'private')
    const { reference, method } = receiptOf(response)
    assert.equal(method, 'evm')
    await assertTransfer(reference, addressAt(0), priceOf(operation))
    hashes.add(reference)
    const body = (await response.json()) as { operation: string }
    assert.equal(body.operation, operation.id)
  }
  assert.equal(hashes.size, 23)
  assert.equal((await bed.revenue()) - before, 35_000n)
})

test('the x402 client buys every operation for exactly its price', async () => {
  const buy = x402Fetch(server.settings)
  const before = await bed.revenue()
  const hashes = new Set<string>()
  for (const operation of CATALOG) {
    const response = await buy(server.url + sampleOf(operation))
    assert.equal(response.status, 200, `${operation.id}: ${await response.clone().text()}`)
    const settled = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
    assert.equal(settled.success, true)
    assert.equal(receiptOf(response).reference, settled.transaction)
    await assertTransfer(settled.transaction, addressAt(1), priceOf(operation))
    hashes.add(settled.transaction)
    await response.arrayBuffer()
  }
  assert.equal(hashes.size, 23)
  assert.equal((await bed.revenue()) - before, 35_000n)
})

test('ten payments of one payer at once are ten answers and ten charges', async () => {
  const client = mppClient(server.settings)
  const before = await bed.revenue()
  const responses = await Promise.all(Array.from({ length: 10 }, () => client.fetch(`${server.url}/v1/head`)))
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(responses.map((response) => receiptOf(response).reference)).size, 10)
  assert.equal((await bed.revenue()) - before, 10_000n)
})

test('a credential whose nonce hashes id and realm as JSON is as good as one that joins them', async () => {
  const url = `${server.url}/v1/head`
  const before = await bed.revenue()
  for (const nonceOf of [joinedNonce, jsonNonce])
    assert.equal((await fetch(url, { headers: await signMpp(server.settings, url, { nonceOf }) })).status, 200)
  const neither = await fetch(url, {
    headers: await signMpp(server.settings, url, { nonceOf: ({ id }) => keccak256(toHex(id)) }),
  })
  assert.equal(neither.status, 402)
  assert.match(((await neither.json()) as { detail: string }).detail, /nonce mismatch/)
  assert.equal((await bed.revenue()) - before, 2000n)
})
