import { encodeAddress } from '../../lib/encoding/bech32.ts'
import type { ValidatorRef, ValidatorRow } from '../../store/read/validator.ts'

export function toShortValidator([id, consAddress, moniker]: ValidatorRef) {
  return { id, cons_address: consAddress.toUpperCase(), moniker }
}

/** `address` and `delegator` carry no names; their hash is empty for a validator known only from block headers (docs/rules.md R29). */
export function toValidator({ operator, delegator, cons_address, ...row }: ValidatorRow) {
  return {
    ...row,
    cons_address: cons_address.toUpperCase(),
    address: { hash: operator === null ? '' : encodeAddress('celestiavaloper', operator) },
    delegator: { hash: delegator === null ? '' : encodeAddress('celestia', delegator) },
  }
}
