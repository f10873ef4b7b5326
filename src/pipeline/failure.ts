import { Invariant, NodeFault, OperatorError, Transient } from '../lib/errors.ts'
import { isConnectionLost } from '../store/servers/client.ts'

/**
 * `retry`: temporary. `sql`: an error of a statement, worth a few tries. `stand`: the nodes at hand leave nothing to go on with.
 * `final`: trying again would give the same.
 */
export type Verdict = 'retry' | 'sql' | 'stand' | 'final'

/** Other nodes, or the same ones later, may tell something else. */
const LEFT_BY_NODES = new Set(['no_node_left', 'height_pruned', 'undo_missing'])

/** Connection lost, server starting or stopping, demoted to a standby (25006), out of disk, memory or connections; and conflicts that are gone when repeated. */
const PASSING_SQLSTATE = /^(08|53|57P|25006$|25P03$|40001$|40P01$|55P03$)/
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** A Unix socket that is not there until its server is back, or at which too many wait; other calls give these codes for other reasons. */
const UNIX_SOCKET = new Set(['ENOENT', 'EAGAIN'])
/** A folder of ours has no room left. */
const NO_SPACE = 'ENOSPC'

/** Next step of a run that ended with `error`. */
export function judgeFailure(error: unknown): Verdict {
  if (error instanceof Transient || error instanceof NodeFault) return 'retry'
  if (error instanceof OperatorError && LEFT_BY_NODES.has(error.code)) return 'stand'
  if (error instanceof Invariant && typeof error.facts.height === 'number') return 'stand'
  if (!(error instanceof Error)) return 'final'
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (typeof code === 'string' && (NETWORK.has(code) || code === NO_SPACE)) return 'retry'
  if (typeof code === 'string' && syscall === 'connect' && UNIX_SOCKET.has(code)) return 'retry'
  if (isConnectionLost(error)) return 'retry'
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return PASSING_SQLSTATE.test(code) ? 'retry' : 'sql'
  return 'final'
}
