// Buys two answers of the paid surface with the official clients of both protocols: no account, no key.
//   node build/examples/paid.js            (ASTROLABE_PAID_URL; ASTROLABE_PAYER_KEY pays, on the local test chain nothing is needed)
import { x402Client } from '@x402/core/client'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { Receipt } from 'mppx'
import { Mppx } from 'mppx/client'
import { charge } from 'mppx/evm/client'
import { privateKeyToAccount } from 'viem/accounts'
import { demoPayerKey } from '../src/pay/local-chain/accounts.ts'

const { ASTROLABE_PAID_URL = 'http://127.0.0.1:9878', ASTROLABE_PAYER_KEY } = process.env
const account = privateKeyToAccount((ASTROLABE_PAYER_KEY ?? demoPayerKey()) as `0x${string}`)

// An unpaid request is answered with an offer: price, recipient and token.
const unpaid = await fetch(`${ASTROLABE_PAID_URL}/v1/head`)
const [offer] = decodePaymentRequiredHeader(unpaid.headers.get('payment-required') ?? '').accepts
if (!offer) throw new Error(`${ASTROLABE_PAID_URL} offers nothing`)
const chainId = Number(offer.network.split(':')[1])
const { name, version } = offer.extra as { name: string; version: string }
console.log(`${unpaid.status}: ${offer.amount} units of ${name} on chain ${chainId}`)

// MPP
const mpp = Mppx.create({
  polyfill: false,
  methods: [
    charge({
      account,
      authorization: { name, version },
      networks: [chainId],
      currencies: [offer.asset as `0x${string}`],
      decimals: 6,
    }),
  ],
})
const head = await mpp.fetch(`${ASTROLABE_PAID_URL}/v1/head`)
const { last_height } = (await head.json()) as { last_height: number }
console.log(`mpp: height ${last_height}, paid in ${Receipt.fromResponse(head).reference}`)

// x402
const scheme = { network: `eip155:${chainId}` as const, client: new ExactEvmScheme(account) }
const x402 = wrapFetchWithPayment(fetch, x402Client.fromConfig({ schemes: [scheme], spendControls: { allowedAssets: true } }))
const block = await x402(`${ASTROLABE_PAID_URL}/v1/block/${last_height}`)
const { hash } = (await block.json()) as { hash: string }
console.log(`x402: block ${hash}, paid in ${Receipt.fromResponse(block).reference}`)
