import { type Clock, systemClock } from '../../lib/clock.ts'
import { parseJsonObject } from '../json-fields.ts'
import type { BlockReader, ChainSource } from '../source.ts'
import type { RpcBlock } from '../wire.ts'

/**
 * A source whose head starts at `startHeight` and moves one block per interval until it has reached the real one: a recorded chain
 * that looks alive.
 */
export function paceSource(
  source: ChainSource & BlockReader,
  pace: { startHeight: number; intervalMs: number },
  clock: Clock = systemClock,
): ChainSource & BlockReader {
  const startedAt = clock.now()
  const heightNow = () => pace.startHeight + Math.floor((clock.now() - startedAt) / pace.intervalMs)

  return {
    ...source,
    name: `${source.name}, one block per ${pace.intervalMs} ms`,

    async head(signal) {
      const end = await source.head(signal)
      const height = Math.min(end.height, heightNow())
      if (height === end.height) return end
      const raw = await source.readBlock(height, signal)
      return raw ? { ...end, height, time: (parseJsonObject(raw.block, 'block') as RpcBlock).block.header.time } : end
    },

    async waitForHead(height, signal) {
      const end = await source.head(signal)
      if (height >= end.height) return source.waitForHead(height, signal)
      const dueAt = startedAt + (height + 1 - pace.startHeight) * pace.intervalMs
      await clock.sleep(Math.max(0, dueAt - clock.now()), signal).catch((error) => {
        if (!signal.aborted) throw error
      })
    },
  }
}
