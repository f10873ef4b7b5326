import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Registry } from 'prom-client'
import { formatEther, parseGwei } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { createPayMetrics } from '../../src/pay/metrics.ts'
import { lastDays } from '../../src/pay/reports/period.ts'
import { readReport, toText } from '../../src/pay/reports/report.ts'
import type { Hex } from '../../src/pay/settings.ts'
import { longTest } from '../support/long-test.ts'
import { type Bed, makeShop, type Server } from './bed.ts'
import { payHeader, receiptOf, x402Header } from './clients.ts'
import { L1_FEE, startRpcProxy } from './rpc-proxy.ts'
import { contractPayload, deployWallet, falseWallet, GREEDY_WALLET, mint, slowWallet } from './wallets.ts'

/** The settler never pays more gas than the operator allows for the price. */

let bed: Bed
let server: Server
let url: string
before(async () => {
  ;({ bed, server, url } = await makeShop())
})
after(() => bed.stop())

const PRICE = 1000n
const settler = () => privateKeyToAddress(server.settings.evm!.settlerKey)
const balance = async () => BigInt(await bed.rpc<string>('eth_getBalance', settler(), 'latest'))
const nonces = async () => Number(await bed.rpc<string>('eth_getTransactionCount', settler(), 'latest'))

/** Native coins that `work` took from the settler. */
async function losses(t: { diagnostic: (text: string) => void }, work: () => Promise<unknown>) {
  const [wei, sent, paid] = [await balance(), await nonces(), await bed.revenue()]
  await work()
  const lost = { wei: wei - (await balance()), sent: (await nonces()) - sent, earned: (await bed.revenue()) - paid }
  t.diagnostic(`${lost.sent} transactions, ${formatEther(lost.wei)} native coins, earned ${lost.earned}`)
  return lost
}

async function setBaseFee(gwei: string): Promise<void> {
  await bed.rpc('anvil_setNextBlockBaseFeePerGas', `0x${parseGwei(gwei).toString(16)}`)
  await bed.rpc('anvil_mine', '0x1')
}

async function payAs(from: Hex): Promise<number> {
  const headers = x402Header(await contractPayload(url, from))
  return (await fetch(url, { headers })).status
}

test('a contract that takes forever to judge its signature is refused before anything is sent', async (t) => {
  const wallet = await deployWallet(bed, slowWallet(800_000), PRICE)
  const lost = await losses(t, async () => assert.equal(await payAs(wallet), 402))
  assert.deepEqual(lost, { wei: 0n, sent: 0, earned: 0n })
})

longTest('a contract that tells a simulation from a transaction by the price of gas is seen through', async (t) => {
  const lost = await losses(t, async () => {
    for (let i = 0; i < 25; i++) {
      const wallet = await deployWallet(bed, falseWallet(400_000), PRICE)
      assert.equal(await payAs(wallet), 402)
    }
  })
  assert.deepEqual(lost, { wei: 0n, sent: 0, earned: 0n })
})

longTest('payments at once beyond what their payer owns are not sent', async (t) => {
  const key = generatePrivateKey()
  await mint(bed, privateKeyToAddress(key), PRICE)
  const headers = await Promise.all(Array.from({ length: 60 }, () => payHeader('x402', server.settings, url, key)))
  const lost = await losses(t, () => Promise.all(headers.map((header) => fetch(url, { headers: header }))))
  assert.equal(lost.sent, 1)
  assert.equal(lost.earned, PRICE)
})

test('a payment whose gas costs far more than its price is not taken', async (t) => {
  await setBaseFee('1000')
  const dear = await bed.serve({ settings: { evm: { ...bed.settings.evm!, nativeUsd: 1 } } })
  const headers = await payHeader('mpp', dear.settings, `${dear.url}/v1/head`)
  const lost = await losses(t, async () => {
    const response = await fetch(`${dear.url}/v1/head`, { headers })
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('retry-after'), '30')
    assert.equal(response.headers.get('www-authenticate'), null)
  })
  assert.deepEqual(lost, { wei: 0n, sent: 0, earned: 0n })
  await setBaseFee('1')
  // Another replica, which has not asked for the fees yet.
  const calm = await bed.serve({ settings: { baseUrl: dear.url, evm: dear.settings.evm! } })
  assert.equal((await fetch(`${calm.url}/v1/head`, { headers })).status, 200)
})

longTest('a payer that owns just enough for all of its payments at once gets all of them', async () => {
  const key = generatePrivateKey()
  await mint(bed, privateKeyToAddress(key), 8n * PRICE)
  const headers = await Promise.all(Array.from({ length: 8 }, () => payHeader('x402', server.settings, url, key)))
  const statuses = await Promise.all(headers.map(async (header) => (await fetch(url, { headers: header })).status))
  assert.deepEqual(
    statuses,
    headers.map(() => 200),
  )
})

test('a payer whose transfer reverts on the chain costs one transaction and is held back; the loss is counted and reported', async (t) => {
  let wallet: Hex | undefined
  const registry = new Registry()
  const careless = await bed.serve({
    metrics: createPayMetrics(registry),
    onStep: async (step) => {
      if (step === 'signed' && wallet) await bed.rpc('anvil_setCode', wallet, GREEDY_WALLET)
    },
  })
  const target = `${careless.url}/v1/head`
  const pay = async () => fetch(target, { headers: x402Header(await contractPayload(target, wallet!)) })
  wallet = await deployWallet(bed, slowWallet(1), 10n * PRICE)
  const lost = await losses(t, async () => {
    assert.equal((await pay()).status, 402)
    for (let again = 0; again < 5; again++) {
      await bed.rpc('anvil_setCode', wallet, slowWallet(1))
      const held = await pay()
      assert.equal(held.status, 429)
      assert.ok(Number(held.headers.get('retry-after')) > 50)
    }
  })
  assert.equal(lost.sent, 1)
  const metrics = await registry.metrics()
  assert.match(metrics, /idx_pay_failed_settlements_total\{reason="reverted"\} 1/)
  const counted = Number(/idx_pay_failed_gas_native_total\{reason="reverted"\} ([\d.e-]+)/.exec(metrics)?.[1])
  assert.ok(Math.abs(counted - Number(formatEther(lost.wei))) < 1e-12)
  assert.match(toText(await readReport(bed.ledger, { ...lastDays(1), by: ['day'] }, [])), /1 transaction\(s\) mined in vain/)
  // Another payer is not concerned.
  assert.equal((await fetch(url, { headers: await payHeader('mpp', server.settings, url) })).status, 200)
})

/** Where a roll-up of that family has its oracle; the code answers one number to every question. */
const ORACLE = '0x420000000000000000000000000000000000000F'

longTest('the cost of data on the chain below counts: in the ledger, and against the ceiling', async () => {
  const proxy = await startRpcProxy(bed.chain.rpcUrl)
  bed.onStop(proxy.close)
  proxy.mode = 'rollup'
  const evm = { ...bed.settings.evm!, rpcUrl: proxy.url }
  const rollup = await bed.serve({ settings: { evm } })
  const target = `${rollup.url}/v1/head`
  const lost = await balance()
  const response = await fetch(target, { headers: await payHeader('mpp', rollup.settings, target) })
  const spent = lost - (await balance())
  const [row] = await bed.ledger<
    { gas_wei: string }[]
  >`select gas_wei from payment where tx_hash = ${receiptOf(response).reference}`
  assert.equal(BigInt(row!.gas_wei), spent + BigInt(L1_FEE))
  // A tenth of a coin for the data of each transfer.
  await bed.rpc('anvil_setCode', ORACLE, `0x67${(10n ** 17n).toString(16).padStart(16, '0')}60005260206000f3`)
  const dear = await bed.serve({ settings: { evm: { ...evm, nativeUsd: 0.05 } } })
  const dearUrl = `${dear.url}/v1/head`
  assert.equal((await fetch(dearUrl, { headers: await payHeader('mpp', dear.settings, dearUrl) })).status, 200)
  const dearer = await bed.serve({ settings: { evm: { ...evm, nativeUsd: 0.2 } } })
  const dearerUrl = `${dearer.url}/v1/head`
  assert.equal((await fetch(dearerUrl, { headers: await payHeader('mpp', dearer.settings, dearerUrl) })).status, 503)
})
