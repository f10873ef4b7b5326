import { parentPort, workerData } from 'node:worker_threads'
import { type PlainError, toPlainError } from '../../lib/errors.ts'
import { stepsOf, type WorkInput, type WorkName } from './work.ts'

/** Work to begin, or the id alone of what paused. */
export type WorkRequest<N extends WorkName = WorkName> = { id: number; begin?: { name: N; input: WorkInput<N> } }

/** Outcome of a turn that took `cost` milliseconds: an output, a failure, or neither when it paused. */
export type WorkReply = { id: number; cost: number } & (
  | { state: 'done'; output: unknown }
  | { state: 'failed'; failure: PlainError }
  | { state: 'paused' }
)

/** Long enough to make going back and forth cheap, short enough to wait for. */
const TURN_MS = 25

const port = parentPort!
const paused = new Map<number, Generator<void, unknown>>()
let turnEnd = 0
const present = workerData as Int32Array
const isTurnOver = () => performance.now() >= turnEnd && Atomics.load(present, 0) > 1

port.on('message', ({ id, begin }: WorkRequest) => {
  const startedAt = performance.now()
  turnEnd = startedAt + TURN_MS
  const steps = paused.get(id) ?? stepsOf(begin!.name, begin!.input, isTurnOver)
  const outcome = takeTurn(steps)
  if (outcome.state === 'paused') paused.set(id, steps)
  else paused.delete(id)
  const reply = { id, cost: performance.now() - startedAt, ...outcome } satisfies WorkReply
  port.postMessage(reply, outcome.state === 'done' ? ownMemory(outcome.output) : [])
})

function takeTurn(steps: Generator<void, unknown>) {
  try {
    const { done, value } = steps.next()
    return done ? { state: 'done' as const, output: value } : { state: 'paused' as const }
  } catch (error) {
    return { state: 'failed' as const, failure: toPlainError(error) }
  }
}

/** Written answers move: they are large, and in memory of their own. */
function ownMemory(output: unknown): ArrayBuffer[] {
  const { answer } = (output ?? {}) as { answer?: { bytes?: Uint8Array } }
  return answer?.bytes ? [answer.bytes.buffer as ArrayBuffer] : []
}
