import type { GasPriceRow } from '../../store/read/gas.ts'
import { GAS_PRICE_FLOOR } from '../../types/gas-price.ts'

const format = (price: number) => Math.max(price, GAS_PRICE_FLOOR).toFixed(6)

export const toGasPrice = ({ slow, median, fast }: GasPriceRow) => ({
  slow: format(slow),
  median: format(median),
  fast: format(fast),
})
