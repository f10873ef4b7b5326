import type { ChainSource } from '../chain/source.ts'
import { computeBackoff } from '../lib/backoff.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { Transient } from '../lib/errors.ts'
import { linkSignals } from '../lib/linked-signal.ts'
import type { Random } from '../lib/random.ts'
import type { Writer } from '../store/write/writer.ts'
import type { Progress } from './catch-up.ts'
import { judgeFailure } from './failure.ts'
import type { PreparePool } from './prepare-pool.ts'
import { type RunOptions, run } from './run.ts'
import { ToldHeights } from './verify/told.ts'
import { CommitWatchdog, PipelineStalled, WATCHDOG_LIMITS, type WatchdogLimits } from './watchdog.ts'

export type SuperviseParts = {
  source: ChainSource
  /** Opens the writer as the database has it now; waits while another one is at work. */
  openWriter: (signal: AbortSignal) => Promise<Writer>
  openPool: () => PreparePool
  clock?: Clock
  random?: Random
  watchdog?: WatchdogLimits
  /** The run ended with `error` and is started again after `delayMs`. */
  onRetry?: (error: Error, delayMs: number) => void
  /** No node is left to read from, or all nodes contradict the chain: the index stays as it is and is served, and is tried again. */
  onStandstill?: (error: Error) => void
  /** The pipeline is rebuilt because nothing was committed. */
  onStall?: (facts: Record<string, unknown>) => void
}

/** Nodes change within minutes; a question to those that are left costs little. */
const STAND = { minMs: 1000, maxMs: 60_000 }
const BACKOFF = { minMs: 200, maxMs: 5000 }
/** Tries without progress after an SQL error that says nothing about the connection (docs/rules.md R58). */
const SQL_TRIES = 3
const CHECK_MS = 1000
/** Time that a stalled run has to end after it was told to. */
const GRACE_MS = 5000

type Ended = { progressed: boolean; hasIndex?: boolean; error?: unknown; stall?: Record<string, unknown> | undefined }

/**
 * Runs until aborted. After every transient failure `run` starts again with a new writer, which reads the head from the database: that
 * decides a commit whose outcome was lost. A run that commits nothing while the chain advances is rebuilt once; then
 * `PipelineStalled` is thrown.
 */
export async function superviseRun(parts: SuperviseParts, options: RunOptions, signal: AbortSignal): Promise<void> {
  const { clock = systemClock, random = Math.random } = parts
  let failures = 0
  let sqlErrors = 0
  let hasStalled = false
  let stands = 0
  const told = new ToldHeights(options.maxRollbackDepth + options.batchBlocks)
  while (!signal.aborted) {
    const { progressed, error, stall, hasIndex = false } = await runOnce(parts, options, told, clock, signal)
    if (progressed) {
      failures = 0
      sqlErrors = 0
      stands = 0
      hasStalled = false
    }
    if (signal.aborted) return
    if (stall) {
      if (hasStalled) throw new PipelineStalled(stall)
      hasStalled = true
      parts.onStall?.(stall)
      continue
    }
    if (error === undefined) return
    const verdict = judgeFailure(error)
    if (verdict === 'stand' && options.follow && hasIndex) {
      parts.onStandstill?.(error as Error)
      await clock.sleep(computeBackoff(stands++, random, STAND), signal).catch(() => {})
      continue
    }
    if (verdict === 'stand' || verdict === 'final' || (verdict === 'sql' && ++sqlErrors >= SQL_TRIES)) throw error
    const delayMs = computeBackoff(failures++, random, BACKOFF)
    parts.onRetry?.(error as Error, delayMs)
    // Only an abort ends the sleep early, and the loop sees it.
    await clock.sleep(delayMs, signal).catch(() => {})
  }
}

async function runOnce(
  parts: SuperviseParts,
  options: RunOptions,
  told: ToldHeights,
  clock: Clock,
  signal: AbortSignal,
): Promise<Ended> {
  let writer: Writer
  try {
    writer = await parts.openWriter(signal)
  } catch (error) {
    return { progressed: false, error }
  }
  const pool = parts.openPool()
  const stopping = new AbortController()
  const linked = linkSignals([signal, stopping.signal])
  const dog = new CommitWatchdog(clock, parts.watchdog ?? WATCHDOG_LIMITS, writer.head?.last_height ?? -1)
  let progressed = false
  const watched: RunOptions = {
    ...options,
    onHead: (head) => {
      dog.sawHead(head)
      return options.onHead?.(head)
    },
    onProgress: (progress: Progress) => {
      progressed = true
      dog.sawCommit(progress.height)
      options.onProgress?.(progress)
    },
  }
  const running = run(parts.source, writer, pool, watched, linked.signal, told).then(
    (): Ended => ({ progressed: false }),
    (error: unknown): Ended => ({ progressed: false, error }),
  )
  const watching = watch(dog, parts.source, clock, linked.signal, options.onHead)
  try {
    const ended = await Promise.race([
      running,
      watching.then((stall): Ended => ({ progressed: false, stall })),
      // Another may become the writer from now on, whatever the run is waiting for.
      writer.lost.then((error): Ended => ({ progressed: false, error })),
    ])
    stopping.abort(new Transient('stopping', 'the run is over'))
    // Jobs of a thread that hangs end with the pool.
    await pool.close()
    if (
      !(await endsWithin(
        running.then(() => writer.close()),
        GRACE_MS,
        clock,
      ))
    )
      // A run that keeps its connections keeps the writer lock: only the end of the process frees it.
      throw new PipelineStalled({ ...ended.stall, reason: 'the run could not be ended' })
    return { ...ended, progressed, hasIndex: writer.head !== undefined }
  } finally {
    stopping.abort()
    linked.release()
    await watching
  }
}

/** Resolves with the facts of a stall, or with nothing when aborted. Asks the source beside the run, which may hang anywhere. */
async function watch(
  dog: CommitWatchdog,
  source: ChainSource,
  clock: Clock,
  signal: AbortSignal,
  onHead: RunOptions['onHead'],
): Promise<Record<string, unknown> | undefined> {
  let isAsking = false
  const ask = async () => {
    isAsking = true
    try {
      const head = await source.head(signal)
      dog.sawHead(head)
      await onHead?.(head)
    } catch {
      // The run asks too and reports what is wrong.
    } finally {
      isAsking = false
    }
  }
  while (!signal.aborted) {
    if (!isAsking) void ask()
    await clock.sleep(CHECK_MS, signal).catch(() => {})
    const stall = signal.aborted ? undefined : dog.findStall()
    if (stall) return stall
  }
  return undefined
}

async function endsWithin(work: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  const timer = new AbortController()
  const timeout = clock.sleep(ms, timer.signal).then(
    () => false,
    () => true,
  )
  const ended = await Promise.race([work.then(() => true), timeout])
  timer.abort()
  return ended
}
