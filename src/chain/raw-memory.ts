import { freeMemory } from '../runtime/free-memory.ts'
import type { RawBlock } from './source.ts'

/** Smaller memory may be a pool that others use, which cannot be moved; a copy costs little. */
const OWN_BYTES = 65_536

/** Memory of blocks that can be moved to another thread. Chunks of a recording are views on one buffer: it moves once. */
export function memoryOf(blocks: readonly RawBlock[]): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>()
  for (const { block, results } of blocks) {
    for (const { buffer } of [block, results])
      if (buffer instanceof ArrayBuffer && buffer.byteLength > OWN_BYTES) buffers.add(buffer)
  }
  return [...buffers]
}

/** For a block that nobody reads any more. Blocks of a chunk may share memory: all of them have to be done with. */
export function freeRawBlock({ block, results }: RawBlock): void {
  for (const { buffer } of [block, results]) freeMemory(buffer)
}
