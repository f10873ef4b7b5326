import type { StateRecord, StateValue } from '../../client/proof/state-record.ts'
import { encodeAddress } from '../../lib/encoding/bech32.ts'

export function describeRecord(record: StateRecord): string {
  switch (record.kind) {
    case 'balance':
      return `balance of ${encodeAddress('celestia', record.address)} in ${record.denom}`
    case 'supply':
      return `supply of ${record.denom}`
    case 'validator':
      return `validator ${encodeAddress('celestiavaloper', record.operator)}`
    case 'delegation':
      return `delegation of ${encodeAddress('celestia', record.delegator)} to ${encodeAddress('celestiavaloper', record.operator)}`
  }
}

export function describeValue(value: StateValue | undefined): string {
  if (!value) return 'nothing'
  return Object.entries(value)
    .map(([field, part]: [string, bigint | boolean]) => {
      if (field === 'amount') return String(part)
      return `${field} ${field === 'shares' ? toDecimal(BigInt(part)) : part}`
    })
    .join(', ')
}

/** Shares as the chain prints them. */
export function toDecimal(shares: bigint): string {
  const digits = String(shares).padStart(19, '0')
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`
}
