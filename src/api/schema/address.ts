import { Celestial } from './celestial.ts'
import { Bech32, Bool, Decimal, Integer, Maybe, Model, Text } from './values.ts'

/** `hash` is the bech32 text of an account; a foreign party of a transfer stands there in its own chain's form. */
export const ShortAddress = Model('ShortAddress', {
  hash: Text,
  celestials: Maybe(Celestial),
})

export const Balance = Model('Balance', {
  currency: Text,
  spendable: Decimal,
  delegated: Decimal,
  unbonding: Decimal,
})

export const Address = Model('Address', {
  id: Integer,
  first_height: Integer,
  last_height: Integer,
  hash: Bech32,
  name: Maybe(Text),
  is_forwarding: Bool,
  balance: Balance,
  celestials: Maybe(Celestial),
})
