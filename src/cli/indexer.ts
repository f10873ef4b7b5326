import { availableParallelism } from 'node:os'
import type { BlockReader, ChainSource } from '../chain/source.ts'
import { type Config, type NetworkConfig, schemaOf } from '../config/schema.ts'
import { OperatorError } from '../lib/errors.ts'
import { DecodePool } from '../pipeline/decode-pool.ts'
import { run } from '../pipeline/run.ts'
import { Writer } from '../store/writer.ts'
import { ProgressLine } from './progress.ts'
import type { Runtime } from './runtime.ts'

export type IndexerOptions = {
  url: string
  /** go on at the tip */
  follow: boolean
  until?: number
  onCaughtUp?: () => void
}

/** Two threads feed one writer well; more only help where decoding is the bottleneck. */
const defaultThreads = () => Math.max(1, Math.min(4, availableParallelism() - 1))

/** Indexes one network until it is told to stop, or to the source's head. */
export async function indexNetwork(
  config: Config,
  network: NetworkConfig,
  source: ChainSource & BlockReader,
  options: IndexerOptions,
  { log, signal }: Runtime,
): Promise<void> {
  const progress = new ProgressLine(network.name, log)
  const pool = new DecodePool(config.indexing.threads || defaultThreads())
  let writer: Writer | undefined
  try {
    writer = await Writer.open(
      { url: options.url, schema: schemaOf(network), undoDepth: config.indexing.max_rollback_depth, relaxedDurability: true },
      signal,
      () => log.info({ network: network.name }, 'another writer is at work, standing by'),
    )
    const head = await source.head(signal)
    if (network.chain_id !== undefined && head.chainId !== network.chain_id)
      throw new OperatorError(
        'wrong_chain',
        `network ${network.name} is configured for chain ${network.chain_id}, its source serves ${head.chainId}`,
      )
    let caughtUp = false
    await run(
      source,
      writer,
      pool,
      {
        batchBlocks: config.indexing.batch_blocks,
        maxRollbackDepth: config.indexing.max_rollback_depth,
        follow: options.follow,
        ...(options.until !== undefined && { until: options.until }),
        onProgress: (report) => {
          if (!caughtUp) progress.show(report)
          if (!caughtUp && report.height >= report.target) {
            caughtUp = true
            progress.end()
            options.onCaughtUp?.()
          }
        },
        onRollback: (from, to) => log.warn({ network: network.name, from, to }, 'rolled back'),
        onFault: (fault) => log.warn({ network: network.name, code: fault.code, ...fault.facts }, 'block refused'),
      },
      signal,
    )
    if (!caughtUp) options.onCaughtUp?.()
  } finally {
    progress.end()
    await writer?.close()
    await pool.close()
  }
}
