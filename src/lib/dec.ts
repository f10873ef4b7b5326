/**
 * The chain's 18-digit decimals as integers (value x 10^18), with its own rounding: where the last digit decides who owns a base unit,
 * only the same arithmetic gives the same answer.
 */
export const DEC_ONE = 10n ** 18n

const HALF = DEC_ONE / 2n

export const decFromInt = (value: bigint): bigint => value * DEC_ONE

/** Drops the fraction towards zero. */
export const decTruncate = (value: bigint): bigint => value / DEC_ONE

/** Divides by 10^18 and rounds half to even. */
function chopAndRound(value: bigint): bigint {
  if (value < 0n) return -chopAndRound(-value)
  const quotient = value / DEC_ONE
  const rest = value % DEC_ONE
  if (rest < HALF) return quotient
  if (rest > HALF) return quotient + 1n
  return quotient % 2n === 0n ? quotient : quotient + 1n
}

export const decMul = (a: bigint, b: bigint): bigint => chopAndRound(a * b)

export const decMulInt = (a: bigint, b: bigint): bigint => a * b

/** Quotient of two decimals, rounded half to even. */
export const decQuo = (a: bigint, b: bigint): bigint => chopAndRound((a * DEC_ONE * DEC_ONE) / b)

/** Decimal divided by a whole number, cut. */
export const decQuoInt = (a: bigint, b: bigint): bigint => a / b
