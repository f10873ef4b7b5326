import type { ChainSource } from '../chain/source.ts'
import { linkSignals } from '../lib/linked-signal.ts'
import type { BlockChecks, PreparedBlock } from './prepare-block.ts'
import type { PreparePool } from './prepare-pool.ts'

export type ReadChain = {
  source: ChainSource
  pool: PreparePool
  chainId: string
  from: number
  to: number
  checks: BlockChecks
  /** hears how long each chunk of the source took to come */
  onFetch: (seconds: number) => void
}

/**
 * Decoded blocks `from`..`to` in order; several chunks are decoded ahead of the one handed out. A chunk is handed out as soon as it is
 * decoded, however long the source takes for the next.
 */
export async function* readChain(
  { source, pool, chainId, from, to, checks, onFetch }: ReadChain,
  signal: AbortSignal,
): AsyncGenerator<PreparedBlock[]> {
  const leaving = new AbortController()
  const linked = linkSignals([signal, leaving.signal])
  const chunks = source.blocks(from, to, linked.signal)
  const ahead = pool.threads + 1
  const queue: Promise<PreparedBlock[]>[] = []
  let fetching: Promise<void> | undefined
  let end: { error?: unknown } | undefined

  const fetch = async () => {
    const askedAt = performance.now()
    try {
      const next = await chunks.next()
      if (next.done) end = {}
      else {
        onFetch((performance.now() - askedAt) / 1000)
        const decoded = pool.decode(next.value, chainId, checks)
        // Reported when its turn comes; until then it must not count as unhandled.
        decoded.catch(() => {})
        queue.push(decoded)
      }
    } catch (error) {
      // Blocks that were fetched before are handed out first.
      end = { error }
    }
    fetching = undefined
  }

  try {
    for (;;) {
      if (!end && !fetching && queue.length < ahead) fetching = fetch()
      const [first] = queue
      if (first) {
        const isDecoded = first.then(
          () => true,
          () => true,
        )
        if (fetching && !(await Promise.race([isDecoded, fetching.then(() => false)]))) continue
        queue.shift()
        yield await first
      } else if (fetching) await fetching
      else if (end?.error !== undefined) throw end.error
      else return
    }
  } finally {
    // A generator that waits for a node ends only when the wait does.
    leaving.abort(new Error('the reader has left'))
    await fetching
    await chunks.return(undefined).catch(() => {})
    linked.release()
  }
}
