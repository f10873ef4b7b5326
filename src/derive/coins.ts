/** Coins text of events: `<int><denom>` joined by commas, possibly empty; a denom may hold `/` and digits but never starts with one. */

export type Coin = { denom: string; amount: bigint }

const COMMA = 44
const POINT = 46
const DIGIT_0 = 48
const DIGIT_9 = 57

/** 256-bit integers have at most 78 digits; longer text is no amount and would only make BigInt slow. */
const MAX_DIGITS = 100

function endOfDigits(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code < DIGIT_0 || code > DIGIT_9) break
    at++
  }
  return at
}

/** Coins in the order of the text. Fractions of decimal coins are cut off; a number without a denom and garbage are left out. */
export function parseCoins(text: string): Coin[] {
  const coins: Coin[] = []
  let at = 0
  while (at < text.length) {
    const digitsEnd = endOfDigits(text, at)
    const denomStart = text.charCodeAt(digitsEnd) === POINT ? endOfDigits(text, digitsEnd + 1) : digitsEnd
    let end = denomStart
    while (end < text.length && text.charCodeAt(end) !== COMMA) end++
    const digits = digitsEnd - at
    if (digits > 0 && digits <= MAX_DIGITS && end > denomStart)
      coins.push({ denom: text.slice(denomStart, end), amount: BigInt(text.slice(at, digitsEnd)) })
    at = end + 1
  }
  return coins
}

/** `123utia`, the form of nearly every amount: its digits end where the denom starts. */
export function parseSingleUtia(text: string): bigint | undefined {
  const end = text.length - 4
  if (end < 1 || end > MAX_DIGITS || !text.endsWith('utia') || endOfDigits(text, 0) !== end) return undefined
  return BigInt(text.slice(0, end))
}

/** The utia part of a coins text; other denoms play no part in stakes, fees and statistics. */
export function utiaOf(text: string): bigint {
  const single = parseSingleUtia(text)
  if (single !== undefined) return single
  let sum = 0n
  for (const { denom, amount } of parseCoins(text)) if (denom === 'utia') sum += amount
  return sum
}

/** Non-negative integer text; undefined for anything else. */
export function parseAmount(text: string | undefined): bigint | undefined {
  if (text === undefined || text.length === 0 || text.length > MAX_DIGITS || endOfDigits(text, 0) !== text.length)
    return undefined
  return BigInt(text)
}

/** Coins as messages and genesis documents hold them. */
export type CoinText = { denom: string; amount: string }

export function sumUtia(coins: readonly CoinText[]): bigint {
  let sum = 0n
  for (const { denom, amount } of coins) if (denom === 'utia') sum += parseAmount(amount) ?? 0n
  return sum
}

export function formatCoins(coins: readonly CoinText[]): string {
  return coins.map(({ denom, amount }) => amount + denom).join(',')
}
