import { parentPort } from 'node:worker_threads'
import { AstrolabeError } from '../lib/errors.ts'
import { SQUARE_WORK, type WorkInput, type WorkName } from './square-work.ts'

export type WorkRequest<N extends WorkName = WorkName> = { id: number; name: N; input: WorkInput<N> }

/** Errors cross the thread border as data: a class would lose its prototype. `code` is that of an error thrown on purpose. */
export type WorkFailure = { message: string; code?: string; facts?: Record<string, unknown> }
export type WorkReply = { id: number; output?: unknown; failure?: WorkFailure }

const port = parentPort!

port.on('message', ({ id, name, input }: WorkRequest) => {
  port.postMessage({ id, ...attempt(SQUARE_WORK[name] as (input: unknown) => unknown, input) } satisfies WorkReply)
})

function attempt(work: (input: unknown) => unknown, input: unknown): Omit<WorkReply, 'id'> {
  try {
    return { output: work(input) }
  } catch (error) {
    if (error instanceof AstrolabeError) return { failure: { message: error.message, code: error.code, facts: error.facts } }
    return { failure: { message: error instanceof Error ? (error.stack ?? error.message) : String(error) } }
  }
}
