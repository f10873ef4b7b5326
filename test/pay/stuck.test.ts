import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { createWalletClient, http, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { addressAt } from '../../src/pay/local-chain/accounts.ts'
import { createPayMetrics } from '../../src/pay/metrics.ts'
import type { Hex, PaySettings } from '../../src/pay/settings.ts'
import { announceSettler } from '../../src/store/pay/nonces.ts'
import { longTest } from '../support/long-test.ts'
import { type Bed, makeBed, reached, type Server } from './bed.ts'
import { type Header, persist, receiptOf, sendAuthorization, x402Header, x402Payload } from './clients.ts'

/** Transfers that are sent and not mined: nobody is asked to pay again, and nothing stays stuck behind them. */

let bed: Bed
let server: Server
before(async () => {
  bed = await makeBed()
  server = await bed.serve({ settings: { confirmTimeoutMs: 100 }, reconcileMs: 3_600_000 })
})
after(() => bed.stop())

const PRICE = 1000n

/** Asks again while the payment is in other hands: those of the background job, which looks at it too. */
async function head(headers: Header, { url } = server): Promise<Response> {
  for (let tries = 0; tries < 200; tries++) {
    const response = await fetch(`${url}/v1/head`, { headers })
    if (response.status !== 409) return response
    await delay(20)
  }
  throw new Error('still in other hands')
}
/** Another replica; like the first one it looks at open payments when it starts and then only when asked for one. */
const serveToo = (settings: Partial<PaySettings> = {}) =>
  bed.serve({ settings: { confirmTimeoutMs: 100, baseUrl: server.url, ...settings }, reconcileMs: 3_600_000 })

const makePayload = () => x402Payload(server.settings, `${server.url}/v1/head`)

type Row = { key: string; state: string; tx_hash: Hex; settler_nonce: number }

async function newestRow(): Promise<Row> {
  const [row] = await bed.ledger<Row[]>`select key, state, tx_hash, settler_nonce from payment order by created_at desc limit 1`
  return row!
}

/** Sends a payment while no block is made; the client is told to come back. */
async function payUnmined() {
  const payload = await makePayload()
  const header = x402Header(payload)
  await bed.rpc('evm_setAutomine', false)
  assert.equal((await head(header)).status, 503)
  return { payload, header, row: await newestRow() }
}

async function mineAgain(): Promise<void> {
  await bed.rpc('anvil_mine', '0x1')
  await bed.rpc('evm_setAutomine', true)
}

async function setBaseFee(gwei: string): Promise<void> {
  await bed.rpc('anvil_setNextBlockBaseFeePerGas', `0x${parseGwei(gwei).toString(16)}`)
  await bed.rpc('anvil_mine', '0x1')
}

const pretendWaited = (key: string, seconds: number) =>
  bed.ledger`update payment set broadcast_at = now() - ${seconds} * interval '1 second' where key = ${key}`

async function assertAnswered(header: Header, before: bigint): Promise<Response> {
  const response = await persist(() => head(header))
  assert.equal(response.status, 200, await response.clone().text())
  assert.equal((await bed.revenue()) - before, PRICE)
  return response
}

test('a transaction that blocks have become too dear for is sent again with higher fees, charged once', async () => {
  const before = await bed.revenue()
  const { header, row } = await payUnmined()
  await setBaseFee('500')
  // The new process does not know the fees of a moment ago.
  const late = await serveToo()
  assert.equal((await head(header, late)).status, 503)
  assert.equal((await newestRow()).tx_hash, row.tx_hash)
  await pretendWaited(row.key, 45)
  assert.equal((await head(header, late)).status, 503)
  const raised = await newestRow()
  assert.equal(raised.settler_nonce, row.settler_nonce)
  assert.notEqual(raised.tx_hash, row.tx_hash)
  await mineAgain()
  assert.equal(receiptOf(await assertAnswered(header, before)).reference, raised.tx_hash)
  await setBaseFee('1')
})

test('a transaction that is mined although another one was to take its place has paid all the same', async () => {
  const before = await bed.revenue()
  const { header, row } = await payUnmined()
  const replacement = `0x${'ab'.repeat(32)}`
  await bed.ledger`update payment set tx_hash = ${replacement}, raw_tx = ${Buffer.of(0)} where key = ${row.key}`
  await mineAgain()
  assert.equal(receiptOf(await assertAnswered(header, before)).reference, row.tx_hash)
})

test('a block that is taken back before it is deep enough takes no payment with it: the transfer is sent again', async () => {
  const before = await bed.revenue()
  const careful = await serveToo({ confirmations: 2 })
  const header = x402Header(await makePayload())
  await bed.rpc('evm_setAutomine', false)
  const snapshot = await bed.rpc('evm_snapshot')
  assert.equal((await head(header, careful)).status, 503)
  await bed.rpc('anvil_mine', '0x1')
  assert.equal((await bed.revenue()) - before, PRICE)
  assert.equal((await head(header, careful)).status, 503)
  await bed.rpc('evm_revert', snapshot)
  assert.equal(await bed.revenue(), before)
  assert.equal((await head(header, careful)).status, 503)
  await bed.rpc('anvil_mine', '0x2')
  await bed.rpc('evm_setAutomine', true)
  const response = await persist(() => head(header, careful))
  assert.equal(response.status, 200, await response.clone().text())
  assert.equal((await bed.revenue()) - before, PRICE)
})

test('money that moved after the client was sent away is counted, by whoever notices it', async () => {
  const [counted, countedByJob] = [new Registry(), new Registry()]
  const settings = { confirmTimeoutMs: 100, baseUrl: server.url }
  const late = await bed.serve({ settings, metrics: createPayMetrics(counted), reconcileMs: 3_600_000 })
  const { header } = await payUnmined()
  await mineAgain()
  assert.equal((await persist(() => head(header, late))).status, 200)
  assert.match(await counted.metrics(), /idx_pay_revenue_usd_total\{tier="A"\} 0\.001/)
  const { row } = await payUnmined()
  await mineAgain()
  const keeper = await bed.serve({ metrics: createPayMetrics(countedByJob), reconcileMs: 20 })
  await reached(bed.ledger, { key: row.key }, 'settled')
  await keeper.close()
  assert.match(await countedByJob.metrics(), /idx_pay_revenue_usd_total\{tier="A"\} 0\.001/)
})

test('numbers that were lost before a transfer are filled, and it goes through', async () => {
  const before = await bed.revenue()
  await bed.ledger`update payment_settler set next_nonce = next_nonce + 2`
  const header = x402Header(await makePayload())
  assert.equal((await head(header)).status, 503)
  const { key } = await newestRow()
  for (let lost = 0; lost < 2; lost++) {
    assert.equal(await bed.revenue(), before)
    await pretendWaited(key, 45)
    assert.equal((await head(header)).status, 503)
  }
  await assertAnswered(header, before)
})

test('a transfer whose number went to another transaction is free again: the same credential buys, once', async () => {
  const before = await bed.revenue()
  const { header, row } = await payUnmined()
  const settler = createWalletClient({
    account: privateKeyToAccount(bed.settings.evm!.settlerKey),
    transport: http(bed.chain.rpcUrl),
  })
  const fees = { maxFeePerGas: parseGwei('9000'), maxPriorityFeePerGas: parseGwei('100') }
  await settler.sendTransaction({ chain: null, to: addressAt(0), value: 1n, nonce: row.settler_nonce, gas: 21_000n, ...fees })
  await mineAgain()
  // For a minute it may be a node that lags.
  assert.equal((await head(header)).status, 503)
  assert.equal((await newestRow()).state, 'broadcast')
  await pretendWaited(row.key, 90)
  await assertAnswered(header, before)
})

test('an authorization that is over by our clock and not by the chain is waited for, not given up', async () => {
  const before = await bed.revenue()
  const { header, row } = await payUnmined()
  await bed.ledger`update payment set valid_before = now() - interval '1 minute' where key = ${row.key}`
  const keeper = await bed.serve({ reconcileMs: 20 })
  const [looked] = await bed.ledger<{ at: string }[]>`select now()::text as at`
  for (let tries = 0, isDone = false; tries < 200 && !isDone; tries++)
    isDone = (await bed.ledger`select from payment where key = ${row.key} and lease_until > ${looked!.at}`).length > 0
  await keeper.close()
  assert.equal((await head(header)).status, 503)
  assert.equal((await newestRow()).state, 'broadcast')
  await mineAgain()
  await assertAnswered(header, before)
})

test('a payment of a settler that is gone is given up when the chain is past its end, and not before', async () => {
  const { header, row } = await payUnmined()
  await bed.rpc('anvil_dropTransaction', row.tx_hash)
  await bed.ledger`update payment set settler = ${addressAt(0)}, raw_tx = ${Buffer.of(0)} where key = ${row.key}`
  await mineAgain()
  assert.equal((await head(header)).status, 503)
  await bed.ledger`update payment set valid_before = now() - interval '1 hour' where key = ${row.key}`
  const response = await head(header)
  assert.equal(response.status, 402)
  assert.match(((await response.json()) as { detail: string }).detail, /expired/)
  assert.equal((await newestRow()).state, 'failed')
  // The dropped transaction is never sent again.
  await bed.ledger`update payment_settler set next_nonce = next_nonce - 1`
})

test('a payment on a chain that is configured no more is neither given up nor sent elsewhere', async () => {
  const before = await bed.revenue()
  const { header, row } = await payUnmined()
  const [{ chain_id: here }] = await bed.ledger<[{ chain_id: number }]>`select chain_id from payment where key = ${row.key}`
  await bed.ledger`update payment set chain_id = 5, valid_before = now() - interval '1 day' where key = ${row.key}`
  await pretendWaited(row.key, 600)
  await mineAgain()
  assert.equal((await head(header)).status, 503)
  assert.equal((await newestRow()).state, 'broadcast')
  await bed.ledger`update payment set chain_id = ${here} where key = ${row.key}`
  await assertAnswered(header, before)
})

longTest('money that somebody else moved for us is found also thousands of blocks later', async () => {
  const before = await bed.revenue()
  const { payload, header, row } = await payUnmined()
  await bed.rpc('anvil_dropTransaction', row.tx_hash)
  await bed.rpc('evm_setAutomine', true)
  const foreign = await sendAuthorization(bed, payload)
  for (let mined = 0; mined < 2400; mined += 40) await bed.rpc('anvil_mine', '0x28')
  await bed.ledger`update payment set created_at = now() - interval '2 hours' where key = ${row.key}`
  assert.equal(receiptOf(await assertAnswered(header, before)).reference, foreign)
})

test('a number that is free again is given once, also after a new start', async () => {
  const settler = '0x00000000000000000000000000000000000000aa'
  await announceSettler(bed.ledger, 1, settler, 5)
  await bed.ledger`update payment_settler set next_nonce = 8, free_nonces = '{5, 6, 7}' where address = ${settler}`
  await announceSettler(bed.ledger, 1, settler, 5)
  const [row] = await bed.ledger<{ next_nonce: number; free_nonces: number[] }[]>`
    select next_nonce, free_nonces from payment_settler where address = ${settler}`
  assert.deepEqual({ ...row }, { next_nonce: 5, free_nonces: [] })
})
