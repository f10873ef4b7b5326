import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRecordingSource } from '../../src/chain/recording/source.ts'
import { openRecordingWriter } from '../../src/chain/recording/writer.ts'
import { createRpcSource } from '../../src/chain/rpc/source.ts'
import { ChainGenerator } from '../../src/simulation/generated/generator.ts'
import { between, type Profile } from '../../src/simulation/generated/profile.ts'
import { type ForgedBlock, toRawBlock } from '../../src/simulation/node/forge.ts'
import { printTable } from '../harness/measure.ts'
import { forkReplayNode, type IngestRun, runIngest } from '../ingest/ingest-run.ts'

const CHAIN_ID = 'astrolabe-mainnet-shaped-1'
const GENESIS_TIME = Date.parse('2026-01-01T00:00:00Z')
const BLOCK_MS = 6_000
const CHAIN_OF_MAINNET = 10_000_000

/** Cost of a block of the main network by stage: a generated chain of its shape, from a recording and from a node on loopback. */
export async function run(args: string[]): Promise<void> {
  const count = Number(args[0] ?? 400)
  const threads = Number(args[1] ?? 1)
  const folder = mkdtempSync(join(tmpdir(), 'astrolabe-mainnet-'))
  try {
    const shape = await generate(folder, count)
    printTable(`shape of the ${count} generated blocks, mean`, [shape.row])
    const rows = [toRow('from a recording', shape.bytes, await runIngest(threads, () => openRecordingSource(folder)))]
    const node = await forkReplayNode(folder)
    const before = node.cpuSeconds()
    const ingested = await runIngest(threads, async () => createRpcSource({ urls: [node.url], maxBatchCalls: 100 }))
    rows.push(toRow('from a node on loopback', shape.bytes, ingested, node.cpuSeconds() - before))
    node.stop()
    printTable(`ingest with ${threads} decode thread(s); CPU in ms per block`, rows)
    printTable(`${CHAIN_OF_MAINNET / 1e6} million such blocks`, [extrapolate(shape.bytes / count, ingested)])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Shape = { bytes: number; row: Record<string, string | number> }

export async function generate(folder: string, count: number): Promise<Shape> {
  const generator = new ChainGenerator({ chainId: CHAIN_ID, genesisTime: GENESIS_TIME, profile: MAINNET_PROFILE })
  const writer = await openRecordingWriter(folder, { chainId: CHAIN_ID, from: 1, genesis: async () => generator.genesis })
  const sums = { bytes: 0, txs: 0, blockEvents: 0, txEvents: 0, blobBytes: 0, signatures: 0 }
  for (let height = 1; height <= count; height++) {
    const forged = generator.next(GENESIS_TIME + height * BLOCK_MS)
    const raw = toRawBlock(forged)
    sums.bytes += raw.block.length + raw.results.length
    addShape(sums, forged)
    await writer.append(raw, forged.block.block.data.txs?.length ?? 0, 9)
  }
  await writer.close()
  const mean = (value: number) => Math.round(value / count)
  return {
    bytes: sums.bytes,
    row: {
      'kB of JSON': mean(sums.bytes / 1000),
      signatures: mean(sums.signatures),
      txs: mean(sums.txs),
      'block events': mean(sums.blockEvents),
      'tx events': mean(sums.txEvents),
      'kB of txs and blobs': mean(sums.blobBytes / 1000),
    },
  }
}

function addShape(sums: Record<string, number>, { block, results }: ForgedBlock): void {
  const { data, last_commit: commit } = block.block
  const txs = data.txs ?? []
  sums.txs! += txs.length
  sums.blobBytes! += txs.reduce((sum, tx) => sum + (tx.length * 3) / 4, 0)
  sums.signatures! += commit.signatures?.length ?? 0
  sums.blockEvents! += results.finalize_block_events?.length ?? 0
  sums.txEvents! += (results.txs_results ?? []).reduce((sum, { events }) => sum + (events?.length ?? 0), 0)
}

function toRow(source: string, bytes: number, { seconds, blocks, cpu, peakMemory }: IngestRun, nodeSeconds?: number) {
  const perBlock = (value: number) => ((value * 1000) / blocks).toFixed(1)
  return {
    source,
    'blocks/s': Math.round(blocks / seconds),
    'MB/s': (bytes / 1e6 / seconds).toFixed(1),
    node: nodeSeconds === undefined ? '' : perBlock(nodeSeconds),
    decode: perBlock(cpu.decode),
    'fetch and apply': perBlock(cpu.main),
    PostgreSQL: perBlock(cpu.postgres),
    'memory MB': Math.round(peakMemory / 1e6),
  }
}

/** Rows grow with the blocks; indexes grow a little faster, and a real node costs more than ours. */
function extrapolate(bytesPerBlock: number, { seconds, blocks, bytes, cpu }: IngestRun): Record<string, string> {
  const all = (perBlock: number) => perBlock * CHAIN_OF_MAINNET
  return {
    'hours at this rate': (all(seconds / blocks) / 3600).toFixed(0),
    'core-hours of the indexer': (all((cpu.main + cpu.decode) / blocks) / 3600).toFixed(0),
    'core-hours of PostgreSQL': (all(cpu.postgres / blocks) / 3600).toFixed(0),
    'TB of JSON': (all(bytesPerBlock) / 1e12).toFixed(1),
    'TB in PostgreSQL': (all(bytes / blocks) / 1e12).toFixed(2),
  }
}

/**
 * A chain shaped like the main network: a hundred validators that all sign, a third of them with liveness events, relayers with large
 * headers, blobs of 1 kB to 8 MB (large ones seldom).
 */
export const MAINNET_PROFILE: Profile = {
  seed: 8_880_520,
  validators: Array.from({ length: 100 }, (_, i) => ({
    name: `validator ${i + 1}`,
    stake: BigInt(Math.round(60_000_000_000_000 * 0.96 ** i)),
    commission: 5 + (i % 16),
  })),
  users: 2_000,
  rollups: [
    { namespace: 'small', account: 'poster of small', weight: 70, bytes: between(1_000, 8_000) },
    { namespace: 'middle', account: 'poster of middle', weight: 25, bytes: between(8_000, 120_000) },
    { namespace: 'large', account: 'poster of large', weight: 4, bytes: between(120_000, 1_000_000) },
    { namespace: 'huge', account: 'poster of huge', weight: 0.3, bytes: between(1_000_000, 8_000_000) },
  ],
  countTxs: (random) => 3 + Math.floor(9 * random()),
  weights: {
    blobs: 60,
    send: 10,
    'failed-send': 1,
    delegate: 6,
    undelegate: 2,
    redelegate: 2,
    withdraw: 8,
    vote: 2,
    transfer: 4,
    relay: 8,
  },
  absent: 0.35,
  relay: { packets: 7, headerBytes: 22_000, proofBytes: 900 },
}
