import { freeMemory } from '../runtime/free-memory.ts'
import type { RawBlock } from './source.ts'

/** For a block that nobody reads any more. Blocks of a chunk may share memory: all of them have to be done with. */
export function freeRawBlock({ block, results }: RawBlock): void {
  for (const { buffer } of [block, results]) freeMemory(buffer)
}
