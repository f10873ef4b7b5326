import { encodeAddress } from '../../lib/encoding/bech32.ts'
import type { AccountRef } from '../../store/read/celestial.ts'

/** Embedded names are always the primary one and say no more than this (docs/rules.md R23). */
export function toCelestials([, name, imageUrl]: AccountRef) {
  return name === null ? undefined : { name, image_url: imageUrl ?? '' }
}

export function toShortAddress(account: AccountRef) {
  return { hash: encodeAddress('celestia', account[0]), celestials: toCelestials(account) }
}

/** For accounts that need not be known; the field is left out then. */
export function toShortAddressOr<T>(account: AccountRef | null, otherwise: T) {
  return account === null ? otherwise : toShortAddress(account)
}
