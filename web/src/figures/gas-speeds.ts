import type { GasPrice } from '../../../src/client/gen/operations.ts'
import { GAS_PRICE_FLOOR } from '../../../src/types/gas-price.ts'

export const GAS_SPEEDS = [
  ['slow', 'Slow', 'a tenth of the gas paid less'],
  ['median', 'Median', 'half of the gas paid less'],
  ['fast', 'Fast', 'nearly all gas paid less'],
] as const

/** How a price stands to those that were paid. The API never names less than the floor, whatever was paid. */
export const remarkOf = (field: keyof GasPrice, price: string): string =>
  Number(price) <= GAS_PRICE_FLOOR ? 'the floor: no validator takes less' : GAS_SPEEDS.find(([name]) => name === field)![2]
