import type { Balance, Price } from '../../../src/client/gen/operations.ts'

const wholeOf = (amount: string): bigint => BigInt(amount.split('.')[0] || '0')

/** All that an account has of one denomination: what it can spend, what is delegated, and what is on its way back. No digit is lost. */
export const totalOf = ({ spendable, delegated, unbonding }: Balance): string =>
  String(wholeOf(spendable) + wholeOf(delegated) + wholeOf(unbonding))

/** Worth of native coins in the currency of the price; undefined where no price is known. */
export const worthOf = (utia: string, price: Pick<Price, 'close'> | undefined): number | undefined =>
  price === undefined || !(Number(price.close) > 0) ? undefined : (Number(utia) / 1e6) * Number(price.close)

/** Sum of a series of amounts in utia. */
export const sumOf = (rows: readonly { value: string }[]): string =>
  String(rows.reduce((sum, { value }) => sum + wholeOf(value), 0n))
