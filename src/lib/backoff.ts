import type { Random } from './random.ts'

export type BackoffRange = { minMs: number; maxMs: number }

/**
 * Time to wait after `failures` failures in a row: anywhere between the shortest wait and its exponential growth. The jitter is over
 * the whole range, so that clients that failed together do not come back together, but never below `minMs`: nothing spins.
 */
export function computeBackoff(failures: number, random: Random, { minMs, maxMs }: BackoffRange): number {
  const ceiling = Math.min(maxMs, minMs * 2 ** Math.min(failures, 30))
  return minMs + random() * (ceiling - minMs)
}
