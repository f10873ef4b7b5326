const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 })
const precise = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 })
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 })
const share = new Intl.NumberFormat('en', { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 })

export const formatInteger = (value: number): string => whole.format(value)

/** Few characters: 12,345 stays, 1,234,567 becomes 1.23M. */
export const formatCompact = (value: number): string => (Math.abs(value) < 100_000 ? formatNumber(value) : compact.format(value))

export const formatNumber = (value: number): string =>
  Number.isInteger(value) ? whole.format(value) : Math.abs(value) >= 1000 ? whole.format(value) : precise.format(value)

export const formatPercent = (fraction: number): string => percent.format(fraction)

/** Always two digits behind the point, for percentages that stand under each other. */
export const formatShare = (fraction: number): string => share.format(fraction)

/** Four digits that count: 0.004917 */
export const formatGasPrice = (price: string | number): string => precise.format(Number(price))

/** A change as part of what it was: +12 %. */
export const formatChange = (fraction: number): string => `${fraction > 0 ? '+' : ''}${percent.format(fraction)}`

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (Math.abs(value) >= 1024 && unit < BYTE_UNITS.length - 1) {
    value /= 1024
    unit++
  }
  const text = unit === 0 || Math.abs(value) >= 100 ? whole.format(value) : value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
  return `${text} ${BYTE_UNITS[unit]}`
}

const UTIA = 1_000_000n

/** Amounts come as decimal text in utia; no digit of them may be lost, so they are never numbers. */
export function formatTia(utia: string): string {
  const isNegative = utia.startsWith('-')
  const units = BigInt(utia.replace(/^-/, '').split('.')[0] || '0')
  const fraction = (units % UTIA).toString().padStart(6, '0').replace(/0+$/, '')
  return `${isNegative ? '−' : ''}${whole.format(units / UTIA)}${fraction && `.${fraction}`} TIA`
}

/** Of any denomination: what is not native stays in its own units. */
export const formatCoin = (amount: string, denom: string): string =>
  denom === 'utia' && /^-?\d+$/.test(amount) ? formatTia(amount) : `${amount} ${denom}`

/** Narrower than the chain's own rule, by which half of all hashes would be coins. */
const COIN = /^(\d+)(u[a-z]{2,15}|(?:ibc|hyperlane|factory|transfer)\/[\w/.-]+)$/

/** `10590utia,3ibc/27A6` as events write it; undefined for what is not a list of coins. */
export function readCoins(text: string): string | undefined {
  const coins = text.split(',').map((coin) => COIN.exec(coin))
  if (!coins.every((coin) => coin !== null)) return undefined
  return coins.map(([, amount, denom]) => formatCoin(amount!, denom!)).join(', ')
}

const money = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 2 })

export const formatMoney = (dollars: number): string => money.format(dollars)

/** Short form for tiles and charts. */
export const formatTiaShort = (utia: string | number): string => {
  const tia = Number(utia) / 1e6
  return `${Math.abs(tia) >= 10_000 ? compact.format(tia) : precise.format(tia)} TIA`
}

export function formatAge(ms: number): string {
  if (Math.abs(ms) < 1000) return 'just now'
  return ms < 0 ? `in ${formatSpan(ms)}` : `${formatSpan(ms)} ago`
}

/** Age under a heading that says so: one unit, and a time ahead is named as such. */
export const formatBareAge = (ms: number): string =>
  ms <= -1000 ? `in ${formatSpan(ms, true)}` : formatSpan(Math.max(0, ms), true)

/** One or two units: 42 s, 12 min, 3 h 20 min, 5 d; `coarse`: always one. */
export function formatSpan(ms: number, coarse = false): string {
  const seconds = Math.floor(Math.abs(ms) / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return !coarse && minutes % 60 && hours < 10 ? `${hours} h ${minutes % 60} min` : `${hours} h`
  const days = Math.floor(hours / 24)
  return days < 730 ? `${whole.format(days)} d` : `${whole.format(Math.floor(days / 365))} y`
}

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })

export const formatMoment = (time: string): string => `${moment.format(new Date(time))} UTC`

/** First and last characters; what is short stays whole. */
export function shorten(text: string, first = 8, last = 6): string {
  return text.length <= first + last + 1 ? text : `${text.slice(0, first)}…${text.slice(-last)}`
}

/** MsgPayForBlobs -> Pay For Blobs */
export function readableType(type: string): string {
  return type
    .replace(/^Msg(?=[A-Z])/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
}

/** ShareCommitments -> Share commitments */
export function readableField(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(' ')
  return words.map((word, i) => (i === 0 || /^[A-Z]{2}/.test(word) ? word : word.toLowerCase())).join(' ')
}

/** blobs_size -> blobs size */
export const readableName = (name: string): string => name.replaceAll('_', ' ')
