/** One index of the chain of a node into an empty schema: what it took goes to the parent. Started by `forkIndexer` with the node, the database and the schema. */

import { createRpcSource } from '../src/chain/rpc/source.ts'
import { PreparePool } from '../src/pipeline/prepare-pool.ts'
import { run } from '../src/pipeline/run.ts'
import { Writer } from '../src/store/writer.ts'
import { watchMemory } from './measure.ts'

export type LargeBlockIngest = { blocks: number; blobBytes: number; seconds: number; memoryBefore: number; peakMemory: number }

const [node, url, schema] = process.argv.slice(2) as [string, string, string]
const signal = new AbortController().signal
const memoryBefore = process.memoryUsage.rss()
const memory = watchMemory()
const startedAt = performance.now()
const source = createRpcSource({ urls: [node] })
const pool = new PreparePool(1)
const writer = await Writer.open({ url, schema, undoDepth: 100 }, signal)
await run(source, writer, pool, { batchBlocks: 500, follow: false, maxRollbackDepth: 100 }, signal)
const seconds = (performance.now() - startedAt) / 1000
const { last_height: blocks, total_blobs_size: blobBytes } = writer.head!
await writer.close()
await pool.close()
await source.close()
const done: LargeBlockIngest = { blocks, blobBytes: Number(blobBytes), seconds, memoryBefore, peakMemory: memory.stop() }
process.send!(done, () => process.exit(0))
