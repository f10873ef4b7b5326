import { parentPort } from 'node:worker_threads'
import { type PlainError, toPlainError } from '../../lib/errors.ts'
import { SQUARE_WORK, type WorkInput, type WorkName } from './work.ts'

export type WorkRequest<N extends WorkName = WorkName> = { id: number; name: N; input: WorkInput<N> }

export type WorkReply = { id: number; output?: unknown; failure?: PlainError }

const port = parentPort!

port.on('message', ({ id, name, input }: WorkRequest) => {
  port.postMessage({ id, ...attempt(SQUARE_WORK[name] as (input: unknown) => unknown, input) } satisfies WorkReply)
})

function attempt(work: (input: unknown) => unknown, input: unknown): Omit<WorkReply, 'id'> {
  try {
    return { output: work(input) }
  } catch (error) {
    return { failure: toPlainError(error) }
  }
}
