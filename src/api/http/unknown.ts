import { encodeAddress } from '../../lib/encoding/bech32.ts'
import { toHex } from '../../lib/encoding/bytes.ts'
import { BadRequest } from './errors.ts'

/** Most lists of an account, and filters by one, refuse an account that the chain has never seen (docs/rules.md R11). */
export function unknownAddress(address: Uint8Array, param = 'hash'): BadRequest {
  return new BadRequest(`${encodeAddress('celestia', toHex(address))}: unknown address`, param, 'unknown_address')
}

export function unknownTx(hash: Uint8Array, param: string): BadRequest {
  return new BadRequest(`${toHex(hash)}: unknown transaction`, param, 'unknown_tx')
}
