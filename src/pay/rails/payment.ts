import type { PaymentPayload } from '@x402/core/types'
import type { NewPayment } from '../../store/pay/ledger.ts'
import type { Authorization } from '../evm/token.ts'
import type { TokenChain } from '../evm/token-chain.ts'
import type { Sold } from '../plans/plan-item.ts'
import type { Reason } from '../problem.ts'
import type { Hex } from '../settings.ts'

/** One request as it is sold: what it costs and what a payment for it is bound to. */
export type Quote = {
  operation: Sold
  /** atomic units of a six-decimal dollar token */
  amount: bigint
  /** the same in whole dollars, for offers in display units */
  usd: string
  /** public URL, path and query as they came */
  url: string
  /** the same as offers name it: never long */
  resource: string
  /** digest of method, path and query inside challenges: a credential opens this request and no other */
  scope: string
  /** sha256 of method, path and query */
  fingerprint: Buffer
}

/** How a payment becomes money: by a transaction of ours or of a facilitator, or by one that the payer signed. */
export type Charge =
  /** `x402`: as it came, where it came that way */
  | { kind: 'authorization'; auth: Authorization; gas: bigint; x402?: PaymentPayload | undefined }
  | { kind: 'transaction'; raw: Hex; token: Hex }

/** A payment that was verified without side effect. */
export type VerifiedPayment = NewPayment & { charge: Charge }

/** Outcome of a settlement. */
export type Settled =
  | { kind: 'settled'; hash: Hex; gasWei: bigint | undefined; block?: bigint | undefined }
  /** the payer's fault, and known for sure: nothing moved */
  | { kind: 'refused'; reason: Reason; hash?: Hex | undefined; gasWei: bigint }
  /** sent, outcome unknown: ask again with the same credential */
  | { kind: 'pending'; hash: Hex | undefined }
  /** our fault, nothing was sent or could move: the authorization is free again */
  | { kind: 'failed' }
  /** another replica took the payment over */
  | { kind: 'lost' }

/** The moments between which a payment can be interrupted; tests stop the process there. */
export type Step = 'claimed' | 'signed' | 'sent' | 'settled'
export type OnStep = (step: Step) => Promise<void> | void

/** A payment header that could be read. Nothing in it is trusted yet. */
export type PaymentCredential = {
  rail: 'mpp' | 'x402'
  credentialHash: Buffer
  /** ledger key of the authorization inside */
  key: string
  idemKey: string | undefined
  /** Everything that can be said without the payment chain. Throws PaymentRefused. */
  check: (quote: Quote) => Promise<CheckedCredential>
}

/** A payment that is in order as far as it can be seen from here. */
export type CheckedCredential = {
  payer: string
  /** false: the payer is said to be a contract, and only the chain knows whether it has signed */
  isProven: boolean
  /** Asks the payment chain, without side effect. */
  verify: () => Promise<VerifiedPayment>
}

/** Asks whether a transfer would go through, and how much gas of ours it takes. Throws when it would not. */
export type Verifier = Pick<TokenChain, 'settings' | 'checkContract'> & {
  simulate: (auth: Authorization, given?: PaymentPayload) => Promise<bigint>
}

/** The on-chain identity of an authorization. */
export function authorizationKey(chainId: number, token: string, from: string, nonce: string): string {
  return `${chainId}:${token}:${from}:${nonce}`.toLowerCase()
}
