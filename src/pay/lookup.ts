import { writeJson } from '../api/http/write-json.ts'
import type { Inputs, KeySurface, Operation } from './catalog/operation.ts'
import { type Problem, plainProblem } from './problem.ts'

/** What a paid request is answered with, before any money has moved. */
export type LookupResult =
  | { status: 200; body: string; height?: number | undefined }
  | { status: 204; body: ''; height?: number | undefined }
  | { status: number; problem: Problem; retryAfter?: number | undefined }

/** Runs an operation; the seam between selling and what is sold. */
export type Lookup = (operation: Operation, inputs: Inputs) => Promise<LookupResult>

/** Something to sell, if only that there is nothing. */
export type Found = Extract<LookupResult, { body: string }>

export const isAnswer = (result: LookupResult): result is Found => 'body' in result

/** Operations answered by the key surface's own functions. */
export function createLookup(key: KeySurface): Lookup {
  return async (operation, inputs) => {
    let height: number | undefined
    // An answer may be made of several; it is as old as the oldest of them.
    const watched: KeySurface = {
      ...key,
      async get(path, query) {
        const answer = await key.get(path, query)
        if (answer.height !== undefined && answer.height < (height ?? Infinity)) height = answer.height
        return answer
      },
    }
    const { status, json, message, param, retryAfter } = await operation.ask(watched, inputs)
    if (status === 200) return { status, body: writeJson(json), height }
    if (status === 204 && operation.isEmptyAnswer) return { status, body: '', height }
    if (status === 204) return { status: 404, problem: plainProblem(404, 'nothing found') }
    const extra = param === undefined ? {} : { param }
    return { status, problem: plainProblem(status, message ?? 'no answer', extra), retryAfter }
  }
}
