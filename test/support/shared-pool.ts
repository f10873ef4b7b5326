import { PreparePool } from '../../src/pipeline/prepare-pool.ts'

/** A run closes its pool when it ends; this one stays for the next. Its thread does not keep the process alive. */
class SharedPool extends PreparePool {
  override async close(): Promise<void> {}
}

const pools = new Map<boolean, PreparePool>()

/**
 * One decode thread for all indexers of this process: a new one loads and compiles the decoder first, which takes longer than decoding a recording. Not for tests of
 * the threads themselves.
 */
export function openSharedPool({ forSegments = false } = {}): PreparePool {
  const pool = pools.get(forSegments) ?? new SharedPool(1, { forSegments })
  pools.set(forSegments, pool)
  return pool
}
