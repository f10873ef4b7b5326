import { type Bytes, concat, fromHex, readVarint } from './encoding.ts'
import { demand } from './failure.ts'

/** A record of the chain's state by what a person calls it. Addresses are hex of their bytes. */
export type StateRecord =
  | { kind: 'balance'; address: string; denom: string }
  | { kind: 'supply'; denom: string }
  | { kind: 'validator'; operator: string }
  | { kind: 'delegation'; delegator: string; operator: string }

/** Value of a record on the chain. Shares are multiples of 10^-18; `bonded` says whether a validator is in the active set. */
export type StateValue =
  | { amount: bigint }
  | { shares: bigint }
  | { tokens: bigint; shares: bigint; jailed: boolean; bonded: boolean }

/** Where a record stands: the store of a module, and the key in its tree. */
export type StateKey = { store: 'bank' | 'staking'; key: Bytes }

export function keyOf(record: StateRecord): StateKey {
  switch (record.kind) {
    case 'balance':
      return { store: 'bank', key: concat(Uint8Array.of(0x02), sized(record.address), utf8(record.denom)) }
    case 'supply':
      return { store: 'bank', key: concat(Uint8Array.of(0x00), utf8(record.denom)) }
    case 'validator':
      return { store: 'staking', key: concat(Uint8Array.of(0x21), sized(record.operator)) }
    case 'delegation':
      return { store: 'staking', key: concat(Uint8Array.of(0x31), sized(record.delegator), sized(record.operator)) }
  }
}

/** The value behind the bytes that the tree keeps. Throws ProofError when they are not those of such a record. */
export function readValue({ kind }: StateRecord, bytes: Uint8Array): StateValue {
  switch (kind) {
    case 'balance':
    case 'supply':
      return { amount: readInteger(bytes) }
    case 'validator': {
      const fields = readMessage(bytes)
      return {
        tokens: readInteger(fields.get(5)),
        shares: readInteger(fields.get(6)),
        jailed: fields.get(3) === 1,
        bonded: fields.get(4) === BONDED,
      }
    }
    case 'delegation':
      return { shares: readInteger(readMessage(bytes).get(3)) }
  }
}

const BONDED = 3

function sized(address: string): Bytes {
  const bytes = fromHex(address)
  return concat(Uint8Array.of(bytes.length), bytes)
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

/** The chain writes its large numbers as decimal text; a decimal one without its point. */
function readInteger(bytes: Uint8Array | number | undefined): bigint {
  const text = bytes instanceof Uint8Array ? new TextDecoder().decode(bytes) : ''
  demand(/^-?\d{1,100}$/.test(text), 'a number of the state is not a number')
  return BigInt(text)
}

/** Fields of a protobuf message by number: integers, and bytes of everything else. The bytes are proven, so they are not suspected. */
function readMessage(bytes: Uint8Array): Map<number, Uint8Array | number> {
  const fields = new Map<number, Uint8Array | number>()
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at)
    const number = tag && readVarint(bytes, tag.end)
    const wireType = (tag?.value ?? 0) & 7
    demand(number && (wireType === 0 || wireType === 2), 'a record of the state is not a message')
    at = wireType === 0 ? number.end : number.end + number.value
    demand(at <= bytes.length, 'a record of the state ends too early')
    fields.set(tag!.value >> 3, wireType === 0 ? number.value : bytes.subarray(number.end, at))
  }
  return fields
}
