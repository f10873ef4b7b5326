import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { loadConfig } from '../../src/config/load.ts'
import { OperatorError } from '../../src/lib/errors.ts'
import { buyOnce } from '../../src/pay/demo.ts'
import { openClient } from '../../src/pay/evm/rpc.ts'
import { TOKEN_ABI } from '../../src/pay/evm/token.ts'
import { planPayments } from '../../src/pay/from-config.ts'
import { RECIPIENT } from '../../src/pay/local/accounts.ts'
import { fundGas, type TestChain } from '../../src/pay/local/anvil.ts'
import { startJsChain } from '../../src/pay/local/js-chain.ts'
import { checkLedger, writeReport } from '../../src/pay/report.ts'
import type { Hex, PaySettings } from '../../src/pay/settings.ts'
import { type Bed, makeBed, type Server } from './bed.ts'
import { mppClient, payHeader } from './clients.ts'

/** The demonstration buys on both kinds of local chain: the real test chain, and our stand-in where that one cannot run. */

let bed: Bed
let builtIn: TestChain
const servers: Record<string, Server> = {}

before(async () => {
  bed = await makeBed()
  builtIn = await startJsChain()
  bed.onStop(builtIn.stop)
  servers.anvil = await bed.serve()
  const settlerKey = generatePrivateKey()
  await fundGas(builtIn.rpcUrl, privateKeyToAddress(settlerKey))
  const evm = { ...bed.settings.evm!, rpcUrl: builtIn.rpcUrl, token: builtIn.token, settlerKey }
  servers['built-in'] = await bed.serve({ settings: { evm } })
})
after(() => bed.stop())

const balanceOf = ({ evm }: PaySettings, owner: Hex) =>
  openClient({ url: evm!.rpcUrl }).readContract({ address: evm!.token, abi: TOKEN_ABI, functionName: 'balanceOf', args: [owner] })

for (const kind of ['anvil', 'built-in'])
  for (const protocol of ['mpp', 'x402'] as const)
    test(`on the ${kind} chain the demonstration buys an answer over ${protocol}`, async () => {
      const { url, settings } = servers[kind]!
      const before = await balanceOf(settings, RECIPIENT)
      const purchase = await buyOnce({ url: `${url}/v1/stats/tps?window=1h`, protocol })
      assert.equal(purchase.status, 200)
      assert.equal(purchase.usd, '0.002000')
      assert.match(purchase.transaction, /^0x[0-9a-f]{64}$/)
      assert.match(purchase.body, /getTps/)
      assert.equal((await balanceOf(settings, RECIPIENT)) - before, 2000n)
    })

test('the built-in chain takes payments at once, and refuses what the token refuses', async () => {
  const { url, settings } = servers['built-in']!
  const before = await balanceOf(settings, RECIPIENT)
  const client = mppClient(settings)
  const responses = await Promise.all(Array.from({ length: 10 }, () => client.fetch(`${url}/v1/head`)))
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
  assert.equal((await balanceOf(settings, RECIPIENT)) - before, 10_000n)
  const poor = await payHeader('x402', settings, `${url}/v1/head`, generatePrivateKey())
  const refused = await fetch(`${url}/v1/head`, { headers: poor })
  assert.equal(refused.status, 402)
  assert.match(((await refused.json()) as { detail: string }).detail, /insufficient_balance/)
})

test('the demonstration says what is wrong in one sentence', async () => {
  await assert.rejects(buyOnce({ url: 'http://127.0.0.1:1/v1/head', protocol: 'mpp' }), /is the paid surface running/)
  const { url } = servers.anvil!
  await assert.rejects(buyOnce({ url: `${url}/llms.txt`, protocol: 'mpp' }), /answered 200 without payment/)
  await assert.rejects(buyOnce({ url: `${url}/v1/block?limit=0`, protocol: 'mpp' }), /answered 400/)
})

test('the report adds up and the chain agrees with it', async () => {
  const { evm } = bed.settings
  const check = await checkLedger(bed.ledger, evm!, 1)
  // Both chains have the same id; the other one's payments cannot be found here.
  const here = await bed.ledger`select from payment where settler = ${privateKeyToAddress(evm!.settlerKey).toLowerCase()}`
  assert.equal(check.confirmed, here.length)
  const text = await writeReport(bed.ledger, 1, check)
  assert.match(text, /getTps +B +4 +0\.008000/)
  assert.match(text, /getHead +A +10 +0\.010000/)
  assert.match(text, /0 paid and not delivered, 0 sent and not confirmed/)
})

const { paid } = loadConfig({ env: {} })

test('without a chain a surface that is meant to earn refuses to start and says what is missing', async () => {
  const refused = planPayments(paid, 'http://127.0.0.1:1', { allowLocal: false })
  await assert.rejects(
    refused,
    (error) => error instanceof OperatorError && /no payment chain: set paid\.evm/.test(error.message),
  )
})

test('a chain without keys is refused with the names of the settings', async () => {
  const evm = {
    chain_id: 8453,
    rpc_url: 'https://x.example',
    token: bed.chain.token,
    token_name: 'USDC',
    token_version: '2',
    decimals: 6,
  }
  const refused = planPayments({ ...paid, evm }, 'http://127.0.0.1:1', { allowLocal: true })
  await assert.rejects(refused, /PAID_SECRET_KEY.*PAID_RECIPIENT.*PAID_SETTLER_KEY/)
})

test('a chain or token that is not what the settings say is refused at start', async () => {
  const evm = bed.settings.evm!
  await assert.rejects(
    bed.serve({ settings: { evm: { ...evm, tokenName: 'Other' } } }),
    /token_name is USD Coin, the settings say Other/,
  )
  await assert.rejects(bed.serve({ settings: { evm: { ...evm, chainId: 1 } } }), /chain_id is 31337, the settings say 1/)
  await assert.rejects(bed.serve({ settings: { evm: { ...evm, token: RECIPIENT } } }), OperatorError)
  await assert.rejects(bed.serve({ settings: { evm: { ...evm, rpcUrl: 'http://127.0.0.1:1' } } }), /does not answer/)
  await assert.rejects(bed.serve({ settings: { secretKey: 'short', recipient: '0x1' } }), /secret_key(.|\n)*recipient/)
  await assert.rejects(bed.serve({ settings: { baseUrl: 'http://paid.example.org' } }), /https/)
})
