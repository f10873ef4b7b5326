import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { Transient } from '../../lib/errors.ts'
import { boundFetch } from '../../lib/read-bounded.ts'

/** Request to a facilitator to verify and to settle. */
export type FacilitatorRequest = { paymentPayload: PaymentPayload; paymentRequirements: PaymentRequirements }

export type FacilitatorClientOptions = { url: string; token?: string | undefined; timeoutMs: number }

const ANSWER_BYTES = 2 ** 20

const MaybeText = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const Verified = Type.Object({ isValid: Type.Boolean(), invalidReason: MaybeText })
const Settled = Type.Object({ success: Type.Boolean(), transaction: MaybeText, errorReason: MaybeText })
const Supported = Type.Object({
  kinds: Type.Array(Type.Object({ x402Version: Type.Number(), scheme: Type.String(), network: Type.String() })),
})

/**
 * The HTTP interface of facilitators (x402 version 2), with answers that are bounded in time and size. The protocol's own client reads
 * whatever comes. A refusal may have a status of 4xx; a fault of the facilitator, or an answer of another form, is thrown.
 */
export class FacilitatorClient {
  readonly #options: FacilitatorClientOptions
  readonly #fetch = boundFetch(ANSWER_BYTES)

  constructor(options: FacilitatorClientOptions) {
    this.#options = options
  }

  supported(): Promise<Static<typeof Supported>> {
    return this.#ask('supported', Supported)
  }

  verify(request: FacilitatorRequest): Promise<Static<typeof Verified>> {
    return this.#ask('verify', Verified, request)
  }

  settle(request: FacilitatorRequest): Promise<Static<typeof Settled>> {
    return this.#ask('settle', Settled, request)
  }

  async #ask<S extends TSchema>(operation: string, schema: S, request?: FacilitatorRequest): Promise<Static<S>> {
    const { url, token, timeoutMs } = this.#options
    const response = await this.#fetch(`${url.replace(/\/+$/, '')}/${operation}`, {
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      signal: AbortSignal.timeout(timeoutMs),
      ...(request && { method: 'POST', body: JSON.stringify({ x402Version: request.paymentPayload.x402Version, ...request }) }),
    })
    const answer = parse(await response.text())
    if (response.status >= 500 || !Value.Check(schema, answer))
      throw new Transient('facilitator_answer', `the facilitator failed to ${operation}: it answered ${response.status}`)
    return answer as Static<S>
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
