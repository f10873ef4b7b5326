import type { Logger } from 'pino'
import { HeadMoved } from '../../store/write/commit.ts'
import { findCode } from './explain.ts'

const DISK_FULL = ['53100', 'ENOSPC']

/** Says why indexing failed and when it is tried again: every time, but for a full disk, which is said once and once more when there is room. */
export class RetryLog {
  readonly #log: Logger
  /** of the bundled database; one that is configured has its disk elsewhere */
  readonly #folder: string | undefined
  #isFull = false

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
    if (findCode(error, DISK_FULL) === undefined) {
      this.#log.warn({ err: error, delay_ms: delayMs }, `indexing failed: trying again in ${delayMs / 1000} s`)
      return
    }
    if (this.#isFull) return
    this.#isFull = true
    const disk = this.#folder === undefined ? 'the disk of the database' : `the disk of ${this.#folder}`
    this.#log.error({ reason: error.message }, `${disk} is full: indexing waits until there is room, nothing is lost`)
  }

  progressed(): void {
    if (!this.#isFull) return
    this.#isFull = false
    this.#log.info('the disk has room again, indexing continues')
  }
}
