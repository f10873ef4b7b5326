import { Decimal, Integer, Model, Time } from './values.ts'

export const GasPrice = Model('GasPrice', {
  slow: Decimal,
  median: Decimal,
  fast: Decimal,
})

export const GasPricePoint = Model('GasPricePoint', {
  height: Integer,
  time: Time,
  low: Decimal,
  median: Decimal,
  high: Decimal,
  txs: Integer,
})
