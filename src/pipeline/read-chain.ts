import type { ChainSource } from '../chain/source.ts'
import type { PreparedBlock, RootChecks } from './prepare-block.ts'
import type { PreparePool } from './prepare-pool.ts'

export type ReadChain = {
  source: ChainSource
  pool: PreparePool
  chainId: string
  from: number
  to: number
  roots: RootChecks
  /** hears how long each chunk of the source was waited for */
  onFetch: (seconds: number) => void
}

/** Decoded blocks `from`..`to` in order; several chunks are decoded ahead of the one handed out. */
export async function* readChain(
  { source, pool, chainId, from, to, roots, onFetch }: ReadChain,
  signal: AbortSignal,
): AsyncGenerator<PreparedBlock[]> {
  const chunks = source.blocks(from, to, signal)
  const ahead = pool.threads + 1
  const queue: Promise<PreparedBlock[]>[] = []
  let ended = false
  try {
    for (;;) {
      while (!ended && queue.length < ahead) {
        const askedAt = performance.now()
        const next = await chunks.next()
        if (next.done) ended = true
        else {
          onFetch((performance.now() - askedAt) / 1000)
          const decoded = pool.decode(next.value, chainId, roots)
          // Reported when its turn comes; until then it must not count as unhandled.
          decoded.catch(() => {})
          queue.push(decoded)
        }
      }
      const first = queue.shift()
      if (!first) return
      yield await first
    }
  } finally {
    await chunks.return(undefined)
  }
}
