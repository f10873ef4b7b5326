import { ByteGate } from '../../lib/byte-gate.ts'
import { linkSignals } from '../../lib/linked-signal.ts'
import type { ChainSource, RawBlock } from '../source.ts'
import { fetchRange } from './fetch-range.ts'
import type { NodePool } from './pool.ts'

const MIB = 1024 * 1024
/** A request should bring about this much: larger ones only make the others wait. */
const REQUEST_BYTES = 2 * MIB
const CHUNK_BYTES = 8 * MIB
const CHUNK_BLOCKS = 100
const MAX_REQUESTS_AHEAD = 40

/** Reads ranges of heights from the pool: many requests at once, handed out in order, bounded by bytes. */
export function createBlockReader(pool: NodePool, maxBytesAhead: number, closed: AbortSignal): ChainSource['blocks'] {
  let bytesPerBlock = 50_000

  /** Heights per request, by what blocks weighed lately and what the nodes take. */
  function planCount(): number {
    const byBytes = Math.max(1, Math.floor(REQUEST_BYTES / bytesPerBlock))
    return Math.min(byBytes, Math.max(1, ...pool.nodes.map((node) => node.batchHeights)))
  }

  function weigh(blocks: readonly RawBlock[]): void {
    for (const raw of blocks) bytesPerBlock += (raw.block.length + raw.results.length - bytesPerBlock) * 0.1
  }

  async function* blocks(from: number, to: number, signal: AbortSignal): AsyncGenerator<RawBlock[]> {
    const leaving = new AbortController()
    const linked = linkSignals([signal, closed, leaving.signal])
    const gate = new ByteGate(maxBytesAhead)
    const ahead: Request[] = []
    let next = from
    let isShort = false

    const start = (range: { from: number; to: number }): Request => {
      gate.enter(range.from)
      return watchRequest(range, fetchRange(pool, range, gate, linked.signal))
    }
    const fill = () => {
      while (next <= to && ahead.length < MAX_REQUESTS_AHEAD && (ahead.length === 0 || gate.hasRoom())) {
        const range = { from: next, to: Math.min(to, next + planCount() - 1) }
        ahead.push(start(range))
        next = range.to + 1
      }
    }
    const take = async (): Promise<RawBlock[]> => {
      const first = ahead.shift()!
      const fetched = await first.blocks
      gate.leave(first.range.from)
      isShort = fetched.length < first.range.to - first.range.from + 1
      // The node may have been found lying since: what it said is not handed out any more.
      if (!fetched.some((raw) => pool.isQuarantined(raw.origin))) return fetched
      ahead.unshift(start(first.range))
      return take()
    }

    try {
      for (fill(); ahead.length > 0; ) {
        const chunk = await take()
        let size = sizeOf(chunk)
        while (!isShort && ahead[0]?.isDone && chunk.length < CHUNK_BLOCKS && size < CHUNK_BYTES) {
          const more = await take()
          chunk.push(...more)
          size += sizeOf(more)
        }
        weigh(chunk)
        if (!isShort) fill()
        if (chunk.length > 0) yield chunk
        // No node has the next height, whatever one of them claimed.
        if (isShort) return
      }
    } finally {
      leaving.abort()
      gate.open()
      await Promise.allSettled(ahead.map((request) => request.blocks))
      linked.release()
    }
  }

  return blocks
}

type Request = { range: { from: number; to: number }; blocks: Promise<RawBlock[]>; isDone: boolean }

function watchRequest(range: { from: number; to: number }, blocks: Promise<RawBlock[]>): Request {
  const request: Request = { range, blocks, isDone: false }
  blocks.then(
    () => {
      request.isDone = true
    },
    // The loop gets the error in its turn; until then it must not count as unhandled.
    () => {},
  )
  return request
}

function sizeOf(blocks: readonly RawBlock[]): number {
  return blocks.reduce((sum, raw) => sum + raw.block.length + raw.results.length, 0)
}
