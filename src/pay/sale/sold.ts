import { type Found, isAnswer, type LookupResult } from '../../operations/lookup.ts'
import type { PaymentRow, StoredAnswer } from '../../store/pay/ledger.ts'
import { plainProblem } from '../problem.ts'
import type { VerifiedPayment } from '../rails/payment.ts'
import { JSON_TYPE, type PaidAnswer, problemAnswer, receiptHeaders } from './answer.ts'

/** The forms an answer goes through: found, kept, handed over with a receipt or without. */

const FAILED_RETRY_S = 5

export type PaidOf = VerifiedPayment | PaymentRow

/** Digest of the credential that a payment was claimed with. */
export const credentialOf = (payment: PaidOf): Buffer =>
  'credential_hash' in payment ? payment.credential_hash : payment.credentialHash

export function toStored({ status, body, height }: Found): StoredAnswer {
  return { status, type: JSON_TYPE, body, height }
}

export function storedOf(row: PaymentRow): StoredAnswer | undefined {
  if (row.response_status === null || row.response_body === null) return undefined
  const { response_status: status, response_type: type, response_body: body, response_height: height } = row
  return { status, type: type ?? JSON_TYPE, body, height: height ?? undefined }
}

/** With the receipt of its payment. */
export function withReceipt({ status, type, body, height }: StoredAnswer, payment: PaidOf, hash: string, at: Date): PaidAnswer {
  const { rail, method, payer } = payment
  const challengeId = 'challenge_id' in payment ? (payment.challenge_id ?? undefined) : payment.challengeId
  const chainId = 'chain_id' in payment ? payment.chain_id : payment.chainId
  const receipt = receiptHeaders({ rail, method, payer, challengeId, chainId, hash, at })
  return { status, type, body, headers: { ...receipt, ...heightHeader(height) } }
}

/** An answer that costs nothing: an error, or a 204 where those are free. No receipt. */
export function unpaid(result: LookupResult): PaidAnswer {
  if (isAnswer(result)) {
    const { status, body, height } = result
    return { status, type: JSON_TYPE, body, headers: { 'cache-control': 'no-store', ...heightHeader(height) } }
  }
  const retry = result.retryAfter ?? (result.status === 503 ? FAILED_RETRY_S : undefined)
  const problem = plainProblem(result.status, result.detail, result.param === undefined ? {} : { param: result.param })
  return problemAnswer(problem, retry === undefined ? {} : { 'retry-after': String(retry) })
}

const heightHeader = (height: number | undefined): Record<string, string> =>
  height === undefined ? {} : { 'x-indexed-height': String(height) }
