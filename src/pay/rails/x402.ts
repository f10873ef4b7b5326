import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { decodePaymentSignatureHeader, encodePaymentResponseHeader } from '@x402/core/http'
import { isPaymentPayloadV2 } from '@x402/core/schemas'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { extractPaymentIdentifier, isValidPaymentId } from '@x402/extensions/payment-identifier'
import { getAddress } from 'viem'
import { checkTimes } from '../evm/settler.ts'
import { isSignedByPayer } from '../evm/signature.ts'
import { MAX_UINT256, toSeconds } from '../evm/token.ts'
import { PaymentRefused, refuse } from '../problem.ts'
import type { Hex, PaySettings } from '../settings.ts'
import { sha256 } from './digest.ts'
import {
  authorizationKey,
  type CheckedCredential,
  type PaymentCredential,
  type Quote,
  type VerifiedPayment,
  type Verifier,
} from './payment.ts'
import { describeForRegistries } from './x402-extensions.ts'

const SERVICE = 'Astrolabe'

type Eip3009 = {
  signature: Hex
  authorization: { from: Hex; to: Hex; value: string; validAfter: string; validBefore: string; nonce: Hex }
}

/** Offers and payments of x402 version 2, scheme `exact` by EIP-3009 (docs/payments.md). */
export class X402Rail {
  readonly #now: () => number
  readonly #settings: PaySettings
  readonly #verifier: Verifier
  readonly #tails = new Map<string, { short: string; full: string }>()

  constructor(settings: PaySettings, verifier: Verifier, now: () => number) {
    this.#now = now
    this.#settings = settings
    this.#verifier = verifier
  }

  /** Value of PAYMENT-REQUIRED, and the same with all descriptions as JSON. Only address and error differ between requests. */
  offer(quote: Quote, error: string): { header: string; text: string } {
    const { operation, resource, url } = quote
    const { short, full } = this.#tails.get(operation.id) ?? this.#describe(quote, isSealed(quote) ? newClaim() : undefined)
    const said = JSON.stringify(error)
    return {
      header: Buffer.from(`{"x402Version":2,"error":${said},"resource":{"url":${JSON.stringify(resource)},${short}`).toString(
        'base64',
      ),
      text: `{"x402Version":2,"error":${said},"resource":{"url":${JSON.stringify(url)},${full}`,
    }
  }

  /** With a `claim` the offer is one of its kind and is not kept. */
  #describe(quote: Quote, claim: string | undefined): { short: string; full: string } {
    const { operation } = quote
    const accepts = JSON.stringify([this.#requirements(quote, claim)])
    const about = { description: operation.summary, mimeType: 'application/json', serviceName: SERVICE, tags: [operation.label] }
    const { brief, full } = describeForRegistries(operation)
    const tails = {
      short: `"mimeType":"application/json"},"accepts":${accepts},"extensions":${JSON.stringify(brief)}}`,
      full: `${JSON.stringify(about).slice(1)},"accepts":${accepts},"extensions":${JSON.stringify(full)}}`,
    }
    if (claim === undefined) this.#tails.set(operation.id, tails)
    return tails
  }

  #requirements({ amount }: Quote, claim: string | undefined): PaymentRequirements {
    const { chainId, token, tokenName, tokenVersion } = this.#verifier.settings
    return {
      scheme: 'exact',
      network: `eip155:${chainId}`,
      amount: amount.toString(),
      asset: getAddress(token),
      payTo: getAddress(this.#settings.recipient),
      maxTimeoutSeconds: this.#settings.challengeTtlS,
      extra: { name: tokenName, version: tokenVersion, assetTransferMethod: 'eip3009', ...(claim && { claim }) },
    }
  }

  /** Throws a 400 of the protocol when the header cannot be read: its transport table has no 402 for that. */
  decode(header: string, idemHeader: string | undefined): PaymentCredential {
    const payload = readPayload(header)
    const { from, nonce } = payload.payload.authorization
    const { chainId, token } = this.#verifier.settings
    const idemKey = readIdentifier(payload) ?? idemHeader
    return {
      rail: 'x402',
      credentialHash: sha256(header),
      key: authorizationKey(chainId, token, from, nonce),
      idemKey,
      check: (quote) => this.#check(header, payload, quote, idemKey),
    }
  }

  async #check(header: string, payload: ExactPayload, quote: Quote, idemKey: string | undefined): Promise<CheckedCredential> {
    const verifier = this.#verifier
    const { authorization, signature } = payload.payload
    // `accepted` and `resource` are outside the signature: equality only keeps honest clients from paying for the wrong thing,
    // and the ledger keeps every authorization to one use.
    const claim = isSealed(quote) ? readClaim(payload) : undefined
    if (!isDeepStrictEqual(payload.accepted, this.#requirements(quote, claim))) throw refuse('offer_mismatch')
    if (payload.resource !== undefined && payload.resource.url !== quote.resource) throw refuse('resource_mismatch')
    if (authorization.to.toLowerCase() !== this.#settings.recipient.toLowerCase()) throw refuse('recipient_mismatch')
    if (BigInt(authorization.value) !== quote.amount) throw refuse('amount_mismatch')
    const signed = {
      from: authorization.from,
      to: authorization.to,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: authorization.nonce,
      signature,
    }
    checkTimes(signed, Math.floor(this.#now() / 1000))
    const isProven = await isSignedByPayer(verifier.settings, signed)
    const auth = { ...signed, byContract: !isProven }
    const payer = authorization.from.toLowerCase()
    const payment = {
      key: authorizationKey(verifier.settings.chainId, verifier.settings.token, authorization.from, authorization.nonce),
      credentialHash: sha256(header),
      fingerprint: quote.fingerprint,
      idemKey,
      rail: 'x402' as const,
      method: 'evm',
      operation: quote.operation.id,
      tier: quote.operation.tier,
      amount: quote.amount,
      payer,
      recipient: this.#settings.recipient.toLowerCase(),
      challengeId: undefined,
      chainId: verifier.settings.chainId,
      validBefore: toSeconds(auth.validBefore),
    }
    const verify = async (): Promise<VerifiedPayment> => {
      if (!isProven) await verifier.checkContract(auth.from)
      const gas = await verifier.simulate(auth, payload)
      return { ...payment, charge: { kind: 'authorization', auth, gas, x402: payload } }
    }
    return { payer, isProven, verify }
  }

  /** Value of PAYMENT-RESPONSE. */
  static response(facts: { success: boolean; hash: string; chainId: number; payer?: string; errorReason?: string }): string {
    const { success, hash, chainId, payer, errorReason } = facts
    return encodePaymentResponseHeader({
      success,
      transaction: hash,
      network: `eip155:${chainId}`,
      ...(payer === undefined ? {} : { payer }),
      ...(errorReason === undefined ? {} : { errorReason }),
    })
  }
}

/** Goods that are handed out again only to who paid for them. */
const isSealed = ({ operation }: Quote): boolean => 'plan' in operation

/**
 * Everything else of a payment can be read on the chain once it is settled, and would be enough to ask again for what it bought. The
 * client sends the claim back with its offer; it is never on the chain.
 */
const newClaim = (): string => randomBytes(16).toString('base64url')

const CLAIM = /^[A-Za-z0-9_-]{22,64}$/

function readClaim({ accepted }: PaymentPayload): string {
  const claim = accepted.extra?.claim
  if (!matches(CLAIM, claim)) throw refuse('offer_mismatch')
  return claim as string
}

type ExactPayload = PaymentPayload & { payload: Eip3009 & Record<string, unknown> }

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const BYTES32 = /^0x[0-9a-fA-F]{64}$/
const SIGNATURE = /^0x([0-9a-fA-F]{2}){65,2048}$/
const DIGITS = /^[0-9]{1,78}$/

function readPayload(header: string): ExactPayload {
  let payload: unknown
  try {
    payload = decodePaymentSignatureHeader(header)
  } catch {
    throw malformed('not base64 of JSON')
  }
  if (!isPaymentPayloadV2(payload)) throw malformed('not a payment of version 2')
  const { authorization, signature } = payload.payload as Partial<Eip3009>
  const fits =
    typeof authorization === 'object' &&
    authorization !== null &&
    matches(ADDRESS, authorization.from, authorization.to) &&
    matches(BYTES32, authorization.nonce) &&
    [authorization.value, authorization.validAfter, authorization.validBefore].every(isUint256) &&
    matches(SIGNATURE, signature)
  if (!fits) throw malformed('not an EIP-3009 authorization')
  return payload as unknown as ExactPayload
}

const matches = (pattern: RegExp, ...values: unknown[]) =>
  values.every((value) => typeof value === 'string' && pattern.test(value))

const isUint256 = (value: unknown) => typeof value === 'string' && DIGITS.test(value) && BigInt(value) <= MAX_UINT256

const malformed = (why: string) => new MalformedX402(`Credential is malformed: ${why}.`)

/** The header cannot be read at all: 400. */
export class MalformedX402 extends PaymentRefused {
  constructor(detail: string) {
    super('malformed-credential', 'malformed', detail)
  }
}

/** The client's identifier, when it is one: an unusable one is treated as absent, the payment itself is fine. */
function readIdentifier(payload: PaymentPayload): string | undefined {
  const id = extractPaymentIdentifier(payload, false)
  return id !== null && isValidPaymentId(id) ? id : undefined
}
