import type { OffchainConfig, SourceConfig } from '../config/offchain-schema.ts'
import { computeBackoff } from '../lib/backoff.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { AstrolabeError } from '../lib/errors.ts'
import { openPool, type SqlPool } from '../store/db.ts'
import { saveNames } from '../store/offchain/names.ts'
import { findLastCandle, saveCandles } from '../store/offchain/price.ts'
import { noteFailure, noteSuccess, readState, saveRegistry } from '../store/offchain/state.ts'
import { parseNamePage } from './names.ts'
import { parseCandles } from './price.ts'
import { parseDomains, parseRelayers } from './registries.ts'
import { parseRollups, saveRollups } from './rollups.ts'
import { isConfigured, readSource } from './source.ts'

export type OffchainSource = keyof OffchainConfig

export type OffchainObserver = {
  /** `fresh` is the time that the data speaks for: of the newest candle, else of the look */
  succeeded: (source: OffchainSource, facts: { changed: boolean; fresh: number }) => void
  failed: (source: OffchainSource, error: Error) => void
}

export type OffchainOptions = {
  /** the database that is written to; its schemas are up to date */
  url: string
  schema: string
  config: OffchainConfig
  observer: OffchainObserver
  clock?: Clock
  /** wall clock in milliseconds */
  now?: () => number
}

const BACKOFF = { minMs: 1000, maxMs: 300_000 }
const NAMES_PER_PAGE = 100
const PAGES_AT_ONCE = 1000
/** Chain id that resolvers of names use for the main network (docs/rules.md R57). */
const RESOLVER_CHAIN = 'celestia-1'

/**
 * Polls every configured source in its own loop until aborted. Whatever a source does, the others and the index are not affected:
 * nothing here throws, holds a lock of the index or is waited for.
 */
export async function runOffchain(options: OffchainOptions, signal: AbortSignal): Promise<void> {
  const sources = OFFCHAIN_SOURCES.filter((source) => isConfigured(options.config[source]))
  if (sources.length === 0) return
  const sql = openPool('offchain', { url: options.url, schema: options.schema })
  try {
    await Promise.all(sources.map((source) => pollForEver(source, sql, options, signal)))
  } finally {
    await sql.end({ timeout: 2 })
  }
}

async function pollForEver(source: OffchainSource, sql: SqlPool, options: OffchainOptions, signal: AbortSignal): Promise<void> {
  const { clock = systemClock, config } = options
  let failures = 0
  while (!signal.aborted) {
    const ok = await pollOnce(source, sql, options, signal)
    failures = ok ? 0 : failures + 1
    const interval = config[source].interval_seconds * 1000
    // A broken source is asked again soon at first, and never more often than a working one would be for long.
    const wait = ok ? interval : Math.min(interval, computeBackoff(failures, Math.random, BACKOFF))
    await clock.sleep(wait, signal).catch(() => {})
  }
}

/** One look at one source; false when it failed. */
export async function pollOnce(
  source: OffchainSource,
  sql: SqlPool,
  options: OffchainOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { observer, schema, now = Date.now } = options
  try {
    const { changed, fresh } = await POLLS[source]({ sql, options, config: options.config[source], signal })
    observer.succeeded(source, { changed, fresh: fresh ?? now() })
    return true
  } catch (error) {
    if (signal.aborted) return false
    observer.failed(source, error as Error)
    const reason = error instanceof AstrolabeError ? error.message : 'unexpected error'
    // The database may be what failed.
    await noteFailure(sql, schema, source, reason).catch(() => {})
    return false
  }
}

type Poll = (context: {
  sql: SqlPool
  options: OffchainOptions
  config: SourceConfig
  signal: AbortSignal
}) => Promise<{ changed: boolean; fresh?: number }>

/** One for every source that the settings know: none can be forgotten. */
export type Polls = Record<OffchainSource, Poll>

const POLLS: Polls = {
  async price({ sql, options, config, signal }) {
    const last = await findLastCandle(sql)
    const query = last ? { from: String(Math.floor(last.time.getTime() / 1000)) } : {}
    const isFile = config.file !== undefined
    const candles = parseCandles(await readSource(config, { query }, signal), {
      now: isFile ? undefined : (options.now ?? Date.now)(),
      last,
    })
    const changed = await saveCandles(sql, candles)
    await noteSuccess(sql, options.schema, 'price', { changed })
    const newest = Math.max(last?.time.getTime() ?? 0, Date.parse(candles.at(-1)?.time ?? '') || 0)
    return newest > 0 ? { changed, fresh: newest } : { changed }
  },

  async names({ sql, options, config, signal }) {
    let { position } = await readState(sql, options.schema, 'names')
    let changed = false
    for (let pages = 0; pages < PAGES_AT_ONCE; pages++) {
      const body = {
        limit: NAMES_PER_PAGE,
        from_change_id: position,
        only_head: false,
        with_images: true,
        chain_id: RESOLVER_CHAIN,
      }
      const page = parseNamePage(await readSource(config, { path: '/api/resolver/changes', body }, signal), position)
      await saveNames(sql, options.schema, page.changes, page.last)
      changed ||= page.changes.length > 0
      // A page that brings nothing new ends it, whatever the source says about its head: no loop without progress.
      if (page.last >= page.head || page.last <= position) break
      position = page.last
    }
    return { changed }
  },

  async rollups({ sql, options, config, signal }) {
    const entries = parseRollups(await readSource(config, {}, signal))
    const changed = await saveRollups(sql, options, entries, { isOwn: config.file !== undefined })
    await noteSuccess(sql, options.schema, 'rollups', { changed })
    return { changed }
  },

  async relayers({ sql, options, config, signal }) {
    const changed = await saveRegistry(sql, 'relayers', parseRelayers(await readSource(config, {}, signal)))
    await noteSuccess(sql, options.schema, 'relayers', { changed })
    return { changed }
  },

  async hyperlane({ sql, options, config, signal }) {
    const changed = await saveRegistry(sql, 'hyperlane', parseDomains(await readSource(config, {}, signal)))
    await noteSuccess(sql, options.schema, 'hyperlane', { changed })
    return { changed }
  },
}

const OFFCHAIN_SOURCES = Object.keys(POLLS) as OffchainSource[]
