import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const KEY = /^(astro_([a-z]{2,8})_)([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/** A key as its owner sees it, once: `astro_<environment>_` + 32 random characters + 6 of a checksum. */
export type KeyText = { text: string; prefix: string; last4: string }

export function makeKeyText(environment: string): KeyText {
  const prefix = `astro_${environment}_`
  const secret = randomBase62(SECRET_LENGTH)
  const text = `${prefix}${secret}${checksumOf(prefix + secret)}`
  return { text, prefix, last4: text.slice(-4) }
}

/** Typing errors, keys of other services and of other environments are told apart here, without any look-up. */
export function isKeyText(text: string, environment: string): boolean {
  const parts = KEY.exec(text)
  if (!parts) return false
  const [, prefix = '', ofEnvironment, secret = '', checksum] = parts
  return ofEnvironment === environment && checksum === checksumOf(prefix + secret)
}

export function randomBase62(length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += BASE62[randomInt(BASE62.length)]
  return text
}

/** A checksum, not a secret: it only saves a look-up for what cannot be a key. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let checksum = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    checksum = BASE62[rest % BASE62.length] + checksum
    rest = Math.floor(rest / BASE62.length)
  }
  return checksum
}
