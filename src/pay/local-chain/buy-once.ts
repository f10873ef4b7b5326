import { x402Client, x402HTTPClient } from '@x402/core/client'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { Challenge, Receipt } from 'mppx'
import { Mppx } from 'mppx/client'
import { charge } from 'mppx/evm/client'
import { privateKeyToAccount } from 'viem/accounts'
import { OperatorError } from '../../lib/errors.ts'
import type { Hex } from '../settings.ts'
import { demoPayerKey, LOCAL_CHAIN_ID } from './accounts.ts'

export type DemoOptions = {
  url: string
  protocol: 'mpp' | 'x402'
  /** of the request that is paid for */
  method?: 'GET' | 'POST'
  /** without it the local test chain's payer, which can pay nowhere else */
  payerKey?: Hex | undefined
}

export type Purchase = {
  usd: string
  network: string
  payer: string
  recipient: string
  status: number
  transaction: string
  receipt: Record<string, unknown>
  body: string
}

/** Buys one answer as any customer would, with the official client of the protocol. */
export async function buyOnce({ url, protocol, payerKey, method = 'GET' }: DemoOptions): Promise<Purchase> {
  const unpaid = await fetch(url, { method }).catch((error) => {
    throw new OperatorError('no_paid_surface', `nothing answers at ${url}: is the paid surface running?`, {}, error)
  })
  if (unpaid.status !== 402) throw new OperatorError('not_for_sale', `${url} answered ${unpaid.status} without payment`)
  const offer = readOffer(unpaid)
  const account = privateKeyToAccount(payerKey ?? localPayer(offer.chainId))
  const response =
    protocol === 'mpp' ? await payMpp({ url, method }, offer, account) : await payX402({ url, method }, unpaid, offer, account)
  const body = await response.text()
  if (!response.headers.has('payment-receipt'))
    throw new OperatorError('not_sold', `${url} answered ${response.status}: ${body.trim()}`)
  const receipt = Receipt.fromResponse(response)
  return {
    usd: toUsd(offer.amount),
    network: `eip155:${offer.chainId}`,
    payer: account.address,
    recipient: offer.recipient,
    status: response.status,
    transaction: receipt.reference,
    receipt: { ...receipt },
    body,
  }
}

const toUsd = (amount: string): string => (Number(amount) / 10 ** 6).toFixed(6)

type Offer = { amount: string; chainId: number; token: Hex; recipient: string; name: string; version: string }

/** The challenge names the token, the offer beside it also its signing domain. */
function readOffer(response: Response): Offer {
  const challenge = Challenge.fromResponseList(response).find(({ method }) => method === 'evm')
  const offered = response.headers.get('payment-required')
  if (!challenge || offered === null)
    throw new OperatorError(
      'no_offer',
      'this surface takes no payment that the demonstration can make: it pays by the method evm',
    )
  const { request } = challenge
  const { accepts } = decodePaymentRequiredHeader(offered)
  const { name, version } = (accepts[0]?.extra ?? {}) as { name: string; version: string }
  const { amount, currency, recipient, methodDetails } = request as Record<string, string> & {
    methodDetails: { chainId: number }
  }
  return { amount: amount!, token: currency as Hex, recipient: recipient!, chainId: methodDetails.chainId, name, version }
}

function localPayer(chainId: number): Hex {
  if (chainId !== LOCAL_CHAIN_ID)
    throw new OperatorError('no_payer', `this surface takes real money on chain ${chainId}: name a key with --payer-key-file`)
  return demoPayerKey()
}

type Account = ReturnType<typeof privateKeyToAccount>
type Asked = { url: string; method: 'GET' | 'POST' }

function payMpp(
  { url, method: httpMethod }: Asked,
  { name, version, chainId, token }: Offer,
  account: Account,
): Promise<Response> {
  const method = charge({ account, authorization: { name, version }, networks: [chainId], currencies: [token], decimals: 6 })
  return Mppx.create({ polyfill: false, methods: [method] }).fetch(url, { method: httpMethod })
}

async function payX402(
  { url, method }: Asked,
  unpaid: Response,
  { chainId, amount }: Offer,
  account: Account,
): Promise<Response> {
  const core = x402Client.fromConfig({
    schemes: [{ network: `eip155:${chainId}`, client: new ExactEvmScheme(account) }],
    // Token and price are whatever the surface asks for; the caller chose the surface.
    spendControls: { allowedAssets: true, maxAmountPerPayment: `$${toUsd(amount)}` },
  })
  const client = new x402HTTPClient(core)
  const required = client.getPaymentRequiredResponse((name) => unpaid.headers.get(name))
  const payload = await client.createPaymentPayload(required)
  return fetch(url, { method, headers: client.encodePaymentSignatureHeader(payload) })
}
