const MARKUP = /[<>&\u2028\u2029]/
const ALL_MARKUP = /[<>&\u2028\u2029]/g

const ESCAPES: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** The one JSON writer: `<`, `>` and `&` come escaped, the text ends with a newline (docs/rules.md R16). */
export function writeJson(value: unknown, pretty = false): string {
  const text = pretty ? JSON.stringify(value, null, 2) : JSON.stringify(value)
  // These characters only stand inside strings, where the escape means the same.
  return `${MARKUP.test(text) ? text.replace(ALL_MARKUP, (mark) => ESCAPES[mark]!) : text}\n`
}

/** Numbers of the chain may be larger than a JSON reader holds exactly (a gas limit of 2^64 - 1): such a one reads as the largest safe integer. */
export function toSafeInteger(value: number | string): number {
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER)
}
