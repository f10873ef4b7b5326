import { type Bytes, bytesField, concat, integerField } from '../../client/proof/encoding.ts'
import type { StateRecord, StateValue } from '../../client/proof/state-record.ts'
import { type AddressPrefix, encodeAddress } from '../../lib/encoding/bech32.ts'

const BONDED = 3
const UNBONDED = 1

/** The bytes that the chain keeps of a record; undefined when it would keep none. */
export function encodeValue(record: StateRecord, value: StateValue): Bytes | undefined {
  if ('amount' in value) return value.amount === 0n ? undefined : text(String(value.amount))
  if (value.shares === 0n) return undefined
  const shares = text(String(value.shares))
  if (record.kind === 'validator' && 'tokens' in value)
    return concat(
      bytesField(1, address('celestiavaloper', record.operator)),
      integerField(3, Number(value.jailed)),
      integerField(4, value.bonded ? BONDED : UNBONDED),
      bytesField(5, text(String(value.tokens))),
      bytesField(6, shares),
    )
  if (record.kind === 'delegation')
    return concat(
      bytesField(1, address('celestia', record.delegator)),
      bytesField(2, address('celestiavaloper', record.operator)),
      bytesField(3, shares),
    )
  throw new Error(`a ${record.kind} has no such value`)
}

const text = (value: string): Bytes => new TextEncoder().encode(value)
const address = (prefix: AddressPrefix, hex: string): Bytes => text(encodeAddress(prefix, hex))
