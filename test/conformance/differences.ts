import type { Json } from '../../src/types/effects.ts'

/** One place where two answers are unlike, as a path into them and what stands there. */
export type Difference = { at: string; text: string }

/** Internal ids, the clock and the wording of messages are our own. */
const OWN = new Set(['id', 'synced', 'message'])

/** Fractions are computed with other scales: equal to nine digits is equal. Whole amounts are compared to the last unit. */
const TOLERANCE = 1e-9

export function differences(expected: Json, actual: Json | undefined, at = ''): Difference[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [{ at, text: `a list expected, got ${show(actual)}` }]
    if (expected.length !== actual.length) return [{ at, text: `${expected.length} items expected, got ${actual.length}` }]
    const found = expected.flatMap((item, i) => differences(item, actual[i], `${at}[${i}]`))
    return found.length > 0 && haveSameItems(expected, actual)
      ? [{ at: `order${at}`, text: 'same items in another order' }]
      : found
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return [{ at, text: `an object expected, got ${show(actual)}` }]
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)])
    return [...keys].flatMap((key): Difference[] => {
      const [theirs, ours] = [expected[key], actual[key]]
      if (ours === undefined) return [{ at: `${at}.${key}`, text: `missing, the reference has ${show(theirs)}` }]
      // Names of accounts are an addition wherever an account is shown.
      if (theirs === undefined)
        return key === 'celestials' ? [] : [{ at: `${at}.${key}`, text: `not in the reference: ${show(ours)}` }]
      return OWN.has(key) && !isObject(theirs) ? [] : differences(theirs, ours, `${at}.${key}`)
    })
  }
  return areAlike(expected, actual) ? [] : [{ at, text: `${show(expected)} expected, got ${show(actual)}` }]
}

function haveSameItems(expected: Json[], actual: Json[]): boolean {
  const left = [...actual]
  return expected.every((item) => {
    const i = left.findIndex((candidate) => differences(item, candidate).length === 0)
    if (i >= 0) left.splice(i, 1)
    return i >= 0
  })
}

function areAlike(expected: Json, actual: Json | undefined): boolean {
  if (expected === actual) return true
  const numbers = [expected, actual].map((value) =>
    typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN,
  )
  const [a, b] = numbers as [number, number]
  if (!Number.isFinite(a) || !Number.isFinite(b) || typeof expected !== typeof actual) return false
  const isWhole = typeof expected === 'number' ? Number.isInteger(a) && Number.isInteger(b) : !/[.E]/.test(`${expected}${actual}`)
  return !isWhole && Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(a))
}

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const show = (value: Json | undefined): string => (JSON.stringify(value) ?? 'nothing').slice(0, 100)
