import { setTimeout as delay } from 'node:timers/promises'
import { x402Client } from '@x402/core/client'
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import type { PaymentPayload } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { Challenge, Credential, evm, Receipt } from 'mppx'
import { Mppx } from 'mppx/client'
import { charge } from 'mppx/evm/client'
import { keccak256, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { AUTHORIZATION_TYPES, encodeTransfer } from '../../src/pay/evm/token.ts'
import { DEPLOYER, payerKey } from '../../src/pay/local-chain/accounts.ts'
import type { Hex, PaySettings } from '../../src/pay/settings.ts'
import type { Bed } from './bed.ts'

/** The official clients of both protocols, as a customer would set them up for our token. */

export function mppMethod({ evm }: PaySettings, key: Hex) {
  const { tokenName, tokenVersion, chainId, token, decimals } = evm!
  return charge({
    account: privateKeyToAccount(key),
    authorization: { name: tokenName, version: tokenVersion },
    networks: [chainId],
    currencies: [token],
    decimals,
  })
}

export function mppClient(settings: PaySettings, key: Hex = payerKey(0)) {
  return Mppx.create({ polyfill: false, methods: [mppMethod(settings, key)] })
}

export function x402ClientOf({ evm }: PaySettings, key: Hex): x402Client {
  const network = `eip155:${evm!.chainId}` as const
  return x402Client.fromConfig({
    schemes: [{ network, client: new ExactEvmScheme(privateKeyToAccount(key)) }],
    spendControls: { allowedAssets: true },
  })
}

export function x402Fetch(settings: PaySettings, key: Hex = payerKey(1)): typeof fetch {
  return wrapFetchWithPayment(fetch, x402ClientOf(settings, key)) as typeof fetch
}

export const receiptOf = (response: Response) => Receipt.fromResponse(response)

/** A payment header, made by the official client and not sent yet. */
export type Header = Record<string, string>

export async function mppHeader(settings: PaySettings, url: string, key: Hex = payerKey(0), init?: RequestInit): Promise<Header> {
  const payment = await mppClient(settings, key).preparePayment(await fetch(url, init))
  return { authorization: await payment.createCredential() }
}

export async function x402Payload(
  settings: PaySettings,
  url: string,
  key: Hex = payerKey(1),
  init?: RequestInit,
): Promise<PaymentPayload> {
  const offer = decodePaymentRequiredHeader((await fetch(url, init)).headers.get('payment-required') ?? '')
  return x402ClientOf(settings, key).createPaymentPayload(offer)
}

export const x402Header = (payload: PaymentPayload): Header => ({ 'payment-signature': encodePaymentSignatureHeader(payload) })

export async function payHeader(
  rail: 'mpp' | 'x402',
  settings: PaySettings,
  url: string,
  key?: Hex,
  init?: RequestInit,
): Promise<Header> {
  return rail === 'mpp' ? mppHeader(settings, url, key, init) : x402Header(await x402Payload(settings, url, key, init))
}

type MppWire = { challenge: Record<string, unknown>; payload: Record<string, unknown>; source?: string }

/** Opens a credential, changes something in it and closes it again. */
export function changeMpp({ authorization }: Header, change: (wire: MppWire) => void): Header {
  const wire = JSON.parse(Buffer.from(authorization!.split(' ')[1]!, 'base64url').toString()) as MppWire
  change(wire)
  return { authorization: `Payment ${Buffer.from(JSON.stringify(wire)).toString('base64url')}` }
}

/** The offer inside a challenge, changed. */
export function changeRequest(wire: MppWire, change: (request: Record<string, unknown>) => void): void {
  const request = JSON.parse(Buffer.from(wire.challenge.request as string, 'base64url').toString()) as Record<string, unknown>
  change(request)
  wire.challenge.request = Buffer.from(JSON.stringify(request)).toString('base64url')
}

type NonceOf = (challenge: { id: string; realm: string }) => Hex

/** As mppx up to 0.11 binds an authorization to its challenge. */
export const joinedNonce: NonceOf = (challenge) => evm.Types.challengeHash(challenge as Challenge.Challenge)
/** As later clients do, and the one for Python. */
export const jsonNonce: NonceOf = ({ id, realm }) => keccak256(stringToHex(JSON.stringify([id, realm])))

/** A credential for whatever challenge the server issues, also one that the official client would not touch. */
export async function signMpp(
  { evm: chain }: PaySettings,
  url: string,
  {
    validBefore = BigInt(Math.floor(Date.now() / 1000) + 300),
    nonceOf = joinedNonce,
  }: { validBefore?: bigint; nonceOf?: NonceOf } = {},
): Promise<Header> {
  const challenge = Challenge.fromResponse(await fetch(url))
  const request = challenge.request as { amount: string; recipient: Hex; currency: Hex }
  const account = privateKeyToAccount(payerKey(0))
  const message = {
    from: account.address,
    to: request.recipient,
    value: BigInt(request.amount),
    validAfter: 0n,
    validBefore,
    nonce: nonceOf(challenge),
  }
  const { tokenName: name, tokenVersion: version, chainId } = chain!
  const signature = await account.signTypedData({
    domain: { name, version, chainId, verifyingContract: request.currency },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  })
  const payload = {
    ...message,
    type: 'authorization',
    signature,
    value: request.amount,
    validAfter: '0',
    validBefore: String(validBefore),
  }
  return { authorization: Credential.serialize({ challenge, payload }) }
}

/** Sends what an x402 payment authorizes, as anyone can who sees it on its way. */
export function sendAuthorization({ chain, rpc }: Bed, { payload }: PaymentPayload): Promise<Hex> {
  const { authorization, signature } = payload as { authorization: Record<string, string>; signature: Hex }
  const data = encodeTransfer({
    from: authorization.from as Hex,
    to: authorization.to as Hex,
    value: BigInt(authorization.value!),
    validAfter: BigInt(authorization.validAfter!),
    validBefore: BigInt(authorization.validBefore!),
    nonce: authorization.nonce as Hex,
    signature,
    byContract: false,
  })
  return rpc<Hex>('eth_sendTransaction', { from: DEPLOYER, to: chain.token, data })
}

/** Repeats with the same credential as long as the server says that it is busy with it (409, 503) or is gone. */
export async function persist(ask: () => Promise<Response>): Promise<Response> {
  for (let tries = 0; tries < 60; tries++) {
    const response = await ask().catch(() => undefined)
    if (response && response.status !== 409 && response.status !== 503) return response
    await delay(50)
  }
  throw new Error('still busy')
}
