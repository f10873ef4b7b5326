import type { PaymentRow } from '../../store/pay/ledger.ts'
import type { Problem } from '../problem.ts'
import { MppRail } from '../rails/mpp.ts'
import { X402Rail } from '../rails/x402.ts'

/** A finished answer of the paid surface, and what to do once its last byte is out, or when it could not be handed over. */
export type PaidAnswer = {
  status: number
  type: string
  body: string | Buffer
  headers: Record<string, string | string[]>
  /** the payment was good and there was nothing to sell for it */
  isUnsold?: boolean
  onDelivered?: () => Promise<void>
  onLost?: () => Promise<void>
}

export const JSON_TYPE = 'application/json'
const PROBLEM_TYPE = 'application/problem+json'

export function problemAnswer(problem: Problem, headers: PaidAnswer['headers'] = {}): PaidAnswer & { body: string } {
  return {
    status: problem.status,
    type: PROBLEM_TYPE,
    body: `${JSON.stringify(problem)}\n`,
    headers: { 'cache-control': 'no-store', ...headers },
  }
}

export function withHeader(answer: PaidAnswer, name: string, value: string): PaidAnswer {
  return { ...answer, headers: { ...answer.headers, [name]: value } }
}

export type PaidFacts = Pick<PaymentRow, 'rail' | 'method' | 'payer'> & {
  challengeId: string | undefined
  chainId: number
  hash: string
  at: Date
}

/** Headers of an answer that was paid for. Never on anything but 2xx. */
export function receiptHeaders({ rail, method, payer, challengeId, chainId, hash, at }: PaidFacts): Record<string, string> {
  return {
    'cache-control': 'private',
    'payment-receipt': MppRail.receipt({ method, hash, challengeId, chainId, at }),
    ...(rail === 'x402' ? { 'payment-response': X402Rail.response({ success: true, hash, chainId, payer }) } : {}),
  }
}
