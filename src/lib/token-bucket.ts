/** Tokens that were in a bucket at a time in milliseconds. */
export type TokenBucket = { tokens: number; at: number }

/** Tokens per second that fill a bucket, and the most that it holds. */
export type Refill = { rate: number; burst: number }

/** Tokens in the bucket by now. A clock that was set back takes none away. */
export const tokensAt = ({ tokens, at }: TokenBucket, { rate, burst }: Refill, now: number): number =>
  Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * rate)
