import { ShortAddress } from './address.ts'
import { UpgradeStatus } from './enums.ts'
import { ShortValidator } from './validator.ts'
import { Decimal, HexLower, Integer, Maybe, Model, Time } from './values.ts'

export const SignalVersion = Model('SignalVersion', {
  id: Integer,
  height: Integer,
  time: Time,
  voting_power: Decimal,
  version: Integer,
  tx_hash: HexLower,
  validator: Maybe(ShortValidator),
})

export const Upgrade = Model('Upgrade', {
  height: Integer,
  end_height: Maybe(Integer),
  applied_at_level: Maybe(Integer),
  time: Time,
  end_time: Maybe(Time),
  applied_at: Maybe(Time),
  version: Integer,
  msg_id: Maybe(Integer),
  tx_hash: Maybe(HexLower),
  voting_power: Decimal,
  voted_power: Decimal,
  signals_count: Integer,
  status: UpgradeStatus,
  signer: Maybe(ShortAddress),
})
