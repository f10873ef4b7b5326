/** No validator takes less (utia per gas). */
export const GAS_PRICE_FLOOR = 0.004
