import { fork } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stepsOf } from '../../src/api/square/work.ts'
import { parseRawBlock } from '../../src/chain/parse.ts'
import { createRpcSource } from '../../src/chain/rpc/source.ts'
import { findSquare, matchesDataHash } from '../../src/decode/square/data-hash.ts'
import type { Subject } from '../../src/decode/square/inclusion.ts'
import { finish } from '../../src/lib/finish.ts'
import { NO_HEIGHTS, prepareBlock } from '../../src/pipeline/prepare-block.ts'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { CHAIN_ID } from '../../test/builders.ts'
import { answerOf } from '../harness/answer-of.ts'
import { forkIndexer } from '../harness/fork-indexer.ts'
import { printTable } from '../harness/measure.ts'
import type { LargeBlockIngest } from './large-block-indexer-process.ts'
import { measureFullBlockReads } from './large-block-reads.ts'

const SCHEMA = 'net_main'
/** The first full block; its data root is not rebuilt in passing. */
const FULL_HEIGHT = 3
const ROUNDS = 6

/** Memory of the indexer while full blocks (30 MiB of blobs, 40 MiB of JSON) come in, and the speed of one thread that prepares them. */
export async function run(): Promise<void> {
  const child = fork(new URL('./large-block-process.js', import.meta.url), { execArgv: ['--max-old-space-size=8192'] })
  const { url: node } = await answerOf<{ url: string }>(child)
  const directory = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
  const server = await startEmbedded({ directory })
  try {
    await migrate(server.url, SCHEMA, 'network')
    const { blocks, blobBytes, seconds, memoryBefore, peakMemory } = await forkIndexer<LargeBlockIngest>(
      'large-block/large-block-indexer-process.js',
      [node, server.url, SCHEMA],
    )
    printTable('full blocks from a node on loopback', [
      {
        blocks,
        'MiB of blobs': Math.round(blobBytes / 2 ** 20),
        seconds: seconds.toFixed(2),
        'memory before, MB': Math.round(memoryBefore / 1e6),
        'peak memory, MB': Math.round(peakMemory / 1e6),
      },
    ])
    await measureFullBlockReads({ node, database: server.url, folder: directory, height: FULL_HEIGHT })
    await measureThread(node)
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
    child.disconnect()
  }
}

/** CPU time, the best of some rounds: the first ones run code that is not compiled yet. */
async function measureThread(node: string): Promise<void> {
  const source = createRpcSource({ urls: [node] })
  const raw = await source.readBlock(FULL_HEIGHT, AbortSignal.timeout(60_000))
  await source.close()
  if (!raw) throw new Error(`the node does not have block ${FULL_HEIGHT}`)
  const { txs, versionApp, hashes } = parseRawBlock(raw, { chainId: CHAIN_ID })
  const dataHash = hashes.data_hash
  const megabytes = txs.reduce((sum, { length }) => sum + length, 0) / 1e6
  const prepare = bestCpuSeconds(() => prepareBlock(raw, CHAIN_ID, { roots: NO_HEIGHTS, events: NO_HEIGHTS }))
  const check = bestCpuSeconds(() => {
    if (!matchesDataHash(txs, versionApp, dataHash)) throw new Error('the data root is not the one of the header')
  })
  printTable('one thread, a block of 30 MiB of blobs (side 256)', [
    {
      'data root': 'not checked',
      'CPU s': prepare.toFixed(2),
      'MB/s': Math.round(megabytes / prepare),
    },
    { 'data root': 'checked', 'CPU s': (prepare + check).toFixed(2), 'MB/s': Math.round(megabytes / (prepare + check)) },
    { 'data root': 'the check alone', 'CPU s': check.toFixed(2), 'MB/s': Math.round(megabytes / check) },
  ])
  measureProofs(txs, { versionApp, dataHash })
}

/** The first proof of a block computes its square, those after it the rows that they show. */
function measureProofs(rawTxs: Uint8Array[], seal: { versionApp: number; dataHash: string }): void {
  const { sealed } = finish(findSquare(rawTxs, seal, () => false))
  if (!sealed) throw new Error('the data root is not the one of the header')
  const first = bestCpuSeconds(() => finish(findSquare(rawTxs, seal, () => false)))
  const block = { height: FULL_HEIGHT, hash: '', bytes: 0, ...seal }
  const answer = (subject: Subject) =>
    finish(stepsOf('inclusion', { sealed, rawTxs, areSealed: true, subject, block }, () => false))
  const tx = bestCpuSeconds(() => answer({ tx: 1 }))
  const blob = bestCpuSeconds(() => answer({ tx: 1, blob: 0 }))
  printTable('proofs from that block', [
    { proof: 'the square, for the first one', 'CPU ms': (first * 1000).toFixed(1) },
    { proof: 'of a tx, as it is sent', 'CPU ms': (tx * 1000).toFixed(1) },
    { proof: 'of a blob of 7.4 MiB, as it is sent', 'CPU ms': (blob * 1000).toFixed(1) },
  ])
}

function bestCpuSeconds(work: () => unknown): number {
  const seconds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1e6
  })
  return Math.min(...seconds)
}
