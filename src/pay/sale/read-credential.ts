import { Credential } from 'mppx'
import { BadRequest } from '../../api/http/errors.ts'
import { AstrolabeError } from '../../lib/errors.ts'
import { PaymentRefused } from '../problem.ts'
import type { PaymentCredential } from '../rails/payment.ts'
import { MalformedX402 } from '../rails/x402.ts'
import type { Rails } from './offers.ts'

/** Headers of a request that have to do with payment, and the key of a plan that is renewed. Everything else is ignored. */
export type PaymentHeaders = {
  authorization?: string | undefined
  'payment-signature'?: string | undefined
  'idempotency-key'?: string | undefined
  'accept-payment'?: string | undefined
  apikey?: string | undefined
}

const MAX_HEADER_BYTES = 8 * 1024
/** Printable ASCII: it goes into a database column and an index. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

/** The payment in a request, undefined when there is none. Another authentication scheme is no payment. */
export function readCredential(rails: Rails, headers: PaymentHeaders): PaymentCredential | undefined {
  const mpp = headers.authorization === undefined ? null : Credential.extractPaymentScheme(headers.authorization)
  const x402 = rails.x402 && headers['payment-signature']
  if (mpp === null && x402 === undefined) return undefined
  if (mpp !== null && x402 !== undefined) throw new BothRails()
  const idemKey = headers['idempotency-key']
  if (idemKey !== undefined && !IDEMPOTENCY_KEY.test(idemKey))
    throw new BadRequest('Idempotency-Key must be 1 to 255 printable characters', 'Idempotency-Key')
  if (mpp !== null) {
    if (mpp.length > MAX_HEADER_BYTES)
      throw new PaymentRefused('malformed-credential', 'malformed', 'Credential is malformed: too long.')
    return rails.mpp.decode(mpp, idemKey)
  }
  if (x402!.length > MAX_HEADER_BYTES) throw new MalformedX402('Credential is malformed: too long.')
  return rails.x402!.decode(x402!, idemKey)
}

/** Two payments for one answer: taking either would be a guess. */
export class BothRails extends AstrolabeError {
  constructor() {
    super('both_rails', 'Bad request: pay with Authorization or with PAYMENT-SIGNATURE, not with both.')
  }
}
