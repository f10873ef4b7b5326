import { Type } from 'typebox'
import { ShortAddress } from './address.ts'
import { Bool, Integer, Maybe, Model, Nullable, Text, Time } from './values.ts'

export const Grant = Model('Grant', {
  authorization: Text,
  expiration: Maybe(Time),
  revoked: Bool,
  revoke_height: Maybe(Integer),
  height: Integer,
  time: Time,
  params: Nullable(Type.Record(Type.String(), Type.Unknown())),
  granter: Maybe(ShortAddress),
  grantee: Maybe(ShortAddress),
})
