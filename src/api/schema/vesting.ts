import { VestingType } from './enums.ts'
import { Decimal, HexLower, Integer, Maybe, Model, Time } from './values.ts'

export const Vesting = Model('Vesting', {
  id: Integer,
  height: Integer,
  time: Time,
  start_time: Maybe(Time),
  end_time: Maybe(Time),
  hash: Maybe(HexLower),
  type: VestingType,
  amount: Decimal,
})

export const VestingPeriod = Model('VestingPeriod', {
  time: Time,
  amount: Decimal,
})
