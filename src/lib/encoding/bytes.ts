import { hash } from 'node:crypto'

/** A Buffer over the same memory, never a copy. */
export function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export function toHex(bytes: Uint8Array): string {
  return viewOf(bytes).toString('hex')
}

export function toHexUpper(bytes: Uint8Array): string {
  return toHex(bytes).toUpperCase()
}

/** Bytes of hex text of either case, without `0x`; undefined when it is anything else. */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0) return undefined
  const bytes = Buffer.from(text, 'hex')
  // Buffer stops at the first character that is not hex instead of failing.
  return bytes.length * 2 === text.length ? bytes : undefined
}

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  return viewOf(bytes).toString('base64')
}

/** Bytes of standard or URL-safe base64; undefined when characters or padding are wrong. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return undefined
  return Buffer.from(text, 'base64')
}

export function fromUtf8(text: string): Uint8Array {
  return Buffer.from(text, 'utf8')
}

/** Text of bytes that may be anything: what is not UTF-8 becomes U+FFFD, and so does U+0000, which PostgreSQL refuses. */
export function toText(bytes: Uint8Array): string {
  return sanitizeText(viewOf(bytes).toString('utf8'))
}

/** Text as PostgreSQL and JSON take it: U+0000 and lone surrogates become U+FFFD. */
export function sanitizeText(text: string): string {
  // Without the `u` flag the test also stops at proper pairs; it only decides whether the slower replacement is worth a look.
  return MAYBE_BAD.test(text) ? text.replace(BAD, '\ufffd') : text
}

/** Two of these in one key stay below what an index entry may hold, whatever their characters are. */
const MAX_KEY_TEXT = 256

/** Text by which rows are found: one that no index could hold keeps its beginning and is told apart by its hash. */
export function toKeyText(text: string): string {
  if (text.length <= MAX_KEY_TEXT) return sanitizeText(text)
  return sanitizeText(`${text.slice(0, MAX_KEY_TEXT / 2)} ${hash('sha256', text)}`)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 is what has to be found
const MAYBE_BAD = /[\u0000\ud800-\udfff]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 is what has to be found
const BAD = /[\u0000\ud800-\udfff]/gu

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.byteLength === b.byteLength && Buffer.compare(a, b) === 0
}

export function concatBytes(...parts: Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}
