import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { createWalletClient, encodeFunctionData, http, parseAbi, parseTransaction } from 'viem'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { addressAt, FUNDING, payerKey } from '../../src/pay/local-chain/accounts.ts'
import { createPayMetrics } from '../../src/pay/metrics.ts'
import { lastDays } from '../../src/pay/reports/period.ts'
import { readReport, toText } from '../../src/pay/reports/report.ts'
import type { Hex } from '../../src/pay/settings.ts'
import { SECRETS } from '../access/secrets.ts'
import { type Bed, makeBed, type Server } from './bed.ts'
import { payHeader, receiptOf } from './clients.ts'
import { CONFIGS } from './plans/plans.ts'

/** The payment chain takes blocks back after the answers went out. */

const DEPTH = 6
const PRICE = 1000n

let bed: Bed
let server: Server
const registry = new Registry()
before(async () => {
  bed = await makeBed()
  server = await bed.serve({
    settings: { watchBlocks: DEPTH },
    plans: { configs: CONFIGS, secrets: SECRETS },
    metrics: createPayMetrics(registry),
    watchMs: 50,
  })
})
after(() => bed.stop())

async function buy(key?: Hex, path = '/v1/head', method = 'GET'): Promise<string> {
  const url = `${server.url}${path}`
  const response = await fetch(url, { method, headers: await payHeader('x402', server.settings, url, key, { method }) })
  assert.equal(response.status, 200, await response.clone().text())
  return receiptOf(response).reference
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await isTrue()) return
    await delay(25)
  }
  throw new Error(`never: ${what}`)
}

const settler = () => privateKeyToAddress(server.settings.evm!.settlerKey)

/** Whether all transactions of the settler called the token. */
async function countEmpty(): Promise<number> {
  const rows = await bed.ledger<{ raw_tx: Buffer }[]>`select raw_tx from payment where raw_tx is not null`
  const sent = Number(await bed.rpc<string>('eth_getTransactionCount', settler(), 'latest'))
  assert.ok(
    rows.every(
      ({ raw_tx }) => parseTransaction(`0x${raw_tx.toString('hex')}`).to?.toLowerCase() === bed.chain.token.toLowerCase(),
    ),
  )
  return sent - rows.length
}

test('three payments that were taken back are sent again, the next purchase waits for nothing, and no nonce is wasted', async () => {
  const before = await bed.revenue()
  const hashes = [await buy(), await buy(), await buy()]
  assert.equal((await bed.revenue()) - before, 3n * PRICE)
  await bed.rpc('anvil_rollback', 3)
  await buy()
  await until('all four are on the chain', async () => (await bed.revenue()) - before === 4n * PRICE)
  for (const hash of hashes) assert.ok(await bed.rpc('eth_getTransactionReceipt', hash), hash)
  assert.equal(await countEmpty(), 0)
  await bed.rpc('anvil_mine', `0x${DEPTH.toString(16)}`)
  await until('they are final', async () => (await bed.ledger`select from payment where final_at is null`).length === 0)
  assert.match(await registry.metrics(), /idx_pay_sent_again_total [1-9]/)
})

test('a payment that cannot come back is counted as lost, is no revenue any more, and its key is taken back', async () => {
  const key = payerKey(4)
  await buy(key)
  await buy(key, '/v1/plans/developer/keys', 'POST')
  await bed.rpc('anvil_rollback', 2)
  const wallet = createWalletClient({ account: privateKeyToAccount(key), transport: http(bed.chain.rpcUrl) })
  const data = encodeFunctionData({
    abi: parseAbi(['function transfer(address to, uint256 value)']),
    functionName: 'transfer',
    args: [addressAt(0), FUNDING],
  })
  await bed.rpc('evm_setAutomine', false)
  await wallet.sendTransaction({
    chain: null,
    to: bed.chain.token,
    data,
    gas: 100_000n,
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 11n,
  })
  await bed.rpc('anvil_mine', '0x1')
  await bed.rpc('evm_setAutomine', true)
  await bed.rpc('anvil_mine', `0x${(2 * DEPTH).toString(16)}`)
  await until('it is given up', async () => {
    await bed.rpc('anvil_mine', '0x1')
    return (await bed.ledger`select from payment where failure = 'taken_back'`).length === 2
  })
  const keys = await bed.ledger<{ is_revoked: boolean }[]>`select revoked_at is not null as is_revoked from api_key`
  assert.deepEqual([...keys], [{ is_revoked: true }])
  assert.match(await registry.metrics(), /idx_pay_taken_back_usd_total\{tier="A"\} 0\.001/)
  assert.match(
    toText(await readReport(bed.ledger, { ...lastDays(1), by: ['day'] }, [])),
    /taken back by the payment chain: 2 payment\(s\), 49\.001000 USD/,
  )
})
