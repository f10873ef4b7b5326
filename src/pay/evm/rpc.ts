import {
  BaseError,
  createPublicClient,
  fallback,
  HttpRequestError,
  http,
  type PublicClient,
  RpcRequestError,
  TimeoutError,
} from 'viem'
import { AstrolabeError, Transient } from '../../lib/errors.ts'
import { boundFetch } from '../../lib/read-bounded.ts'

const AWAY = 'the payment network is not available'
const REASONS = {
  rpc: { message: AWAY, retryAfterS: 5 },
  gas: { message: AWAY, retryAfterS: 5 },
  busy: { message: AWAY, retryAfterS: 5 },
  facilitator: { message: AWAY, retryAfterS: 5 },
  fees: { message: 'transactions on the payment network cost too much at the moment', retryAfterS: 30 },
}

/** The payment chain cannot be asked, or a transaction is not to be paid for: 503, nobody is charged. */
export class ChainAway extends Transient {
  readonly retryAfterS: number
  constructor(reason: keyof typeof REASONS, cause?: unknown) {
    const { message, retryAfterS } = REASONS[reason]
    super(`chain_${reason}`, message, { reason }, cause === undefined ? undefined : summarize(cause))
    this.retryAfterS = retryAfterS
  }
}

/**
 * Error of a failed call that is safe to log. The library's own text repeats address and body of the request: the address may hold the
 * operator's key, and the body of a simulation is a signed authorization.
 */
export function summarize(error: unknown): Error {
  if (!(error instanceof BaseError)) return error instanceof NodeRefused ? error : new Error('the call failed')
  const innermost = error.walk() as { code?: unknown } | null
  const status = error.walk((inner) => inner instanceof HttpRequestError) as HttpRequestError | null
  const facts = [innermost?.code, status?.status].filter((fact) => typeof fact === 'string' || typeof fact === 'number')
  return new Error(`${error.name}: ${error.shortMessage}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`)
}

/** The node answered, and its answer was an error. */
export class NodeRefused extends AstrolabeError {
  readonly rpcCode: number
  readonly text: string
  constructor(code: number, text: string) {
    super('node_refused', `node error ${code}`)
    this.rpcCode = code
    this.text = text
  }
}

const RPC_TIMEOUT_MS = 5000

/** The logs of a range of blocks are the largest answer that is asked for. */
const ANSWER_BYTES = 10 * 2 ** 20

/** One node over HTTP. */
export function openTransport(url: string, options: { retryCount: number; batch?: boolean }) {
  return http(url, { timeout: RPC_TIMEOUT_MS, retryDelay: 100, fetchFn: boundFetch(ANSWER_BYTES), ...options })
}

/** `isBatched`: calls that are made at once go out as one request */
export type ClientOptions = { url: string; more?: readonly string[] | undefined; isBatched?: boolean }

/** A client for one chain of any id. When a node does not answer, the next one is asked. */
export function openClient({ url, more = [], isBatched = false }: ClientOptions): PublicClient {
  const [first, ...others] = [url, ...more].map((address) =>
    // Each is asked twice, except where another one can be asked at once.
    openTransport(address, { retryCount: more.length === 0 ? 1 : 0, batch: isBatched }),
  )
  return createPublicClient({
    transport: others.length === 0 ? first! : fallback([first!, ...others], { retryCount: 1, retryDelay: 100 }),
  })
}

/** Tells apart a node that refuses (it understood) from one that cannot be reached. */
export async function askNode<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ChainAway || error instanceof NodeRefused) throw error
    const answered = error instanceof BaseError ? error.walk((inner) => inner instanceof RpcRequestError) : undefined
    if (!(answered instanceof RpcRequestError)) throw new ChainAway('rpc', error)
    throw new NodeRefused(answered.code, answered.details ?? '')
  }
}

/** Codes by which nodes say that they cannot answer now: internal error, resource unavailable, over the limit. */
const UNABLE = new Set([-32603, -32002, -32005])

/** Whether a failed call is the node's fault: it was not reached, did not answer, or could not. */
export function isNodeFault(error: unknown): boolean {
  if (!(error instanceof BaseError)) return true
  const fault = error.walk(
    (inner) =>
      inner instanceof HttpRequestError ||
      inner instanceof TimeoutError ||
      (inner instanceof RpcRequestError && UNABLE.has(inner.code) && !/revert/i.test(inner.details ?? '')),
  )
  return fault !== null
}

/** Result of a node's look-up; undefined when there is none, for which its client throws `Missing`. */
export function findOnNode<T>(call: () => Promise<T>, Missing: new (...args: never[]) => Error): Promise<T | undefined> {
  return askNode(() =>
    call().catch((error) => {
      if (error instanceof Missing) return undefined
      throw error
    }),
  )
}

/** An error of the contract, not of the node: code 3, or a node that only says it in words. */
export function isRevert(error: unknown): error is NodeRefused {
  return error instanceof NodeRefused && (error.rpcCode === 3 || /revert/i.test(error.text))
}

/** The call would take more gas than it was given. */
export function isOutOfGas(error: unknown): error is NodeRefused {
  return error instanceof NodeRefused && /out of gas|exceeds allowance|OutOfGas/i.test(error.text)
}
