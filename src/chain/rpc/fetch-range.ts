import type { ByteGate } from '../../lib/byte-gate.ts'
import type { RawBlock } from '../source.ts'
import { fetchBatch, fetchSingle } from './client.ts'
import type { PoolNode } from './node.ts'
import type { NodePool } from './pool.ts'

/**
 * Fetches heights `from`..`to` from whatever node can, for as long as it takes; fewer when it turns out that no node has the next one.
 * Rejects only when aborted or when no node is left.
 * What is held counts in `gate` under the order `from`.
 */
export async function fetchRange(
  pool: NodePool,
  range: { from: number; to: number },
  gate: ByteGate,
  signal: AbortSignal,
): Promise<RawBlock[]> {
  const { from: order } = range
  let { to } = range
  const avoid = new Set<string>()
  const blocks: RawBlock[] = []
  let held = 0
  for (let from = order; from <= to; ) {
    const lease = await pool.acquire({ from, to, order, avoid }, signal)
    const onBytes = (bytes: number) => {
      const room = gate.take(order, bytes)
      return room && lease.holdBack(room)
    }
    try {
      const fetched = await fetchSome(lease.node, from, to, { signal, onBytes })
      lease.succeed()
      blocks.push(...fetched)
      from += fetched.length
      held = blocks.reduce((sum, raw) => sum + raw.block.length + raw.results.length, 0)
    } catch (error) {
      const { kind } = lease.fail(error)
      if (kind !== 'batch') avoid.add(lease.node.label)
      // The bytes of the failed answer are free again, those of the answers before it are still held.
      gate.giveBack(order)
      if (held > 0) await gate.take(order, held)
      if (kind === 'behind') to = Math.min(to, pool.head()?.height ?? to)
    }
  }
  return blocks
}

function fetchSome(node: PoolNode, from: number, to: number, options: Parameters<typeof fetchBatch>[3]): Promise<RawBlock[]> {
  const count = Math.min(to - from + 1, node.batchHeights)
  if (count === 0) return fetchSingle(node.client, from, options).then((raw) => [raw])
  return fetchBatch(node.client, from, count, options)
}
