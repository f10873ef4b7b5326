import type { GasPriceRow } from '../../store/read/gas.ts'

/** No validator takes less (utia per gas). */
const FLOOR = 0.004

const format = (price: number) => Math.max(price, FLOOR).toFixed(6)

export const toGasPrice = ({ slow, median, fast }: GasPriceRow) => ({
  slow: format(slow),
  median: format(median),
  fast: format(fast),
})
