import { AstrolabeError, NodeFault, Transient } from '../../lib/errors.ts'
import type { RpcError } from './envelope.ts'
import { RESULTS_ADVICE } from './node-settings.ts'
import type { HttpAnswer } from './transport.ts'

/**
 * Meaning of a failed exchange for the node:
 * - `busy`: may work when tried again; the node gets a pause, as often as needed
 * - `behind`: it does not have the height yet; not its fault
 * - `results`: it has the block and not its results: behind when it is the newest one, otherwise it never kept them
 * - `pruned`: it will never have the height again
 * - `batch`: it takes fewer calls at once
 * - `useless`: it contradicts itself or cannot serve what is needed; it is put aside
 */
export type Failure = { code: string; reason: string; retryAfterMs?: number } & (
  | { kind: 'busy' | 'useless' }
  | { kind: 'behind'; head: number }
  | { kind: 'results'; height: number }
  | { kind: 'pruned'; lowest: number }
  | { kind: 'batch'; maxCalls: number | undefined }
)

/** An exchange that failed in a way that is understood. */
export class FailedExchange extends AstrolabeError {
  readonly failure: Failure
  constructor(failure: Failure, cause?: unknown) {
    super(failure.code, failure.reason, {}, cause)
    this.failure = failure
  }
}

/** Answers that a load balancer or a node under stress gives; the node is asked again later, and never believed. */
const GARBAGE = new Set([
  'not_json',
  'bad_field',
  'bad_envelope',
  'missing_block',
  'missing_results',
  'wrong_height',
  'parent_hash',
  'other_branch',
])

/** The failure behind an error of one exchange; undefined for errors that are not about a node (abort, our own bugs). */
export function toFailure(error: unknown): Failure | undefined {
  if (error instanceof FailedExchange) return error.failure
  if (error instanceof Transient) return { kind: 'busy', code: error.code, reason: error.message }
  if (error instanceof NodeFault) return { kind: isLie(error) ? 'useless' : 'busy', code: error.code, reason: error.message }
  return undefined
}

/** Whether a fault means that the node told something untrue, and not that its answer was spoiled on the way. */
export function isLie(fault: NodeFault): boolean {
  return !GARBAGE.has(fault.code)
}

export function rejectStatus(answer: HttpAnswer): FailedExchange {
  const { status, retryAfterMs } = answer
  const failure: Failure = { kind: 'busy', code: `http_${status}`, reason: `the node answered with HTTP status ${status}` }
  return new FailedExchange(retryAfterMs === undefined ? failure : { ...failure, retryAfterMs })
}

/** Nodes give one code for almost everything; the text of `data` tells what happened. */
export function rejectRpc(error: RpcError): FailedExchange {
  const text = `${error.message} ${error.data}`
  const reason = `the node answered: ${text.slice(0, 300)}`
  const head = /must be less than or equal to the current blockchain height (\d+)/.exec(text)
  if (head) return new FailedExchange({ kind: 'behind', code: 'behind', reason, head: Number(head[1]) })
  const lowest = /is not available, lowest height is (\d+)/.exec(text)
  if (lowest) return new FailedExchange({ kind: 'pruned', code: 'pruned', reason, lowest: Number(lowest[1]) })
  if (/not persisting/.test(text))
    return new FailedExchange({ kind: 'useless', code: 'results_not_kept', reason: `${reason}; ${RESULTS_ADVICE}` })
  const unexecuted = /could not find results for height #(\d+)/.exec(text)
  if (unexecuted) return new FailedExchange({ kind: 'results', code: 'no_results', reason, height: Number(unexecuted[1]) })
  if (error.code === -32600 && /batch/.test(text)) {
    const limit = /\((\d+)\)/.exec(text)
    return new FailedExchange({ kind: 'batch', code: 'batch_too_long', reason, maxCalls: limit ? Number(limit[1]) : undefined })
  }
  return new FailedExchange({ kind: 'busy', code: 'rpc_error', reason })
}
