/** Headers that every status carries (docs/rules.md R15). */
export const EVERYWHERE: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'WWW-Authenticate, Payment-Receipt, PAYMENT-REQUIRED, PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, Retry-After, ETag, Link, X-Request-Id, X-Indexed-Height, X-Node-Height, X-Lag-Blocks, X-Verified-Height, X-Proven-Height, X-Price-Age, X-Access-Warning, X-Query-Warning, X-Key-Expires',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'x-xss-protection': '1; mode=block',
  vary: 'Accept-Encoding',
}

/** Headers of a preflight answer beside the methods. */
export const PREFLIGHT: Readonly<Record<string, string>> = {
  'access-control-allow-headers': 'apikey, content-type, authorization, if-none-match, x-request-id, traceparent, tracestate',
  'access-control-max-age': '86400',
}

/** Raw head of an answer to something that never became a request. */
export function writeRawAnswer(status: number, reason: string, code: string): string {
  const body = `${JSON.stringify({ message: reason, code })}\n`
  const headers = Object.entries(EVERYWHERE).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${reason}\r\n${headers.join('')}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
}
