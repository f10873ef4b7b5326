import { writeJson } from '../api/write-json.ts'
import type { Inputs, KeySurface, Operation } from './catalog/operation.ts'
import { type Problem, plainProblem } from './problem.ts'

/** What a paid request is answered with, before any money has moved. */
export type LookupResult =
  | { status: 200; body: string }
  | { status: 204; body: '' }
  | { status: number; problem: Problem; retryAfter?: number | undefined }

/** Runs an operation; the seam between selling and what is sold. */
export type Lookup = (operation: Operation, inputs: Inputs) => Promise<LookupResult>

export const isAnswer = (result: LookupResult): result is Extract<LookupResult, { body: string }> => 'body' in result

/** Operations answered by the key surface's own functions. */
export function createLookup(key: KeySurface): Lookup {
  return async (operation, inputs) => {
    const { status, json, message, param, retryAfter } = await operation.ask(key, inputs)
    if (status === 200) return { status, body: writeJson(json) }
    if (status === 204 && operation.isEmptyAnswer) return { status, body: '' }
    if (status === 204) return { status: 404, problem: plainProblem(404, 'nothing found') }
    const extra = param === undefined ? {} : { param }
    return { status, problem: plainProblem(status, message ?? 'no answer', extra), retryAfter }
  }
}
