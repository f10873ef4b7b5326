import type { Logger } from 'pino'
import { AstrolabeError } from '../../lib/errors.ts'
import { judgeFailure } from '../../pipeline/failure.ts'
import { HeadMoved } from '../../store/write/commit.ts'
import { findCode } from './explain.ts'

const DISK_FULL = ['53100', 'ENOSPC']

type Trouble = { key: string; since: number; times: number; back: string }

/**
 * Says why indexing failed. A trouble that lasts is said once when it begins and once when it is over, with the number of tries
 * between: a full disk, a database that is away, nodes that leave nothing to go on with.
 */
export class RetryLog {
  readonly #log: Logger
  /** of the bundled database; one that is configured has its disk elsewhere */
  readonly #folder: string | undefined
  #trouble: Trouble | undefined

  constructor(log: Logger, folder: string | undefined) {
    this.#log = log
    this.#folder = folder
  }

  failed(error: Error, delayMs: number): void {
    // An edit of the registry of rollups does that.
    if (error instanceof HeadMoved) {
      this.#log.info(
        { reason: error.message, delay_ms: delayMs },
        `indexing was interrupted: trying again in ${delayMs / 1000} s`,
      )
      return
    }
    if (findCode(error, DISK_FULL) !== undefined) {
      if (!this.#begins('disk', 'the disk has room again, indexing continues')) return
      const disk = this.#folder === undefined ? 'the disk of the database' : `the disk of ${this.#folder}`
      this.#log.error({ reason: error.message }, `${disk} is full: indexing waits until there is room, nothing is lost`)
      return
    }
    if (isOfDatabase(error)) {
      if (this.#begins('database', 'the database is back, indexing continues'))
        this.#log.warn({ err: error }, 'the database is away: indexing waits until it is back, nothing is lost')
      return
    }
    this.#log.warn({ err: error, delay_ms: delayMs }, `indexing failed: trying again in ${delayMs / 1000} s`)
  }

  /** The index stays as it is until nodes tell something else. */
  stands(error: Error): void {
    if (!this.#begins(`nodes ${error.message}`, 'nodes can be read from again, indexing continues')) return
    const facts = error instanceof AstrolabeError ? { code: error.code, ...error.facts } : {}
    this.#log.error(
      { ...facts, reason: error.message },
      'indexing stands still: what is indexed is served, and nodes are asked again from time to time',
    )
  }

  progressed(): void {
    if (!this.#trouble) return
    const { since, times, back } = this.#trouble
    this.#trouble = undefined
    this.#log.info({ seconds: Math.round((Date.now() - since) / 1000), tries: times }, back)
  }

  /** Whether the trouble is a new one; otherwise it is counted. */
  #begins(key: string, back: string): boolean {
    if (this.#trouble?.key === key) {
      this.#trouble.times++
      return false
    }
    this.#trouble = { key, since: Date.now(), times: 1, back }
    return true
  }
}

/** A lost or refused connection, or a server that starts or stops: nodes have errors of their own. */
function isOfDatabase(error: Error): boolean {
  return judgeFailure(error) === 'retry' && (!(error instanceof AstrolabeError) || DATABASE_CODES.has(error.code))
}

const DATABASE_CODES = new Set(['connection_lost', 'demoted', 'no_primary'])
