import { Decimal, Model } from './values.ts'

export const GasPrice = Model('GasPrice', {
  slow: Decimal,
  median: Decimal,
  fast: Decimal,
})
