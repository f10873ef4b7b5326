import { decodeAddress } from '../../lib/encoding/bech32.ts'
import { fromHex } from '../../lib/encoding/bytes.ts'

/**
 * Text of a request → value. Each reader returns undefined when the text is not what it should be; who calls knows the
 * parameter's name and says so.
 */

const INT64_MAX = 2n ** 63n - 1n

/** Base 10 with an optional sign, inside 64 bits; beyond 2^53 the nearest safe integer, which only means "larger than all". */
export function readInteger(text: string): number | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value + 0 // -0 becomes 0
  const exact = BigInt(text.startsWith('+') ? text.slice(1) : text)
  if (exact > INT64_MAX || exact < -INT64_MAX) return undefined
  return exact > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER
}

const BOOLEANS = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false] as const),
])

export function readBoolean(text: string): boolean | undefined {
  return BOOLEANS.get(text)
}

/** Bytes of an account, from its own or its operator form (docs/rules.md R5). */
export function readAddress(text: string): Buffer | undefined {
  if (text.length < 47 || text.length > 128) return undefined
  const address = decodeAddress(text)
  if (!address || address.prefix === 'celestiavalcons') return undefined
  if (address.prefix === 'celestiavaloper' && text.length !== 54) return undefined
  return Buffer.from(address.hex, 'hex')
}

/** Bytes of an account in any of its forms. Hex must have the 20 or 32 bytes of an account: anything else is a typing error. */
export function readAccount(text: string): Buffer | undefined {
  const hex = readHex(text)
  return readAddress(text) ?? (hex?.length === 20 || hex?.length === 32 ? hex : undefined)
}

/** Bytes of a consensus key's address, as bech32 or hex. */
export function readConsensusAddress(text: string): Buffer | undefined {
  const address = decodeAddress(text)
  const bytes = address?.prefix === 'celestiavalcons' ? Buffer.from(address.hex, 'hex') : readHex(text)
  return bytes?.length === 20 ? bytes : undefined
}

const BECH32_LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
/** Letters of the 20 bytes of an operator; the checksum follows. */
const OPERATOR_LETTERS = 32

/** Beginning of an operator address: its whole hex digits. */
export function readOperatorPart(text: string): string | undefined {
  const letters = /^celestiavaloper1([02-9ac-hj-np-z]+)$/.exec(text.toLowerCase())?.[1]?.slice(0, OPERATOR_LETTERS)
  if (letters === undefined) return undefined
  const bits = [...letters].map((letter) => BECH32_LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return (bits.match(/.{4}/g) ?? []).map((digit) => Number.parseInt(digit, 2).toString(16)).join('')
}

/** Hex of any length, either case, with or without `0x`. */
export function readHex(text: string): Buffer | undefined {
  const digits = /^0x/i.test(text) ? text.slice(2) : text
  return digits.length === 0 ? undefined : (fromHex(digits) as Buffer | undefined)
}

/** Standard or URL-safe base64, with or without padding. */
function readBase64(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return undefined
  const digits = text.replace(/=+$/, '')
  if (digits.length % 4 === 1 || (digits.length < text.length && text.length % 4 !== 0)) return undefined
  return Buffer.from(digits, 'base64')
}

/** Exactly `length` bytes in whichever encoding gives that length: hex and base64 never give the same one. */
export function readBytes(text: string, length: number): Buffer | undefined {
  const hex = readHex(text)
  if (hex?.length === length) return hex
  const base64 = readBase64(text)
  return base64?.length === length ? base64 : undefined
}

/** The hash of a tx, or its id in plain digits, which are too few for a hash. */
export function readTxName(text: string): Buffer | number | undefined {
  return /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : readBytes(text, 32)
}

/** Version byte and id of a namespace. */
export function readNamespace(text: string): { version: number; id: Buffer } | undefined {
  const bytes = readBytes(text, 29)
  return bytes && { version: bytes[0]!, id: bytes.subarray(1) }
}

/** A namespace, or the id of one of version 0: no other version holds blobs. */
export function readNamespaceOrId(text: string): { version: number; id: Buffer } | undefined {
  const id = readBytes(text, 28)
  return id ? { version: 0, id } : readNamespace(text)
}

/** A commitment has 32 bytes; base64 of another length is a value that nothing matches, as it is for the reference. */
export function readCommitment(text: string): Buffer | undefined {
  return readBytes(text, 32) ?? readBase64(text)
}
