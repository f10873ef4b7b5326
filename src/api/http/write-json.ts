import { randomUUID } from 'node:crypto'
import { toBase64, viewOf } from '../../lib/encoding/bytes.ts'

const MARKUP = /[<>&\u2028\u2029]/
const ALL_MARKUP = /[<>&\u2028\u2029]/g

const ESCAPES: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** Stands for written JSON while its surroundings are written; nobody can know it, so no text of the chain can hold it. */
const PLACE = randomUUID()
const LONG_TEXT = 64 * 1024
let parts: string[] = []

/** Part of a value that is JSON already: large parts are written on a thread, and base64 has nothing to escape. */
export class WrittenJson {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }

  toJSON(): string {
    parts.push(this.#text)
    return PLACE
  }
}

/** A large answer that was written on a thread, as its bytes; the digest names them. */
export class WrittenAnswer {
  readonly bytes: Buffer
  readonly digest: string
  constructor({ bytes, digest }: { bytes: Uint8Array; digest: string }) {
    this.bytes = viewOf(bytes)
    this.digest = digest
  }

  toJSON(): string {
    parts.push(this.bytes.toString().trimEnd())
    return PLACE
  }
}

/** The one JSON writer: `<`, `>` and `&` come escaped, the text ends with a newline (docs/rules.md R16). */
export function writeJson(value: unknown, pretty = false): string {
  parts = []
  const text = pretty ? JSON.stringify(value, null, 2) : JSON.stringify(value)
  // These characters only stand inside strings, where the escape means the same.
  const escaped = MARKUP.test(text) ? text.replace(ALL_MARKUP, (mark) => ESCAPES[mark]!) : text
  if (parts.length === 0) return `${escaped}\n`
  const around = escaped.split(`"${PLACE}"`)
  return `${around.map((piece, i) => piece + (parts[i] ?? '')).join('')}\n`
}

/** Bytes as a value of an answer. Where there are many it is not looked for what to escape: base64 has nothing. */
export function writeBase64(bytes: Uint8Array): string {
  const text = toBase64(bytes)
  return text.length < LONG_TEXT ? text : (new WrittenJson(`"${text}"`) as unknown as string)
}

/** Numbers of the chain may be larger than a JSON reader holds exactly (a gas limit of 2^64 - 1): such a one reads as the largest safe integer. */
export function toSafeInteger(value: number | string): number {
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER)
}
