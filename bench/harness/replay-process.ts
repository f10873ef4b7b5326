/** A replay node in its own process, so that its CPU time does not count as the indexer's. Started by `fork`; ends with its parent. */
import { openRecordingSource } from '../../src/chain/recording/source.ts'
import type { RawBlock } from '../../src/chain/source.ts'
import { startReplayNode } from '../../src/simulation/node/node.ts'

const { signal } = new AbortController()
const recording = await openRecordingSource(process.argv[2]!)
const { chainId, earliest, height } = await recording.head(signal)
// A node has its blocks at hand: unpacking the recording is no part of what is measured.
const blocks: RawBlock[] = []
for await (const chunk of recording.blocks(earliest, height, signal)) blocks.push(...chunk)
const node = await startReplayNode({ blocks, chainId, genesis: await recording.genesis(signal), maxBatchCalls: 100 })
process.send?.({ url: node.url })
process.on('disconnect', () => process.exit(0))
