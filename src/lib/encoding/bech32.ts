import { createHash } from 'node:crypto'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { bech32 } from '@scure/base'
import { BoundedCache } from '../bounded-cache.ts'
import { concatBytes, fromHex, fromUtf8, toHex, toHexUpper } from './bytes.ts'

export type AddressPrefix = 'celestia' | 'celestiavaloper' | 'celestiavalcons'

const PREFIXES: readonly string[] = ['celestia', 'celestiavaloper', 'celestiavalcons'] satisfies AddressPrefix[]

/** The SDK refuses addresses above 255 bytes; their text stays below this. */
const MAX_TEXT = 450

export type Bech32Address = { prefix: AddressPrefix /** lower-case hex of the address bytes */; hex: string }

const KEPT = 65_536
// A few thousand addresses recur all the time; a look-up costs a fraction of a checksum.
const decoded = new BoundedCache<string, Bech32Address | 'not-an-address'>(KEPT)
const encoded = new BoundedCache<string, string>(KEPT)

/** Address text of any of the three prefixes, in lower or upper case; undefined for everything else (foreign chains, garbage, empty). */
export function decodeAddress(text: string): Bech32Address | undefined {
  if (text.length < 15 || text.length > MAX_TEXT) return undefined
  const known = decoded.get(text)
  if (known !== undefined) return known === 'not-an-address' ? undefined : known
  const address = decodeFresh(text)
  decoded.set(text, address ?? 'not-an-address')
  return address
}

function decodeFresh(text: string): Bech32Address | undefined {
  const prefix = text.slice(0, Math.max(0, text.lastIndexOf('1'))).toLowerCase()
  if (!PREFIXES.includes(prefix)) return undefined
  const parts = bech32.decodeUnsafe(text, MAX_TEXT)
  if (!parts) return undefined
  const bytes = bech32.fromWordsUnsafe(parts.words)
  if (!bytes || bytes.length === 0 || bytes.length > 255) return undefined
  return { prefix: prefix as AddressPrefix, hex: toHex(bytes as Uint8Array) }
}

/** Lower-case hex of the bytes of an account, operator or consensus address; one account per bytes, so the prefix does not matter. */
export function decodeAccount(text: string): string | undefined {
  return decodeAddress(text)?.hex
}

export function encodeAddress(prefix: AddressPrefix, hex: string): string {
  const key = `${prefix} ${hex}`
  const known = encoded.get(key)
  if (known !== undefined) return known
  const text = bech32.encode(prefix, bech32.toWords(fromHex(hex)!), MAX_TEXT)
  encoded.set(key, text)
  return text
}

function sha256(...parts: Uint8Array[]): Uint8Array {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export function moduleAccount(name: string): string {
  return toHex(sha256(fromUtf8(name)).subarray(0, 20))
}

export function escrowAccount(port: string, channel: string): string {
  return toHex(sha256(fromUtf8(`ics20-1\0${port}/${channel}`)).subarray(0, 20))
}

/** Account of a 33-byte compressed secp256k1 key. */
export function secp256k1Account(key: Uint8Array): string {
  return toHex(ripemd160(sha256(key)))
}

/** Consensus address of a 32-byte ed25519 key, in the upper-case hex that headers and the API use. */
export function consensusAddress(key: Uint8Array): string {
  return toHexUpper(sha256(key).subarray(0, 20))
}

export type MultisigMember = { kind: 'secp256k1' | 'ed25519'; key: Uint8Array }

const MULTISIG_HEAD = Uint8Array.of(0x22, 0xc1, 0xf7, 0xe2)
const MEMBER_HEAD = {
  secp256k1: Uint8Array.of(0xeb, 0x5a, 0xe9, 0x87, 0x21),
  ed25519: Uint8Array.of(0x16, 0x24, 0xde, 0x64, 0x20),
}

/** Account of a multisig key: the hash of its old amino encoding, which the SDK keeps for addresses. */
export function multisigAccount(threshold: number, members: MultisigMember[]): string {
  const parts = [MULTISIG_HEAD, Uint8Array.of(0x08), varint(threshold)]
  for (const { kind, key } of members) {
    const head = MEMBER_HEAD[kind]
    parts.push(Uint8Array.of(0x12), varint(head.length + key.length), head, key)
  }
  return toHex(sha256(concatBytes(...parts)).subarray(0, 20))
}

function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value >>> 0
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  bytes.push(rest)
  return Uint8Array.from(bytes)
}
