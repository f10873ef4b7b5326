import { ShortAddress } from './address.ts'
import { ShortValidator } from './validator.ts'
import { Decimal, Integer, Maybe, Model, Time } from './values.ts'

export const Delegation = Model('Delegation', {
  amount: Decimal,
  delegator: Maybe(ShortAddress),
  validator: Maybe(ShortValidator),
})

export const Undelegation = Model('Undelegation', {
  height: Integer,
  time: Time,
  completion_time: Time,
  amount: Decimal,
  delegator: Maybe(ShortAddress),
  validator: Maybe(ShortValidator),
})

export const Redelegation = Model('Redelegation', {
  height: Integer,
  time: Time,
  completion_time: Time,
  amount: Decimal,
  delegator: Maybe(ShortAddress),
  source: Maybe(ShortValidator),
  destination: Maybe(ShortValidator),
})
