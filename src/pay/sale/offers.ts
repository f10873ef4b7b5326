import { parseQuery, UNREADABLE } from '../../api/http/query-string.ts'
import { formatUsd } from '../../lib/encoding/usd.ts'
import { ROWS_PER_PRICE } from '../../operations/operation.ts'
import type { Sold } from '../plans/plan-item.ts'
import type { Problem } from '../problem.ts'
import { sha256 } from '../rails/digest.ts'
import type { MppRail } from '../rails/mpp.ts'
import type { Quote } from '../rails/payment.ts'
import type { X402Rail } from '../rails/x402.ts'
import { PRICE_DECIMALS } from '../settings.ts'
import type { PaidAnswer } from './answer.ts'
import { problemAnswer } from './answer.ts'

/** "0.001000" USD is 1000 units of a six-decimal dollar token. */
export const toAtomic = (usd: string): bigint => {
  const [whole = '0', fraction = ''] = usd.split('.')
  return BigInt(whole) * 10n ** BigInt(PRICE_DECIMALS) + BigInt(fraction.padEnd(PRICE_DECIMALS, '0'))
}

/** Price of one request and what its payment is bound to. `target`: path and query as they came; `apikey`: that of a key to renew. */
export function quote(operation: Sold, baseUrl: string, target: string, apikey?: string): Quote {
  const { usd, method, rowsOf } = operation
  const amount = toAtomic(usd) * BigInt(rowsOf ? Math.max(1, Math.ceil(rowsOf(target) / ROWS_PER_PRICE)) : 1)
  const fingerprint = sha256(`${method} `, canonicalize(target), ...(apikey === undefined ? [] : [`\napikey: ${apikey}`]))
  // A digest, because addresses can be long and header space is short.
  const digest = fingerprint.toString('base64url').slice(0, 22)
  return {
    operation,
    usd: formatUsd(amount),
    amount,
    url: baseUrl + target,
    resource: resourceOf(baseUrl, target, digest),
    scope: digest,
    fingerprint,
  }
}

/** Proxies take headers of 4 KB, both offers and all others together. */
const MAX_RESOURCE_BYTES = 256

/** The address as offers name it; of a long one the digest stands for what does not fit. */
function resourceOf(baseUrl: string, target: string, digest: string): string {
  const url = baseUrl + target
  if (url.length <= MAX_RESOURCE_BYTES) return url
  const path = baseUrl + target.split('?', 1)[0]
  return `${path.length + digest.length < MAX_RESOURCE_BYTES ? path : baseUrl}#${digest}`
}

/** Order and encoding of a query do not make another request of it. */
function canonicalize(target: string): string {
  const [path = '', ...search] = target.split('?')
  const pairs = [...parseQuery(search.join('?'))].map(
    ([name, value]) => `${encodeURIComponent(name)}=${value === UNREADABLE ? '%' : encodeURIComponent(value)}`,
  )
  return pairs.length === 0 ? path : `${path}?${pairs.sort().join('&')}`
}

/** 402 with an offer on every rail; also when a payment was not taken, so that the client can try again at once. */
export async function offerAnswer(rails: Rails, quoted: Quote, problem: Problem, acceptPayment?: string): Promise<PaidAnswer> {
  const { headers, id } = await rails.mpp.challenge(quoted, acceptPayment)
  const answer = problemAnswer({ ...problem, challengeId: id }, { 'www-authenticate': headers })
  if (!rails.x402) return answer
  const { header, text } = rails.x402.offer(quoted, problem.detail)
  // The header has to be small; who reads the body gets all of it.
  const body = `${answer.body.slice(0, -2)},"paymentRequired":${text}}\n`
  return { ...answer, body, headers: { ...answer.headers, 'payment-required': header } }
}

export type Rails = { mpp: MppRail; x402: X402Rail | undefined }
