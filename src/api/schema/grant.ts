import { Type } from 'typebox'
import { ShortAddress } from './address.ts'
import { Bool, Integer, Maybe, Model, Nullable, Text, Time } from './values.ts'

const Coin = Type.Object({ denom: Text, amount: Text })

/** `params` are the terms as they were granted. */
const Remaining = Type.Object({
  spend_limit: Nullable(Type.Array(Coin)),
  period: Nullable(
    Type.Object({ seconds: Type.Number(), spend_limit: Type.Array(Coin), can_spend: Type.Array(Coin), reset: Time }),
  ),
})

export const Grant = Model('Grant', {
  authorization: Text,
  expiration: Maybe(Time),
  revoked: Bool,
  revoke_height: Maybe(Integer),
  height: Integer,
  time: Time,
  params: Nullable(Type.Record(Type.String(), Type.Unknown())),
  remaining: Maybe(Remaining),
  granter: Maybe(ShortAddress),
  grantee: Maybe(ShortAddress),
})
