/** A replay node in a process of its own, so that its CPU time does not count as the indexer's. Started by `fork`; ends with its parent. */
import { startReplayNode } from '../src/chain/replay/node.ts'

const node = await startReplayNode({ dir: process.argv[2]!, maxBatchCalls: 100 })
process.send?.({ url: node.url })
process.on('disconnect', () => process.exit(0))
