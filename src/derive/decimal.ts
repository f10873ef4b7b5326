import type { Dec } from '../types/facts.ts'

const FRACTION_DIGITS = 18
const ZEROS = '0'.repeat(FRACTION_DIGITS)
const MAX_DIGITS = 120

/** Decimal text such as `278611.245161580998484490`; digits beyond the 18th are cut off. undefined when it is no decimal. */
export function parseDec(text: string): Dec | undefined {
  if (text.length === 0 || text.length > MAX_DIGITS) return undefined
  const point = text.indexOf('.')
  const whole = point === -1 ? text : text.slice(0, point)
  const fraction = point === -1 ? '' : text.slice(point + 1, point + 1 + FRACTION_DIGITS)
  return parseSigned(whole + (fraction + ZEROS).slice(0, FRACTION_DIGITS))
}

/** A decimal of a protobuf message: the digits of value x 10^18. */
export function parseWireDec(text: string): Dec | undefined {
  return text.length > MAX_DIGITS ? undefined : parseSigned(text)
}

export function parseSigned(text: string): bigint | undefined {
  const first = text.charCodeAt(0) === 45 ? 1 : 0
  if (text.length === first) return undefined
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 48 || code > 57) return undefined
  }
  return BigInt(text)
}

/** The utia part of decimal coins (`6923029.932163742683135449utia`, several joined by commas). */
export function utiaDecOf(text: string): Dec {
  if (text.length === 0) return 0n
  if (text.indexOf(',') === -1) return text.endsWith('utia') ? (parseDec(text.slice(0, -4)) ?? 0n) : 0n
  let sum = 0n
  for (const coin of text.split(',')) sum += utiaDecOf(coin)
  return sum
}
