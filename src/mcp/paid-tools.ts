import { type CallToolResult, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { Challenge, Credential, Mcp, Receipt } from 'mppx'
import { HttpError } from '../api/http/errors.ts'
import type { PaidSurface } from '../pay/http/surface.ts'
import type { Sold } from '../pay/plans/plan-item.ts'
import type { Problem } from '../pay/problem.ts'
import type { PaidAnswer } from '../pay/sale/answer.ts'
import type { PaymentHeaders } from '../pay/sale/read-credential.ts'
import type { Tools } from './calls.ts'
import { failedResult, foundResult, heightMeta, statusMeta } from './result.ts'

/** Keys of x402's MCP transport; those of MPP's come with its library. */
const X402_PAYMENT = 'x402/payment'
const X402_RESPONSE = 'x402/payment-response'

type Meta = Record<string, unknown>

/** Everything that is sold, as tools: its own small set, and what the operations of the API are sold as. */
export type Shelf = Pick<Tools<Sold>, 'items' | 'reach'>

export type PaidToolsOptions = {
  surface: PaidSurface
  shelf: Shelf
  /** whom limits count */
  client: string
  /** Hears of each answer: a sale ends when its last byte is out. */
  onAnswer: (answer: PaidAnswer) => void
}

/**
 * Tools sold by the paid surface. A call is the HTTP request of its operation, and a payment in `_meta` is the header of that request:
 * what is claimed, settled, repeated and delivered is decided where it is for HTTP.
 */
export function createPaidTools({ surface, shelf, client, onAnswer }: PaidToolsOptions): Tools<Sold> {
  return {
    ...shelf,
    isPaid: true,
    demandOf,
    // A call of something that is sold is counted as what it becomes: an offer, a sale or a failure.
    async admit(item) {
      if (item) return undefined
      try {
        surface.admitFree(client, 1)
        return undefined
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        return failedResult(error.status, error.message, error.headers['retry-after'])
      }
    },
    async call(operation, { params, target, headers: given }, meta) {
      const headers = { ...given, ...paymentHeaders(meta) }
      const answer = await surface.answer({ operation, params, target, headers, client })
      onAnswer(answer)
      return toResult(answer, headers.authorization !== undefined)
    },
  }
}

function paymentHeaders(meta: Meta): PaymentHeaders {
  const { [Mcp.credentialMetaKey]: mpp, [X402_PAYMENT]: x402 } = meta
  return {
    ...(mpp !== undefined && { authorization: toAuthorization(mpp) }),
    ...(x402 !== undefined && { 'payment-signature': Buffer.from(JSON.stringify(x402)).toString('base64') }),
  }
}

/** A malformed credential is passed on unchanged, and the surface refuses it. */
function toAuthorization(credential: unknown): string {
  try {
    return Credential.serialize(credential as Credential.Credential)
  } catch {
    return `Payment ${Buffer.from(JSON.stringify(credential)).toString('base64url')}`
  }
}

function toResult(answer: PaidAnswer, isByMpp: boolean): CallToolResult {
  const { status, headers } = answer
  const body = answer.body.toString()
  if (status < 300) return foundResult(body, { ...receiptMeta(headers), ...heightMeta(text(headers['x-indexed-height'])) })
  const problem = JSON.parse(body) as Problem
  if (status !== 402) return failedResult(status, problem.detail, text(headers['retry-after']))
  return demandPayment(problem, headers, isByMpp)
}

function receiptMeta(headers: PaidAnswer['headers']): Meta {
  const receipt = text(headers['payment-receipt'])
  const response = text(headers['payment-response'])
  return {
    ...(receipt !== undefined && { [Mcp.receiptMetaKey]: Receipt.deserialize(receipt) }),
    ...(response !== undefined && { [X402_RESPONSE]: decodePaymentResponseHeader(response) }),
  }
}

/**
 * Both offers in one result: x402's as its content, MPP's beside it. Who has already paid by MPP gets the error of that protocol, which
 * has no place for the other.
 */
function demandPayment(problem: Problem, headers: PaidAnswer['headers'], isByMpp: boolean): CallToolResult {
  const challenges = [headers['www-authenticate'] ?? []].flat().map((header) => Challenge.deserialize(header))
  const { paymentRequired: _, ...told } = problem as Problem & { paymentRequired?: unknown }
  const data = { httpStatus: 402, challenges, problem: told }
  if (isByMpp) throw new McpError(codeOf(problem), problem.detail, data)
  const offer = text(headers['payment-required'])
  const required = offer === undefined ? undefined : decodePaymentRequiredHeader(offer)
  return {
    content: [{ type: 'text', text: required ? JSON.stringify(required) : problem.detail }],
    ...(required && { structuredContent: required as unknown as Meta }),
    isError: true,
    _meta: { ...statusMeta(402), [Mcp.paymentRequiredMetaKey]: data, ...receiptMeta(headers) },
  }
}

/** MPP's error, with the offer of x402 beside what that protocol says. */
function demandOf({ _meta, structuredContent }: CallToolResult): McpError | undefined {
  const data = _meta?.[Mcp.paymentRequiredMetaKey] as { problem: Problem } | undefined
  return data && new McpError(Mcp.paymentRequiredCode, data.problem.detail, { ...structuredContent, ...data })
}

const UNREADABLE = /\/(?:malformed-credential|invalid-payload)$/

const codeOf = ({ type }: Problem): number =>
  UNREADABLE.test(type) ? ErrorCode.InvalidParams : Mcp.paymentVerificationFailedCode

const text = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header)
