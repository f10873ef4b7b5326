import { createHmac, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6

const MARK = 'astro_'

/** A key as its owner sees it, once: `astro_<environment>_` + 32 random characters + 6 of a checksum. */
export type KeyText = { text: string; prefix: string; last4: string }

export const makeKeyText = (environment: string): KeyText => toKeyText(environment, randomBase62(SECRET_LENGTH))

/** A key that needs no storing to be shown again: it follows from the server's pepper and what only its owner can show. */
export function deriveKeyText({ environment, pepper }: { environment: string; pepper: string }, owner: Uint8Array): KeyText {
  let rest = BigInt(`0x${createHmac('sha256', pepper).update('sold key ').update(owner).digest('hex')}`)
  let secret = ''
  for (let i = 0; i < SECRET_LENGTH; i++) {
    secret += BASE62[Number(rest % BigInt(BASE62.length))]
    rest /= BigInt(BASE62.length)
  }
  return toKeyText(environment, secret)
}

function toKeyText(environment: string, secret: string): KeyText {
  const prefix = `${MARK}${environment}_`
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
