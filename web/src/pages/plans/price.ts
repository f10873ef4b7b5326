import type { Plan } from '../../../../src/client/gen/operations.ts'

export function priceOf({ name, price_usd: price, period_days: days }: Plan): string {
  if (price === null) return name === 'free' ? 'free' : 'on request'
  return `${price.replace(/\.?0+$/, '')} USD for ${days} days`
}
