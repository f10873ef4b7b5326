import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createWalletClient, encodeFunctionData, http, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { MULTICALL3 } from '../../src/pay/evm/multicall.ts'
import { addressAt, payerKey } from '../../src/pay/local-chain/accounts.ts'
import { fundGas } from '../../src/pay/local-chain/anvil.ts'
import { installMulticall } from '../../src/pay/local-chain/multicall.ts'
import { type Bed, makeBed } from './bed.ts'
import { payHeader, receiptOf } from './clients.ts'
import { mint } from './wallets.ts'

/** Payments that come together settle in one transaction, and one that fails spoils no other. */

const PRICE = 1000n
const SIZE = 10

let bed: Bed
before(async () => {
  bed = await makeBed()
  await installMulticall(bed.chain.rpcUrl)
})
after(() => bed.stop())

const batching = () => ({ ...bed.settings.evm!, batchMs: 1000, batchSize: SIZE })
const gasOf = async (hash: string) => Number((await bed.rpc<{ gasUsed: string }>('eth_getTransactionReceipt', hash)).gasUsed)

test('ten payments at once are one transaction, and each costs less gas than alone', async (t) => {
  const single = await bed.serve()
  const pay = async (url: string, settings: typeof single.settings, i: number) =>
    fetch(url, { headers: await payHeader(i % 2 ? 'mpp' : 'x402', settings, url, payerKey(i % 3)) })
  await pay(`${single.url}/v1/head`, single.settings, 0)
  const alone = await gasOf(receiptOf(await pay(`${single.url}/v1/head`, single.settings, 0)).reference)
  const server = await bed.serve({ settings: { evm: batching() } })
  const url = `${server.url}/v1/head`
  const before = await bed.revenue()
  const headers = await Promise.all(
    Array.from({ length: SIZE }, (_, i) => payHeader(i % 2 ? 'mpp' : 'x402', server.settings, url, payerKey(i % 3))),
  )
  const responses = await Promise.all(headers.map((header) => fetch(url, { headers: header })))
  for (const response of responses) assert.equal(response.status, 200, await response.clone().text())
  const hashes = new Set(responses.map((response) => receiptOf(response).reference))
  assert.equal(hashes.size, 1)
  assert.equal((await bed.revenue()) - before, BigInt(SIZE) * PRICE)
  const together = Math.round((await gasOf([...hashes][0]!)) / SIZE)
  t.diagnostic(`gas per payment: ${alone} alone, ${together} in a batch of ${SIZE}`)
  assert.ok(together < alone)
  const [row] = await bed.ledger<{ parts: number; gas: string }[]>`
    select count(*) as parts, sum(gas_wei)::text as gas from payment where tx_hash = ${[...hashes][0]!}`
  assert.equal(row!.parts, SIZE)
  const { effectiveGasPrice } = await bed.rpc<{ effectiveGasPrice: string }>('eth_getTransactionReceipt', [...hashes][0]!)
  const total = BigInt(await gasOf([...hashes][0]!)) * BigInt(effectiveGasPrice)
  assert.ok(total - BigInt(row!.gas) < BigInt(SIZE))
})

test('a payment that fails in a batch is refused alone; the others are answered', async () => {
  const key = generatePrivateKey()
  await Promise.all([mint(bed, privateKeyToAddress(key), PRICE), fundGas(bed.chain.rpcUrl, privateKeyToAddress(key))])
  const wallet = createWalletClient({ account: privateKeyToAccount(key), transport: http(bed.chain.rpcUrl) })
  const data = encodeFunctionData({
    abi: parseAbi(['function transfer(address to, uint256 value)']),
    functionName: 'transfer',
    args: [addressAt(0), PRICE],
  })
  let drained: Promise<unknown> | undefined
  const server = await bed.serve({
    settings: { evm: batching() },
    onStep: async (step) => {
      if (step === 'signed') await (drained ??= wallet.sendTransaction({ chain: null, to: bed.chain.token, data }))
    },
  })
  const url = `${server.url}/v1/head`
  const before = await bed.revenue()
  const keys = [key, ...Array.from({ length: SIZE - 1 }, (_, i) => payerKey(i % 3))]
  const headers = await Promise.all(keys.map((payer) => payHeader('x402', server.settings, url, payer)))
  const statuses = await Promise.all(headers.map(async (header) => (await fetch(url, { headers: header })).status))
  assert.deepEqual(statuses, [402, ...Array.from({ length: SIZE - 1 }, () => 200)])
  assert.equal((await bed.revenue()) - before, BigInt(SIZE - 1) * PRICE)
})

test('a chain without the contract is refused at start', async () => {
  const code = await bed.rpc('eth_getCode', MULTICALL3, 'latest')
  await bed.rpc('anvil_setCode', MULTICALL3, '0x')
  await assert.rejects(bed.serve({ settings: { evm: batching() } }), /no Multicall3/)
  await bed.rpc('anvil_setCode', MULTICALL3, code)
})
