import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { getAddress } from 'viem'
import { OperatorError } from '../../lib/errors.ts'
import { ChainAway } from '../evm/rpc.ts'
import type { Authorization } from '../evm/token.ts'
import { TokenChain } from '../evm/token-chain.ts'
import { type Reason, refuse } from '../problem.ts'
import type { EvmSettings, FacilitatorSettings, Hex } from '../settings.ts'
import { FacilitatorClient, type FacilitatorRequest } from './facilitator-client.ts'

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

const reasonOf = (text: string | null | undefined): Reason | undefined =>
  REASONS.find(([pattern]) => pattern.test(text ?? ''))?.[1]

/** Verifies and settles through somebody else's service (x402 version 2), which sends the transfer and pays the gas. */
export class Facilitator extends TokenChain {
  readonly #client: FacilitatorClient
  readonly #terms: { recipient: Hex; ttlS: number }

  constructor(
    settings: EvmSettings,
    { url, token, timeoutMs = TIMEOUT_MS }: FacilitatorSettings,
    terms: { recipient: Hex; ttlS: number },
  ) {
    super(settings)
    this.#client = new FacilitatorClient({ url, token, timeoutMs })
    this.#terms = terms
  }

  /** Throws when it does not settle on this chain, or does not answer. */
  async check(): Promise<void> {
    const { chainId } = this.settings
    const { kinds } = await this.#ask(() => this.#client.supported())
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
    const request = this.requestOf(auth, given)
    const { isValid, invalidReason } = await this.#ask(() => this.#client.verify(request))
    if (isValid) return 0n
    const reason = reasonOf(invalidReason)
    // Which of the reasons it is, the token knows best.
    throw reason === undefined ? await this.explainRevert(auth) : refuse(reason)
  }

  async settle(request: FacilitatorRequest): Promise<FacilitatorAnswer> {
    try {
      const { transaction, success, errorReason } = await this.#client.settle(request)
      return read(transaction, success, errorReason)
    } catch {
      // Its own fault says nothing about whether it has sent the transfer before.
      return { kind: 'unknown' }
    }
  }

  async #ask<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      throw new ChainAway('facilitator', error)
    }
  }
}

function read(transaction: string | null | undefined, isSuccess: boolean, reason: string | null | undefined): FacilitatorAnswer {
  if (transaction && TRANSACTION.test(transaction)) return { kind: 'sent', hash: transaction.toLowerCase() as Hex }
  return isSuccess ? { kind: 'unknown' } : { kind: 'refused', reason: reasonOf(reason) }
}
