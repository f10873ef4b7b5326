import { OPERATIONS, type Operations } from './gen/operations.ts'

type Name = keyof Operations
type Input<K extends Name> = Operations[K]['input']
export type AnswerOf<K extends Name> = Operations[K]['answer']

export type CallOptions = {
  signal?: AbortSignal | undefined
  /** gets the response before its body is read: paging links, heights and limits stand in its headers */
  onResponse?: (response: Response) => void
}

/** An operation without required inputs may be called without any. */
type Call<K extends Name> =
  Record<string, never> extends Input<K>
    ? (input?: Input<K>, options?: CallOptions) => Promise<AnswerOf<K>>
    : (input: Input<K>, options?: CallOptions) => Promise<AnswerOf<K>>

/** One function per operation of the description, named after its id. Path, query and body inputs are one object. */
export type Client = { readonly [K in Name]: Call<K> }

export type ClientOptions = {
  /** address of the network without `/v1`; '' in a page that the network itself serves */
  baseUrl: string
  apiKey?: string
  fetch?: typeof fetch
}

/** Answer of the server other than 200 or 204. */
export class ApiError extends Error {
  readonly status: number
  /** stable word, e.g. `not_found`; `unknown` when the answer was not ours */
  readonly code: string
  readonly param: string | undefined
  readonly requestId: string | undefined
  /** seconds after which a 429 or 503 may be tried again */
  readonly retryAfter: number | undefined

  constructor(response: Response, body: ErrorBody) {
    super(body.message ?? (response.statusText || `status ${response.status}`))
    this.name = 'ApiError'
    this.status = response.status
    this.code = body.code ?? 'unknown'
    this.param = body.param
    this.requestId = body.request_id
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfter = Number.isFinite(seconds) ? seconds : undefined
  }
}

type ErrorBody = { message?: string; code?: string; param?: string; request_id?: string }

export function createClient(options: ClientOptions): Client {
  const calls = Object.entries(OPERATIONS).map(([name, operation]) => [
    name,
    (input: Record<string, unknown> = {}, call: CallOptions = {}) => send(options, operation, input, call),
  ])
  return Object.fromEntries(calls) as Client
}

async function send(
  { baseUrl, apiKey, fetch: ask = fetch }: ClientOptions,
  [method, path, bodyNames = []]: readonly [method: string, path: string, body?: readonly string[]],
  input: Record<string, unknown>,
  { signal, onResponse }: CallOptions,
): Promise<unknown> {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  const body = Object.fromEntries(bodyNames.map((name) => [name, take(rest, name)]))
  const query = [...rest].map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  const response = await ask(`${baseUrl}${filled}${query && `?${query}`}`, {
    method,
    headers: {
      ...(apiKey !== undefined && { apikey: apiKey }),
      ...(bodyNames.length > 0 && { 'content-type': 'application/json' }),
    },
    ...(bodyNames.length > 0 && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  onResponse?.(response)
  if (!response.ok) throw new ApiError(response, await readError(response))
  if (response.status === 204) return undefined
  return isJson(response) ? response.json() : response.text()
}

function take(map: Map<string, unknown>, name: string): unknown {
  const value = map.get(name)
  map.delete(name)
  return value
}

const isJson = (response: Response) => response.headers.get('content-type')?.startsWith('application/json') ?? false

/** A proxy in front of the server may answer with anything. */
async function readError(response: Response): Promise<ErrorBody> {
  const body: unknown = isJson(response) ? await response.json().catch(() => ({})) : {}
  return typeof body === 'object' && body !== null ? (body as ErrorBody) : {}
}
