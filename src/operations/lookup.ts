import type { BoundRequest } from '../api/http/bind.ts'
import { toErrorAnswer } from '../api/http/error-answer.ts'
import type { Operation } from './operation.ts'
import type { Operations } from './serve-operations.ts'

/** The answer of an operation, or why there is none. */
export type LookupResult =
  | { status: 200 | 204; body: Buffer; height?: number | undefined }
  | { status: number; detail: string; param?: string | undefined; retryAfter?: number | undefined }

/** Runs an operation; the seam between selling and what is sold. Throws what went wrong. */
export type Lookup = (operation: Operation, request: BoundRequest) => Promise<LookupResult>

/** Something to sell, if only that there is nothing. */
export type Found = Extract<LookupResult, { body: Buffer }>

export const isAnswer = (result: LookupResult): result is Found => 'body' in result

export function createLookup(operations: Pick<Operations, 'answer'>): Lookup {
  return async (operation, request) => {
    const { status, body, height } = await operations.answer(operation, request)
    if (status === 204 && !operation.isEmptyAnswer) return { status: 404, detail: 'nothing found' }
    return { status, body, height }
  }
}

/** Result of a failed lookup; `report` gets our own failures. */
export function failedLookup(error: unknown, report: (error: unknown) => void): LookupResult {
  const { status, body, headers, isOurs } = toErrorAnswer(error)
  if (isOurs) report(error)
  const retryAfter = headers['retry-after']
  return {
    status,
    detail: body.message,
    param: body.param,
    retryAfter: retryAfter === undefined ? undefined : Number(retryAfter),
  }
}
