import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { BlockReader, ChainSource } from '../../chain/source.ts'
import { type Config, type NetworkConfig, schemaOf } from '../../config/schema.ts'
import { systemClock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/errors.ts'
import { linkSignals } from '../../lib/linked-signal.ts'
import type { IndexerObserver } from '../../observability/indexer-observer.ts'
import type { Progress } from '../../pipeline/catch-up.ts'
import { PreparePool } from '../../pipeline/prepare-pool.ts'
import { superviseRun } from '../../pipeline/supervise.ts'
import { TxsThread } from '../../pipeline/verify/txs-thread.ts'
import { fillSignatures } from '../../store/audit/fill-signatures.ts'
import { runSampler } from '../../store/audit/sampler.ts'
import { openReader } from '../../store/db.ts'
import { resumeFill } from '../../store/rollups/edit-rollups.ts'
import { runSealer } from '../../store/segments/run-sealer.ts'
import { openHeadAnnouncer } from '../../store/write/source-head.ts'
import { Writer } from '../../store/write/writer.ts'
import { ProgressLine } from '../terminal/progress.ts'
import { RetryLog } from '../terminal/retry-log.ts'
import { explainTablesGone } from './missing-tables.ts'
import type { Runtime } from './runtime.ts'
import { segmentStoreOf } from './segments.ts'
import { RefusalLog, UnverifiableLog } from './trust-logs.ts'

export type IndexerOptions = {
  url: string
  /** follow the tip */
  follow: boolean
  until?: number
  observer?: IndexerObserver
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
  { log: parent, signal }: Runtime,
): Promise<void> {
  const log = parent.child({ network: network.name })
  const progress = new ProgressLine(network.name, log)
  const { threads, batch_blocks: batchBlocks, max_rollback_depth: maxRollbackDepth } = config.indexing
  const { verify_commits: verifyCommits, data_roots: dataRoots, prove_state: proveState } = config.indexing
  const catchUp = new CatchUp(progress, options.onCaughtUp)
  const { observer } = options
  const onDecode = (seconds: number) => observer?.stage('decode', seconds)
  const announcer = openHeadAnnouncer({ url: options.url, schema: schemaOf(network) })
  const segments = segmentStoreOf(config, network)
  const retries = new RetryLog(log, config.database.url === undefined ? resolve(config.data) : undefined)
  const told = new RefusalLog(log)
  const unverifiable = new UnverifiableLog(log)
  let isStandingBy = false
  const standBy = () => {
    isStandingBy = true
    observer?.became('standby')
    log.info('another writer is at work, standing by')
  }
  const head = await source.head(signal)
  if (network.chain_id !== undefined && head.chainId !== network.chain_id)
    throw new OperatorError(
      'wrong_chain',
      `network ${network.name} is configured for chain ${network.chain_id}, its source serves ${head.chainId}`,
    )
  progress.expect(Math.min(head.height, options.until ?? head.height))
  const over = new AbortController()
  const linked = linkSignals([signal, over.signal])
  const aside: Promise<void>[] = []
  if (segments)
    aside.push(
      runSealer(
        {
          ...segments,
          url: options.url,
          schema: schemaOf(network),
          heights: config.storage.segment_heights,
          onSealed: ({ first, last }) => log.debug({ first, last }, 'heights moved into a segment'),
          onError: (error) =>
            log.warn({ err: error }, 'moving heights into segments failed: they stay in the database, trying again'),
        },
        linked.signal,
      ),
    )
  if (options.follow)
    aside.push(
      sampleNetwork(config, network, options, { log, signal: linked.signal }),
      finishFills(network, options, { log, signal: linked.signal }),
    )
  try {
    await superviseRun(
      {
        source,
        openPool: () => new PreparePool(threads || defaultThreads(), { forSegments: segments !== undefined, onDecode }),
        openWriter: (abort) =>
          Writer.open(
            {
              url: options.url,
              schema: schemaOf(network),
              undoDepth: maxRollbackDepth,
              onStage: (stage, seconds) => observer?.stage(stage, seconds),
            },
            abort,
            standBy,
          ).then((writer) => {
            observer?.became('writer')
            if (isStandingBy) log.info('the other writer is gone, this process writes now')
            isStandingBy = false
            return writer
          }),
        onRetry: (error, delayMs) => {
          observer?.became('none')
          retries.failed(error, delayMs)
        },
        onStandstill: (error) => {
          observer?.stoodStill(error)
          retries.stands(error)
        },
        onStall: (facts) => {
          observer?.stalled()
          log.error(facts, 'indexing stalled: nothing was committed although the chain advances, rebuilding the pipeline')
        },
      },
      {
        batchBlocks,
        maxRollbackDepth,
        verifyCommits,
        dataRoots,
        proveState,
        follow: options.follow,
        ...(network.from_height !== undefined && { from: network.from_height }),
        ...(options.until !== undefined && { until: options.until }),
        onHead: (head) => {
          observer?.head(head.height)
          return announcer.announce(head)
        },
        onProgress: (report) => {
          observer?.progress(report)
          retries.progressed()
          catchUp.report(report)
        },
        onFetch: (seconds) => observer?.stage('fetch', seconds),
        onCaughtUp: ({ catchingUp }) => {
          observer?.caughtUp()
          if (!catchingUp) catchUp.done()
        },
        onRollback: (from, to) => {
          observer?.rolledBack(from, to)
          log.warn({ from, to }, 'the chain was reorganized: rolled back')
        },
        onUnverified: () =>
          log.warn(
            'commits are not verified: this index does not know its validators (made by an older release, or a genesis without any) and no node told them; restart when one can, or index again',
          ),
        openTxsThread: () =>
          new TxsThread({ url: options.url, schema: schemaOf(network) }, (seconds) => observer?.stage('verify', seconds)),
        onUnverifiable: (height, reason) => unverifiable.tell(height, reason),
        onRefuted: ({ height, message, facts }) => {
          observer?.violated('data_hash')
          log.error(
            { height, reason: facts.reason },
            `${message}, and it cannot be taken back any more: stop the indexer and run \`astrolabe rollback --to 0\`, after which the chain is read again`,
          )
        },
        onProven: ({ nodes }) => observer?.proves(nodes, true),
        onUnproven: (height, refusals) => {
          const silent = refusals.filter(({ refusal }) => refusal.missing !== 'answer')
          observer?.proves(new Set(silent.map(({ node }) => node)), false)
          told.tellOnce(height, refusals)
        },
        onDispute: (dispute) => {
          observer?.disputed()
          log.warn(dispute, 'nodes tell different events of a height')
        },
        onFault: (fault) =>
          log.warn(
            { code: fault.code, reason: fault.message, ...fault.facts },
            'block refused: it is asked for again, of another node where there is one',
          ),
      },
      signal,
    )
  } catch (error) {
    observer?.halted(error)
    throw explainTablesGone(network, error)
  } finally {
    progress.end()
    over.abort()
    linked.release()
    await Promise.all([announcer.close(), ...aside])
  }
}

/** A sample that takes longer than this would be in the way of others. */
const SAMPLE_TIMEOUT_MS = 60_000

/** Looks at the index in passing for as long as it is written. */
async function sampleNetwork(
  { indexing }: Config,
  network: NetworkConfig,
  { url, observer }: IndexerOptions,
  { log, signal }: Runtime,
): Promise<void> {
  if (indexing.sample_minutes === 0) return
  const db = openReader({ url, schema: schemaOf(network), max: 1, statementTimeoutMs: SAMPLE_TIMEOUT_MS })
  await runSampler(
    {
      db,
      everyMs: indexing.sample_minutes * 60_000,
      onViolation: ({ invariant, name, violations }, heights) => {
        observer?.violated(name, violations.length)
        log.error({ invariant, check: name, ...heights, details: violations.map(({ detail }) => detail) }, 'invariant violated')
      },
      onSample: (heights, violations) => observer?.sampled(heights, violations),
      onError: (error) => log.warn({ err: error }, 'checking a sample of the index failed: trying again at the next interval'),
    },
    signal,
  )
  await db.end({ timeout: 1 })
}

const FILL_CHECK_MS = 60_000

/** Finishes the back-fill of rollups whose process was ended, and fills what a release keeps by the hour for blocks of an older one. */
async function finishFills(network: NetworkConfig, { url }: IndexerOptions, { log, signal }: Runtime): Promise<void> {
  while (!signal.aborted) {
    await resumeFill(url, schemaOf(network)).catch((error) =>
      log.warn({ err: error }, 'linking blobs of new rollups failed: trying again in a minute'),
    )
    await fillSignatures(url, schemaOf(network), signal).catch((error) =>
      log.warn({ err: error }, 'counting signatures of older blocks failed: trying again in a minute'),
    )
    // Only an abort ends the sleep early.
    await systemClock.sleep(FILL_CHECK_MS, signal).catch(() => {})
  }
}

/** Shows progress until the head is reached for the first time. */
class CatchUp {
  readonly #progress: ProgressLine
  readonly #onDone: (() => void) | undefined
  #isDone = false

  constructor(progress: ProgressLine, onDone: (() => void) | undefined) {
    this.#progress = progress
    this.#onDone = onDone
  }

  report(report: Progress): void {
    if (!this.#isDone) this.#progress.show(report)
  }

  done(): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#progress.end()
    this.#onDone?.()
  }
}
