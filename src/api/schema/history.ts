import { Type } from 'typebox'
import { CAUSES, PARTS } from '../../types/balance-change.ts'
import { Decimal, DecimalInteger, HexLower, Integer, Maybe, Model, Text, Time } from './values.ts'

export const CauseName = Type.Enum([...CAUSES])
export const PartName = Type.Enum([...PARTS])

const change = {
  id: Integer,
  height: Integer,
  time: Time,
  /** absent for what the chain did outside of transactions */
  tx_hash: Maybe(HexLower),
  cause: CauseName,
  currency: Text,
  amount: DecimalInteger,
}

export const BalanceChange = Model('BalanceChange', { ...change, part: PartName, balance: DecimalInteger })

export const StatementLine = Model('StatementLine', {
  ...change,
  part: PartName,
  balance: DecimalInteger,
  /** of one token in US dollars, at the time of the change */
  price: Maybe(Decimal),
  value: Maybe(Decimal),
})

export const SupplyChange = Model('SupplyChange', { ...change, supply: DecimalInteger })

export const Supply = Model('Supply', { currency: Text, amount: DecimalInteger })

export const StakeChange = Model('StakeChange', {
  id: Integer,
  height: Integer,
  time: Time,
  amount: DecimalInteger,
  stake: DecimalInteger,
})
