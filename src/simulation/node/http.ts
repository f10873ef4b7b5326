import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Call, FaultName } from './faults.ts'
import { type Answer, answerCall, METHODS, type NodeView } from './methods.ts'

type RpcRequest = { id: unknown; call: Call; params: Record<string, unknown> }

export type HttpView = NodeView & { maxBatchCalls: number; gzip: boolean; onRequest: (calls: readonly Call[]) => void }

const WHOLE_ANSWER: FaultName[] = ['silence', 'reset', 'http-500', 'http-429', 'http-503', 'html', 'empty', 'gzip-bomb']
const PARAMS: Record<string, string[]> = {
  block: ['height'],
  block_results: ['height'],
  commit: ['height'],
  validators: ['height', 'page', 'per_page'],
  genesis_chunked: ['chunk'],
  abci_query: ['path', 'data', 'height', 'prove'],
}

/** Serves JSON-RPC over POST and the URI form over GET, with whatever faults are on. */
export async function serveHttp(node: HttpView, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const isPost = request.method === 'POST'
  const body = isPost ? await readBody(request) : undefined
  const parsed = body === undefined ? parseUri(request.url ?? '/') : parseBody(body)
  if (!parsed) return send(node, request, response, 500, wrapAnswer(undefined, NO_JSON), [])
  const requests = Array.isArray(parsed) ? parsed : [parsed]
  const calls = requests.map((entry) => entry.call)
  node.onRequest(calls)
  const fault = node.faults.strikeAny(WHOLE_ANSWER, calls)
  if (fault) return failWhole(fault.name, fault.options.retryAfterSeconds, response)
  if (Array.isArray(parsed) && node.maxBatchCalls > 0 && parsed.length > node.maxBatchCalls) {
    const data = `batch request exceeds maximum (${node.maxBatchCalls}) allowed number of requests`
    return send(
      node,
      request,
      response,
      200,
      wrapAnswer(undefined, { error: { code: -32600, message: 'Invalid Request', data } }),
      calls,
    )
  }
  const answers = await Promise.all(requests.map((entry) => answerCall(node, entry.call, entry.params)))
  const members = answers.map((answer, i) => {
    const { id, call } = requests[i]!
    return wrapAnswer(node.faults.strike('wrong-id', call) ? 987_654 : id, answer)
  })
  if (!Array.isArray(parsed)) {
    const status = !isPost && 'error' in answers[0]! ? 500 : 200
    return send(node, request, response, status, members.flat(), calls)
  }
  if (node.faults.strikeAny(['missing-member'], calls)) members.pop()
  const joined = members.flatMap((parts, i) => [Buffer.from(i === 0 ? '[' : ','), ...parts])
  // A node has nothing to say to a batch without calls.
  return send(node, request, response, 200, members.length === 0 ? [] : [...joined, Buffer.from(']')], calls)
}

function failWhole(name: FaultName, retryAfterSeconds: number | undefined, response: ServerResponse): void | Promise<void> {
  switch (name) {
    case 'silence':
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body><h1>Welcome to nginx</h1></body></html>')
      return
    case 'empty':
      response.writeHead(200, { 'content-type': 'application/json' }).end()
      return
    case 'gzip-bomb':
      return sendBomb(response)
    default: {
      const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
      response.writeHead(Number(name.slice('http-'.length)), headers).end('upstream is busy')
    }
  }
}

/** A gigabyte of blanks in about a megabyte; packed once, and in pieces, as gzip members can follow each other. */
async function sendBomb(response: ServerResponse): Promise<void> {
  bombMember ??= promisify(gzip)(Buffer.alloc(16 * 1024 * 1024, ' '), { level: 9 })
  const member = await bombMember
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
  for (let i = 0; i < 64 && !response.destroyed; i++) response.write(member)
  response.end()
}

let bombMember: Promise<Buffer> | undefined

async function send(
  node: HttpView,
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  parts: Uint8Array[],
  calls: readonly Call[],
): Promise<void> {
  const slow = node.faults.strikeAny(['slow'], calls)?.options
  const isCut = node.faults.strikeAny(['truncated'], calls) !== undefined
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  let body: Uint8Array[] = parts
  if (isCut) {
    const whole = Buffer.concat(parts)
    body = [whole.subarray(0, Math.floor(whole.length * 0.6))]
  }
  if (node.gzip && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
    headers['content-encoding'] = 'gzip'
    body = [await promisify(gzip)(Buffer.concat(body), { level: 1 })]
  }
  response.writeHead(status, headers)
  if (slow) return drip(response, Buffer.concat(body), slow.delayMs ?? 1000)
  response.cork()
  for (const part of body) response.write(part)
  response.uncork()
  response.end()
}

/** Ten pieces over the given time. */
function drip(response: ServerResponse, body: Buffer, delayMs: number): void {
  const step = Math.ceil(body.length / 10)
  let at = 0
  const timer = setInterval(() => {
    response.write(body.subarray(at, at + step))
    at += step
    if (at >= body.length || response.destroyed) {
      clearInterval(timer)
      response.end()
    }
  }, delayMs / 10)
  timer.unref()
}

const NO_JSON: Answer = { error: { code: -32700, message: 'Parse error. Invalid JSON', data: 'error unmarshaling request' } }

/** Pieces of one answer. What is said to a request as a whole has no id; an error without details has no `data`. */
function wrapAnswer(id: unknown, answer: Answer): Uint8Array[] {
  const head = `{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${JSON.stringify(id)},`}`
  if ('error' in answer) {
    const { data, ...error } = answer.error
    return [Buffer.from(`${head}"error":${JSON.stringify({ ...error, ...(data !== '' && { data }) })}}`)]
  }
  return [Buffer.from(`${head}"result":`), answer.result, Buffer.from('}')]
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

/** Undefined when it is no JSON. */
function parseBody(body: string): RpcRequest | RpcRequest[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return undefined
  }
  return Array.isArray(value) ? value.map(toRequest) : toRequest(value)
}

function toRequest(value: unknown): RpcRequest {
  const { id = -1, method = '', params = {} } = (value ?? {}) as { id?: unknown; method?: unknown; params?: unknown }
  const name = String(method)
  const named = Array.isArray(params)
    ? Object.fromEntries(params.map((param, i) => [PARAMS[name]?.[i] ?? String(i), param]))
    : ((params ?? {}) as Record<string, unknown>)
  return { id, call: { method: name, height: toHeight(named.height) }, params: named }
}

function parseUri(uri: string): RpcRequest {
  const url = new URL(uri, 'http://localhost')
  const method = url.pathname.slice(1)
  const params = Object.fromEntries([...url.searchParams].map(([key, value]) => [key, value.replaceAll('"', '')]))
  const known = (METHODS as readonly string[]).includes(method)
  return { id: -1, call: { method: known ? method : '', height: toHeight(params.height) }, params }
}

function toHeight(value: unknown): number | undefined {
  return value === undefined || value === null || value === '' ? undefined : Number(value)
}
