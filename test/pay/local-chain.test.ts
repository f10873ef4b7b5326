import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { encodeFunctionData, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { loadConfig } from '../../src/config/load.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { OperatorError } from '../../src/lib/errors.ts'
import { openClient } from '../../src/pay/evm/rpc.ts'
import { TOKEN_ABI } from '../../src/pay/evm/token.ts'
import { DEPLOYER, RECIPIENT } from '../../src/pay/local-chain/accounts.ts'
import { fundGas, type TestChain } from '../../src/pay/local-chain/anvil.ts'
import { buyOnce } from '../../src/pay/local-chain/buy-once.ts'
import { startJsChain } from '../../src/pay/local-chain/js-chain.ts'
import { planPayments } from '../../src/pay/local-chain/local-chain.ts'
import { NO_METRICS } from '../../src/pay/metrics.ts'
import { checkLedger, type LedgerCheck } from '../../src/pay/reports/ledger-check.ts'
import { lastDays } from '../../src/pay/reports/period.ts'
import { readReport, toText } from '../../src/pay/reports/report.ts'
import type { Hex, PaySettings } from '../../src/pay/settings.ts'
import { checkChains } from '../../src/pay/settle/check-chain.ts'
import { runReconciler } from '../../src/pay/settle/reconcile.ts'
import { Settlement } from '../../src/pay/settle/settlement.ts'
import { type Bed, makeBed, reached, type Server, silent } from './bed.ts'
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

/** Report that compares the ledger with the real test chain. */
const report = async (checks: LedgerCheck[] = []) =>
  toText(await readReport(bed.ledger, { ...lastDays(1), by: ['day', 'operation'] }, checks))

const check = () => checkLedger(bed.ledger, { ...bed.settings.evm!, recipient: RECIPIENT }, lastDays(1))

test('the report adds up and the chain agrees with it', async () => {
  // Both chains have the same id; the other one's payments cannot be found here.
  const settler = privateKeyToAddress(bed.settings.evm!.settlerKey).toLowerCase()
  const here = await bed.ledger`select from payment where settler = ${settler}`
  const checked = await check()
  assert.equal(checked.confirmed, here.length)
  assert.deepEqual(checked.unrecorded, [])
  const text = await report([checked])
  assert.match(text, /getTps +4 +0\.008000/)
  assert.match(text, /getHead +10 +0\.010000/)
  assert.match(text, /0 paid and not delivered, 0 sent and not confirmed/)
  assert.match(text, /NOT on the chain: 0x/)
  assert.doesNotMatch(text, /NOT in the ledger/)
})

test('a payment that the ledger lost or called failed is found on the chain; money for other things is not ours to count', async () => {
  const { url } = servers.anvil!
  const lost = await buyOnce({ url: `${url}/v1/head`, protocol: 'mpp' })
  const denied = await buyOnce({ url: `${url}/v1/head`, protocol: 'x402' })
  for (const { transaction } of [lost, denied]) await reached(bed.ledger, { tx_hash: transaction }, 'delivered')
  await bed.ledger`delete from payment where tx_hash = ${lost.transaction}`
  await bed.ledger`update payment set state = 'failed' where tx_hash = ${denied.transaction}`
  const gift = encodeFunctionData({
    abi: parseAbi(['function mint(address to, uint256 value)']),
    functionName: 'mint',
    args: [RECIPIENT, 5n],
  })
  await bed.rpc('eth_sendTransaction', { from: DEPLOYER, to: bed.chain.token, data: gift })
  const checked = await check()
  assert.deepEqual(checked.unrecorded, [lost.transaction, denied.transaction])
  assert.match(await report([checked]), new RegExp(`NOT in the ledger: ${lost.transaction}`))
})

test('once a day the background job counts in how many payments ledger and chain differ', async () => {
  const { missing, unrecorded } = await check()
  const faults: number[] = []
  const stop = new AbortController()
  const metrics = {
    ...NO_METRICS,
    ledgerFaults: (count: number) => {
      faults.push(count)
      if (faults.length === 2) stop.abort()
    },
  }
  const waits: number[] = []
  const clock = {
    ...systemClock,
    sleep: async (ms: number, signal?: AbortSignal) => (ms < 600_000 ? systemClock.sleep(ms, signal) : void waits.push(ms)),
  }
  const settlement = new Settlement({ db: bed.ledger, settings: bed.settings, settler: undefined, metrics, clock })
  const { settings, ledger: db } = bed
  await runReconciler({ db, settings, settlement, metrics, clock, log: silent }, stop.signal)
  assert.deepEqual(faults, [missing.length + unrecorded.length, missing.length + unrecorded.length])
  assert.ok(faults[0]! > 0)
  assert.deepEqual(waits.slice(0, 2), [600_000, 86_400_000])
})

test('the report names what is owed, to whom and by which transaction', async () => {
  const { transaction, payer } = await buyOnce({ url: `${servers.anvil!.url}/v1/head`, protocol: 'mpp' })
  await reached(bed.ledger, { tx_hash: transaction }, 'delivered')
  await bed.ledger`update payment set state = 'settled', lease_until = now() where tx_hash = ${transaction}`
  const line = new RegExp(`settled since 2\\d{3}-.* getHead +0\\.001000 USD of ${payer.toLowerCase()} +${transaction}`)
  assert.match(await report(), line)
})

const { paid } = loadConfig({ env: {} })

test('the public address of a local surface may end in a slash', async () => {
  const plan = await planPayments({ ...paid, base_url: 'http://127.0.0.1:1/' }, 'http://127.0.0.1:2', { allowLocal: true })
  bed.onStop(plan.stop)
  assert.equal(plan.settings.baseUrl, 'http://127.0.0.1:1')
})

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
    more_rpc_urls: [],
    batch_ms: 0,
    batch_size: 10,
    max_gas: 300_000,
    native_usd: 4000,
    max_gas_cost_percent: 1000,
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
  await assert.rejects(checkChains({ methods: ['evm'], evm: { ...evm, rpcUrl: 'http://127.0.0.1:1' } }), /does not answer/)
  await assert.rejects(bed.serve({ settings: { secretKey: 'short', recipient: '0x1' } }), /secret_key(.|\n)*recipient/)
  await assert.rejects(bed.serve({ settings: { baseUrl: 'http://paid.example.org' } }), /https/)
})
