import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { Mppx } from 'mppx/client'
import { charge } from 'mppx/evm/client'
import { privateKeyToAccount } from 'viem/accounts'

/** Runs in a browser: both official clients, set up as the page of a shop would. */

type Chain = { chainId: number; token: `0x${string}`; tokenName: string; tokenVersion: string; decimals: number }
export type Order = { rail: 'mpp' | 'x402'; url: string; key: `0x${string}`; chain: Chain }
export type Bought = { status: number; body: string; receipt: string | null }

async function buy({ rail, url, key, chain }: Order): Promise<Bought> {
  const account = privateKeyToAccount(key)
  const { chainId, token, tokenName: name, tokenVersion: version, decimals } = chain
  const method = charge({ account, authorization: { name, version }, networks: [chainId], currencies: [token], decimals })
  const schemes = [{ network: `eip155:${chainId}` as const, client: new ExactEvmScheme(account) }]
  const client = x402Client.fromConfig({ schemes, spendControls: { allowedAssets: true } })
  const pay = rail === 'mpp' ? Mppx.create({ polyfill: false, methods: [method] }).fetch : wrapFetchWithPayment(fetch, client)
  const response = await pay(url)
  return { status: response.status, body: await response.text(), receipt: response.headers.get('payment-receipt') }
}

Object.assign(globalThis, { buy })
