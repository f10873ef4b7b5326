import { Detached } from '../../lib/errors.ts'
import { BadRequest, HttpError, Missing, Unavailable } from './errors.ts'

export type ErrorAnswer = {
  status: number
  body: { message: string; code: string; param?: string }
  headers: Record<string, string>
  /** our own fault or weakness: worth a line in the log */
  isOurs: boolean
}

/** The only place that turns an error into a status. Texts of our own failures never leave the process. */
export function toErrorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof BadRequest) {
    const { message, code, param } = error
    return { status: 400, body: { message, code, ...(param === undefined ? {} : { param }) }, headers: {}, isOurs: false }
  }
  if (error instanceof Missing)
    return { status: 204, body: { message: error.message, code: error.code }, headers: {}, isOurs: false }
  if (error instanceof HttpError)
    return { status: error.status, body: { message: error.message, code: error.code }, headers: error.headers, isOurs: false }
  // A number that the binder let through is larger than its column: nothing can have it.
  if (codeOf(error) === '22003')
    return { status: 400, body: { message: 'a number is out of range', code: 'out_of_range' }, headers: {}, isOurs: false }
  // Rows of old heights that the operator took out of the index (docs/operations.md, Partitions).
  if (error instanceof Detached)
    return { status: 410, body: { message: error.message, code: error.code }, headers: {}, isOurs: false }
  const unavailable = error instanceof Unavailable ? error : fromDatabase(error)
  if (unavailable)
    return {
      status: 503,
      body: { message: unavailable.message, code: unavailable.code },
      headers: { 'retry-after': String(unavailable.retryAfterSeconds) },
      isOurs: true,
    }
  const ofFramework = fromFramework(error)
  if (ofFramework) return { ...ofFramework, headers: {}, isOurs: false }
  return { status: 500, body: { message: 'Internal Server Error', code: 'internal_error' }, headers: {}, isOurs: true }
}

const AWAY = new Set([
  'connection_lost',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'EAGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'no_primary',
  'no_read_server',
  'read_server_behind',
])

const SEGMENT_CODES = new Set([
  'bucket_refused',
  'bucket_unavailable',
  'file_unreadable',
  'segment_damaged',
  'segment_incomplete',
  'segment_missing',
  'segments_not_configured',
])

/** SQLSTATEs and driver codes that mean "not now" (docs/rules.md R14). */
function fromDatabase(error: unknown): Unavailable | undefined {
  const code = codeOf(error)
  if (code === undefined) return undefined
  if (SEGMENT_CODES.has(code))
    return new Unavailable('segment_unavailable', 'the storage of old blocks does not answer', 5, error)
  if (code === '57014') return new Unavailable('query_timeout', 'the query took too long', 1, error)
  if (code === '55P03' || code === '40001' || code === '40P01')
    return new Unavailable('database_busy', 'the database is busy', 1, error)
  if (AWAY.has(code) || /^(08|53|57P)/.test(code))
    return new Unavailable('database_unavailable', 'the database is not available', 5, error)
  // The schema of the network is made by the writer; until then there is nothing to answer from.
  if (code === '42P01' || code === '3F000') return new Unavailable('starting', 'the index is being set up', 5, error)
  return undefined
}

/** Errors of Fastify itself, which come before any handler runs; those it blames on the caller are bad requests. */
function fromFramework(error: unknown): { status: number; body: { message: string; code: string } } | undefined {
  const code = codeOf(error)
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { status: 413, body: { message: 'Request Entity Too Large', code: 'body_too_large' } }
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return { status: 414, body: { message: 'URI Too Long', code: 'uri_too_long' } }
  }
  const { statusCode = 500 } = error as { statusCode?: number }
  return code?.startsWith('FST_ERR_') && statusCode < 500
    ? { status: 400, body: { message: 'Bad Request', code: 'bad_request' } }
    : undefined
}

function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}
