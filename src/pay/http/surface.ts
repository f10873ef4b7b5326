import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { retryAfter } from '../../access/rate-limit-headers.ts'
import { bindGet } from '../../api/http/bind.ts'
import { toErrorAnswer } from '../../api/http/error-answer.ts'
import { BadRequest, HttpError } from '../../api/http/errors.ts'
import type { Operation } from '../../operations/operation.ts'
import { ChainAway } from '../evm/rpc.ts'
import type { PayMetrics } from '../metrics.ts'
import type { Sold } from '../plans/plan-item.ts'
import { PaymentRefused, paymentProblem, plainProblem } from '../problem.ts'
import type { PaymentCredential, Quote } from '../rails/payment.ts'
import { MalformedX402, X402Rail } from '../rails/x402.ts'
import { type PaidAnswer, problemAnswer, withHeader } from '../sale/answer.ts'
import { offerAnswer, quote, type Rails } from '../sale/offers.ts'
import { BothRails, type PaymentHeaders, readCredential } from '../sale/read-credential.ts'
import type { Admit, Sale } from '../sale/sale.ts'
import type { Stock } from '../sale/stock.ts'
import type { PaySettings } from '../settings.ts'
import type { ClientLimits, Policy } from './limits.ts'

export type SurfaceDeps = {
  settings: PaySettings
  rails: Rails
  sale: Sale
  stock: Stock
  /** Throws where an operation cannot be answered, whatever is asked: it is not offered. */
  check: (operation: Operation) => void
  limits: ClientLimits
  metrics: PayMetrics
  /** wall clock in milliseconds */
  now: () => number
  log: Logger
}

export type PaidRequest = {
  operation: Sold
  params: Record<string, string>
  /** path and query as they came */
  target: string
  headers: PaymentHeaders
  /** whom limits count */
  client: string
}

const TOO_MANY: Record<Policy, string> = {
  challenges: 'too many requests without payment',
  failures: 'too many payments that could not be taken',
  unsold: 'too many payments for what is not there',
}

/** Whom limits count: an address, or the payer once it is proven. */
type LimitedBy = { by: string }

/** 429: too many of these. */
class OverLimit extends HttpError {
  readonly policy: Policy
  constructor(policy: Policy, waitMs: number) {
    super(429, 'over_limit', TOO_MANY[policy], { 'retry-after': retryAfter({ seconds: Math.ceil(waitMs / 1000) }) })
    this.policy = policy
  }
}

/** Answers a request: offers without a payment, the sale with one, and refusals as the protocols define them. */
export class PaidSurface {
  readonly #deps: SurfaceDeps

  constructor(deps: SurfaceDeps) {
    this.#deps = deps
  }

  /** Also says what is left of the limits. */
  async answer(request: PaidRequest): Promise<PaidAnswer> {
    const { limits, now } = this.#deps
    // Until a payer is proven, what goes wrong is held against the address.
    const limited: LimitedBy = { by: request.client }
    const answer = await this.#answer(request, limited)
    return { ...answer, headers: { ...answer.headers, ...limits.headers(request.client, limited.by, now()) } }
  }

  /** Counts what is answered for nothing like offers; throws 429. */
  admitFree(client: string, messages: number): void {
    if (this.#isOver('challenges', client)) {
      this.#deps.metrics.limited('challenges')
      throw this.#overLimit('challenges', client)
    }
    for (let left = messages; left > 0; left--) this.#deps.limits.count('challenges', client, this.#deps.now())
  }

  async #answer(request: PaidRequest, limited: LimitedBy): Promise<PaidAnswer> {
    const { settings, rails, limits, stock, sale } = this.#deps
    const { operation: item, target } = request
    // Elsewhere keys mean nothing here.
    const apikey = 'plan' in item ? request.headers.apikey : undefined
    const quoted = quote(item, settings.baseUrl, target, apikey)
    let credential: PaymentCredential | undefined
    try {
      credential = readCredential(rails, request.headers)
      if (!credential) return await this.#offer(quoted, request)
      const asked = bindGet(item, target, request.params)
      const goods = stock({ item, asked, credential, apikey })
      const admit = (checked: Parameters<Admit>[0]) => this.#admit(checked, limited)
      const answer = await sale.serve({ quoted, goods, credential, holder: randomUUID(), admit })
      if (answer.isUnsold) limits.count('unsold', limited.by, this.#deps.now())
      return answer
    } catch (error) {
      if (error instanceof OverLimit) return this.#tooMany(error)
      if (error instanceof PaymentRefused) return this.#refuseWithOffers(error, quoted, request, credential, limited)
      return this.#fail(error, credential)
    }
  }

  /** A proven payer answers for itself: nobody is refused for what others behind the same address do. */
  async #admit({ payer, isProven }: Parameters<Admit>[0], limited: LimitedBy): Promise<void> {
    if (isProven) {
      limited.by = payer
      this.#checkLimit('failures', payer)
      this.#checkLimit('unsold', payer)
      return
    }
    // A contract's signature costs calls to the chain before anyone knows whether it is one; customers are not kept waiting for that.
    if (this.#isOver('failures', limited.by) && !(await this.#deps.sale.isCustomer(payer)))
      this.#checkLimit('failures', limited.by)
  }

  /** Also for what could not even be read: every refusal comes with offers. */
  async #refuseWithOffers(
    error: PaymentRefused,
    quoted: Quote,
    { headers }: PaidRequest,
    credential: PaymentCredential | undefined,
    { by }: LimitedBy,
  ): Promise<PaidAnswer> {
    const { settings, rails, limits, metrics, now } = this.#deps
    if (this.#isOver('failures', by)) return this.#tooMany(this.#overLimit('failures', by))
    metrics.credential(error.reason)
    limits.count('failures', by, now())
    if (error instanceof MalformedX402) return problemAnswer(paymentProblem(error.problem, error.message, 400))
    const offers = await offerAnswer(rails, quoted, paymentProblem(error.problem, error.message), headers['accept-payment'])
    return credential?.rail === 'x402' ? withFailure(offers, error, settings) : offers
  }

  /** No database, no chain, no check of inputs: probes ask for templates without parameters. */
  async #offer(quoted: Quote, { client, headers }: PaidRequest): Promise<PaidAnswer> {
    this.#checkLimit('challenges', client)
    if (!('plan' in quoted.operation)) this.#deps.check(quoted.operation)
    this.#deps.limits.count('challenges', client, this.#deps.now())
    this.#deps.metrics.challenge(quoted.operation.tier)
    const detail = `Payment is required (${quoted.operation.summary}).`
    return offerAnswer(this.#deps.rails, quoted, paymentProblem('payment-required', detail), headers['accept-payment'])
  }

  #isOver(policy: Policy, by: string): boolean {
    return this.#deps.limits.wait(policy, by, this.#deps.now()) > 0
  }

  #checkLimit(policy: Policy, by: string): void {
    if (this.#isOver(policy, by)) throw this.#overLimit(policy, by)
  }

  #overLimit(policy: Policy, by: string): OverLimit {
    return new OverLimit(policy, this.#deps.limits.wait(policy, by, this.#deps.now()))
  }

  #tooMany({ policy, message, headers }: OverLimit): PaidAnswer {
    this.#deps.metrics.limited(policy)
    return problemAnswer(plainProblem(429, message), headers)
  }

  #fail(error: unknown, credential: PaymentCredential | undefined): PaidAnswer {
    const { metrics, log } = this.#deps
    if (error instanceof BothRails) return problemAnswer(paymentProblem('bad-request', error.message))
    if (error instanceof BadRequest) {
      if (credential) metrics.credential('bad_request')
      return problemAnswer(plainProblem(400, error.message, error.param === undefined ? {} : { param: error.param }))
    }
    if (error instanceof ChainAway) {
      metrics.credential(error.code)
      log.error({ err: error, code: error.code }, 'payment chain not available: the request was answered with 503')
      return problemAnswer(plainProblem(503, error.message), { 'retry-after': String(error.retryAfterS) })
    }
    const failure = toErrorAnswer(error)
    if (failure.isOurs) log.error({ err: error }, 'paid request failed')
    if (credential) metrics.credential('error')
    return problemAnswer(plainProblem(failure.status, failure.body.message), failure.headers)
  }
}

/** x402 tells what became of a settlement also when it failed. */
function withFailure(answer: PaidAnswer, { transaction, reason }: PaymentRefused, { evm }: PaySettings): PaidAnswer {
  if (transaction === undefined || !evm) return answer
  const facts = { success: false, hash: transaction, chainId: evm.chainId, errorReason: reason }
  return withHeader(answer, 'payment-response', X402Rail.response(facts))
}
