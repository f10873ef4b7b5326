import { demand } from './failure.ts'

/** Bytes and the few wire forms of protobuf that proofs need, without anything that browsers lack. */
export type Bytes = Uint8Array<ArrayBuffer>

export function fromHex(text: string): Bytes {
  demand(/^([0-9a-f]{2})*$/i.test(text), 'bytes are not written in hex')
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function fromBase64(text: string): Bytes {
  demand(/^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0, 'bytes are not written in base64')
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

export function concat(...parts: Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

export function equal(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

export function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return equal(bytes.subarray(0, start.length), start)
}

/** Below zero when `a` comes first in the order of bytes. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

/** A whole number that is written as text, as nodes do with large ones. */
export function integer(text: string): bigint {
  demand(/^-?\d{1,20}$/.test(text), `${text} is not a whole number`)
  return BigInt(text)
}

export function varint(value: number | bigint): Bytes {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Uint8Array.of(...bytes, Number(rest))
}

/** Fields with the default value have no bytes at all. */
export function integerField(field: number, value: number | bigint): Bytes {
  return BigInt(value) === 0n ? new Uint8Array() : concat(varint(field << 3), varint(value))
}

export function fixed64Field(field: number, value: number | bigint): Bytes {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value), true)
  return BigInt(value) === 0n ? new Uint8Array() : concat(varint((field << 3) | 1), bytes)
}

export function bytesField(field: number, value: Uint8Array): Bytes {
  return value.length === 0 ? new Uint8Array() : messageField(field, value)
}

/** A message is there even when it is empty. */
export function messageField(field: number, body: Uint8Array): Bytes {
  return concat(varint((field << 3) | 2), varint(body.length), body)
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/

/** google.protobuf.Timestamp of a UTC time with up to nine digits behind the second. */
export function timestamp(text: string): Bytes {
  demand(TIME.test(text) && !Number.isNaN(Date.parse(text)), `${text} is not a time in UTC`)
  const seconds = Date.parse(`${text.slice(0, 19)}Z`) / 1000
  return concat(integerField(1, seconds), integerField(2, Number(text.slice(20, -1).padEnd(9, '0'))))
}

/** The varint at `at` and where it ends; undefined when the bytes end before it does. */
export function readVarint(bytes: Uint8Array, at: number): { value: number; end: number } | undefined {
  let value = 0
  for (let i = 0; i < 8; i++) {
    const byte = bytes[at + i]
    if (byte === undefined) return undefined
    value += (byte & 127) * 2 ** (7 * i)
    if (byte < 128) return { value, end: at + i + 1 }
  }
  return undefined
}
