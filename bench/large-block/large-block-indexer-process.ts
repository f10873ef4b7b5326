/** One index of the chain of a node into an empty schema: what it took goes to the parent. Started by `forkIndexer` with the node, the database and the schema. */

import '../../src/runtime/name-runtime.ts'
import { createRpcSource } from '../../src/chain/rpc/source.ts'
import { indexSource } from '../harness/index-source.ts'
import { watchMemory } from '../harness/measure.ts'

export type LargeBlockIngest = { blocks: number; blobBytes: number; seconds: number; memoryBefore: number; peakMemory: number }

const [node, url, schema] = process.argv.slice(2) as [string, string, string]
const memoryBefore = process.memoryUsage.rss()
const memory = watchMemory()
const startedAt = performance.now()
const { last_height: blocks, total_blobs_size: blobBytes } = await indexSource(url, schema, createRpcSource({ urls: [node] }))
const seconds = (performance.now() - startedAt) / 1000
const done: LargeBlockIngest = { blocks, blobBytes: Number(blobBytes), seconds, memoryBefore, peakMemory: memory.stop() }
process.send!(done, () => process.exit(0))
