import { HTTPFacilitatorClient } from '@x402/core/http'
import { type PaymentPayload, type PaymentRequirements, SettleError, VerifyError } from '@x402/core/types'
import { getAddress } from 'viem'
import { OperatorError } from '../../lib/errors.ts'
import { ChainAway } from '../evm/rpc.ts'
import type { Authorization } from '../evm/token.ts'
import { TokenChain } from '../evm/token-chain.ts'
import { type Reason, refuse } from '../problem.ts'
import type { EvmSettings, FacilitatorSettings, Hex } from '../settings.ts'

/** Request to a facilitator to verify and to settle. */
export type FacilitatorRequest = { paymentPayload: PaymentPayload; paymentRequirements: PaymentRequirements }

/** Answer of a facilitator about a settlement. All of it is looked up on the chain before it counts. */
export type FacilitatorAnswer =
  | { kind: 'sent'; hash: Hex }
  /** nothing was sent; without a reason it is not the payer's fault */
  | { kind: 'refused'; reason: Reason | undefined }
  /** no answer, or none that can be read: it may have sent the transfer */
  | { kind: 'unknown' }

const TRANSACTION = /^0x[0-9a-fA-F]{64}$/
/** Its own simulation takes a few calls to its node. */
const TIMEOUT_MS = 10_000

/** The payer's faults among the reasons of the protocol; what is none of these is the facilitator's or ours. */
const REASONS: [RegExp, Reason][] = [
  [/insufficient/i, 'insufficient_balance'],
  [/nonce_(already_)?used|already_used/i, 'nonce_already_used'],
  [/valid_before|expired/i, 'expired'],
  [/valid_after/i, 'not_yet_valid'],
  [/signature/i, 'invalid_signature'],
]

const reasonOf = (text = ''): Reason | undefined => REASONS.find(([pattern]) => pattern.test(text))?.[1]

/** Verifies and settles through somebody else's service (x402 version 2), which sends the transfer and pays the gas. */
export class Facilitator extends TokenChain {
  readonly #client: HTTPFacilitatorClient
  readonly #terms: { recipient: Hex; ttlS: number }

  constructor(
    settings: EvmSettings,
    { url, token, timeoutMs = TIMEOUT_MS }: FacilitatorSettings,
    terms: { recipient: Hex; ttlS: number },
  ) {
    super(settings)
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const createAuthHeaders = async () => ({ verify: headers, settle: headers, supported: headers })
    this.#client = new HTTPFacilitatorClient({ url, timeoutMs, createAuthHeaders })
    this.#terms = terms
  }

  /** Throws when it does not settle on this chain, or does not answer. */
  async check(): Promise<void> {
    const { chainId } = this.settings
    const { kinds } = await this.#client.getSupported().catch((error) => {
      throw new ChainAway('facilitator', error)
    })
    const isKnown = kinds.some(
      ({ x402Version, scheme, network }) =>
        x402Version === 2 && scheme === 'exact' && (network === `eip155:${chainId}` || network === 'eip155:*'),
    )
    if (!isKnown) throw new OperatorError('facilitator', `the facilitator does not settle exact payments on chain ${chainId}`)
  }

  /** As x402 writes it; a payload that came that way goes on as it came, with what registries look for. */
  requestOf(auth: Authorization, given?: PaymentPayload): FacilitatorRequest {
    const { chainId, token, tokenName, tokenVersion } = this.settings
    const paymentRequirements: PaymentRequirements = {
      scheme: 'exact',
      network: `eip155:${chainId}`,
      amount: auth.value.toString(),
      asset: getAddress(token),
      payTo: getAddress(this.#terms.recipient),
      maxTimeoutSeconds: this.#terms.ttlS,
      extra: { name: tokenName, version: tokenVersion, assetTransferMethod: 'eip3009' },
    }
    const { from, to, nonce, signature } = auth
    const authorization = {
      from,
      to,
      nonce,
      value: auth.value.toString(),
      validAfter: auth.validAfter.toString(),
      validBefore: auth.validBefore.toString(),
    }
    const made = { x402Version: 2, accepted: paymentRequirements, payload: { signature, authorization } }
    return { paymentPayload: given ?? made, paymentRequirements }
  }

  /** Throws when the facilitator says that the payment cannot be taken, or says nothing. Gas is its business: 0. */
  async simulate(auth: Authorization, given?: PaymentPayload): Promise<bigint> {
    const { paymentPayload, paymentRequirements } = this.requestOf(auth, given)
    const { isValid, invalidReason } = await this.#client.verify(paymentPayload, paymentRequirements).catch((error) => {
      if (error instanceof VerifyError && error.statusCode < 500) return { isValid: false, invalidReason: error.invalidReason }
      throw new ChainAway('facilitator', error)
    })
    if (isValid) return 0n
    const reason = reasonOf(invalidReason)
    // Which of the reasons it is, the token knows best.
    throw reason === undefined ? await this.explainRevert(auth) : refuse(reason)
  }

  async settle({ paymentPayload, paymentRequirements }: FacilitatorRequest): Promise<FacilitatorAnswer> {
    try {
      const answer = await this.#client.settle(paymentPayload, paymentRequirements)
      return read(answer.transaction, answer.success, answer.errorReason)
    } catch (error) {
      // A fault of its own says nothing about whether it has sent the transfer before.
      if (!(error instanceof SettleError) || error.statusCode >= 500) return { kind: 'unknown' }
      return read(error.transaction, false, error.errorReason)
    }
  }
}

function read(transaction: string, isSuccess: boolean, reason: string | undefined): FacilitatorAnswer {
  if (TRANSACTION.test(transaction)) return { kind: 'sent', hash: transaction.toLowerCase() as Hex }
  return isSuccess ? { kind: 'unknown' } : { kind: 'refused', reason: reasonOf(reason) }
}
