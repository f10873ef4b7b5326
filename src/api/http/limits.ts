import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { HttpError } from './errors.ts'
import { writeRawAnswer } from './headers.ts'

/** Bounds of a request (docs/rules.md R7). */
export const LIMITS = {
  urlBytes: 8 * 1024,
  headerBytes: 16 * 1024,
  /** Limit of the parser: room for the two above, so that they get their own statuses. */
  parserBytes: 32 * 1024,
  bodyBytes: 64 * 1024,
  headersMs: 10_000,
  requestMs: 15_000,
  keepAliveMs: 65_000,
  checkMs: 5_000,
  handlerMs: 10_000,
} as const

/** How a server of a surface reads requests. */
export const SERVER_LIMITS = {
  requestTimeout: LIMITS.requestMs,
  keepAliveTimeout: LIMITS.keepAliveMs,
  http: {
    maxHeaderSize: LIMITS.parserBytes,
    headersTimeout: LIMITS.headersMs,
    connectionsCheckingInterval: LIMITS.checkMs,
    // Node's own refusal has no body and no headers of ours: `checkRequest` refuses.
    requireHostHeader: false,
  },
} as const

/** Problem with the head of a request, whatever it asks for. */
export function checkRequest({ url, raw }: Pick<FastifyRequest, 'url' | 'raw'>, urlBytes: number): HttpError | undefined {
  // HTTP/1.1 demands one (RFC 9112 §3.2).
  if (raw.headers.host === undefined && raw.httpVersion === '1.1')
    return new HttpError(400, 'bad_request', 'the Host header is missing')
  // Proxies and servers that each believe another one disagree on whose request it is.
  if (countHeader(raw.rawHeaders, 'host') > 1) return new HttpError(400, 'bad_request', 'the Host header is there more than once')
  if (url.length > urlBytes) return new HttpError(414, 'uri_too_long', 'URI Too Long')
  let bytes = 0
  for (const text of raw.rawHeaders) bytes += text.length + 2
  return bytes > LIMITS.headerBytes ? new HttpError(431, 'headers_too_large', 'Request Header Fields Too Large') : undefined
}

/** `rawHeaders` are names and values in turn. */
function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === name.length && rawHeaders[i]!.toLowerCase() === name) count++
  return count
}

/** An expectation that nobody knows need not be met (RFC 9110 §10.1.1); Node would refuse the request without our headers and body. */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

/** Error of Node's parser; `rawPacket` is the chunk that it refused. */
type ParserError = Error & { code?: unknown; rawPacket?: unknown }

/** Time for a client to send the rest of what was refused, and to read why. */
const LINGER_MS = 2000

/** Answers what the HTTP parser refused: too long, too slow, or no HTTP. */
export function refuseBrokenRequest(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  socket.end(describeRefusal(error))
  // A connection that is closed while bytes are unread is reset, and the client may lose the answer: the rest is read past the parser.
  socket.removeAllListeners('data')
  socket.on('data', () => {})
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

function describeRefusal({ code, rawPacket }: ParserError): string {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return isLongUrl(rawPacket)
        ? writeRawAnswer(414, 'URI Too Long', 'uri_too_long')
        : writeRawAnswer(431, 'Request Header Fields Too Large', 'headers_too_large')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return writeRawAnswer(408, 'Request Timeout', 'request_too_slow')
    default:
      return writeRawAnswer(400, 'Bad Request', 'bad_request')
  }
}

/** The first line alone fills more than a URL may have. */
function isLongUrl(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet) || !/^[A-Z]{3,7} \//.test(packet.toString('latin1', 0, 16))) return false
  const lineEnd = packet.indexOf('\r\n')
  return lineEnd < 0 || lineEnd > LIMITS.urlBytes
}
