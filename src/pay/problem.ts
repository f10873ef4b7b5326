import { AstrolabeError } from '../lib/errors.ts'

/** Problem bodies of the payment protocol (paymentauth.org) and of everything else that is not an answer. */
export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  /** the same sentence under the key surface's name for it */
  message?: string
  param?: string
  challengeId?: string
  transaction?: string
}

const PAYMENT_PROBLEMS = {
  'payment-required': { status: 402, title: 'Payment Required' },
  'malformed-credential': { status: 402, title: 'Malformed Credential' },
  'invalid-challenge': { status: 402, title: 'Invalid Challenge' },
  'invalid-payload': { status: 402, title: 'Invalid Payload' },
  'payment-expired': { status: 402, title: 'Payment Expired' },
  'verification-failed': { status: 402, title: 'Verification Failed' },
  'bad-request': { status: 400, title: 'Bad Request' },
} as const

export type PaymentProblem = keyof typeof PAYMENT_PROBLEMS

export function paymentProblem(kind: PaymentProblem, detail: string, status?: number): Problem {
  const known = PAYMENT_PROBLEMS[kind]
  return { type: `https://paymentauth.org/problems/${kind}`, title: known.title, status: status ?? known.status, detail }
}

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  414: 'URI Too Long',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

export function plainProblem(status: number, detail: string, extra: Partial<Problem> = {}): Problem {
  return { type: 'about:blank', title: TITLES[status] ?? 'Error', status, detail, message: detail, ...extra }
}

/**
 * Why a payment was not taken. The list is closed: texts of nodes and libraries may hold addresses, calls and keys' owners and never
 * reach a client.
 */
export const REASONS = {
  offer_mismatch: 'the accepted offer is not the one of this request',
  resource_mismatch: 'the payment names another resource',
  recipient_mismatch: 'recipient mismatch (invalid_exact_evm_recipient_mismatch)',
  amount_mismatch: 'amount mismatch (invalid_exact_evm_payload_authorization_value_mismatch)',
  nonce_mismatch: 'the authorization is not bound to this challenge (nonce mismatch)',
  source_mismatch: 'the source is not the payer',
  invalid_signature: 'signature mismatch (invalid_exact_evm_signature)',
  not_yet_valid: 'the authorization is not valid yet (invalid_exact_evm_payload_authorization_valid_after)',
  expired: 'the authorization has expired (invalid_exact_evm_payload_authorization_valid_before)',
  insufficient_balance: 'the payer has too little balance (invalid_exact_evm_insufficient_balance)',
  nonce_already_used: 'the authorization was used already (invalid_exact_evm_nonce_already_used)',
  transfer_rejected: 'the token refuses the transfer (invalid_exact_evm_transaction_simulation_failed)',
  too_much_gas: 'the transfer takes more gas than is paid for (invalid_exact_evm_transaction_simulation_failed)',
  transfer_reverted: 'the transfer was mined and reverted (invalid_exact_evm_transaction_failed)',
  already_delivered: 'this payment has bought its answer already (invalid_exact_evm_nonce_already_used)',
  refunded: 'this payment was given back (invalid_exact_evm_nonce_already_used)',
  not_bound_here: 'this payment was made for another request',
} as const

export type Reason = keyof typeof REASONS

/** The payer's payment cannot be taken: 402 with fresh offers. */
export class PaymentRefused extends AstrolabeError {
  readonly problem: PaymentProblem
  readonly reason: string
  /** a transaction that was mined in vain */
  readonly transaction: string | undefined
  constructor(problem: PaymentProblem, reason: string, detail: string, transaction?: string) {
    super('payment_refused', detail)
    this.problem = problem
    this.reason = reason
    this.transaction = transaction
  }
}

export const refuse = (reason: Reason, transaction?: string): PaymentRefused =>
  new PaymentRefused('verification-failed', reason, `Payment verification failed: ${REASONS[reason]}.`, transaction)
