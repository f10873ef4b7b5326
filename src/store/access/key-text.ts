import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6

const MARK = 'astro_'

/** A key as its owner sees it, once: `astro_<environment>_` + 32 random characters + 6 of a checksum. */
export type KeyText = { text: string; prefix: string; last4: string }

export function makeKeyText(environment: string): KeyText {
  const prefix = `${MARK}${environment}_`
  const secret = randomBase62(SECRET_LENGTH)
  const text = `${prefix}${secret}${checksumOf(prefix + secret)}`
  return { text, prefix, last4: text.slice(-4) }
}

/** Whether a text was meant to be a key of this service, of whatever environment. */
export function looksLikeOurs(text: string): boolean {
  return text.startsWith(MARK)
}

/**
 * Typing errors, keys of other services and of other environments are told apart here, without any look-up. Nothing looks at single
 * characters: the time taken must not depend on them.
 */
export function isKeyText(text: string, environment: string): boolean {
  const prefix = `${MARK}${environment}_`
  if (text.length !== prefix.length + SECRET_LENGTH + CHECKSUM_LENGTH || !text.startsWith(prefix)) return false
  return text.slice(-CHECKSUM_LENGTH) === checksumOf(text.slice(0, -CHECKSUM_LENGTH))
}

export function randomBase62(length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += BASE62[randomInt(BASE62.length)]
  return text
}

/** A checksum, not a secret: it only saves a look-up for what cannot be a key. */
export function checksumOf(text: string): string {
  let rest = crc32(text)
  let checksum = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    checksum = BASE62[rest % BASE62.length] + checksum
    rest = Math.floor(rest / BASE62.length)
  }
  return checksum
}
