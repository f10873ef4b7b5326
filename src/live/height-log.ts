import type { HeadWatch } from '../api/head-watch.ts'
import { Transient } from '../lib/errors.ts'

export type LogEntry = { readonly bytes: number }

/** Reads of heights at once: replays must not take the pool from the requests. */
const READS = 4

/**
 * What is pushed about single heights, read once for all subscribers and kept while it may be asked for again. What it holds belongs to
 * one branch of the chain: the head is confirmed after every read, and `dropAbove` takes out what a fork took back.
 */
export class HeightLog<E extends LogEntry> {
  readonly #read: (height: number) => Promise<E | undefined>
  readonly #watch: HeadWatch
  readonly #maxBytes: number
  readonly #entries = new Map<number, E>()
  readonly #loading = new Map<number, Promise<E>>()
  readonly #waiting: (() => void)[] = []
  #reading = 0
  #bytes = 0

  constructor(read: (height: number) => Promise<E | undefined>, watch: HeadWatch, maxBytes: number) {
    this.#read = read
    this.#watch = watch
    this.#maxBytes = maxBytes
  }

  peek(height: number): E | undefined {
    return this.#entries.get(height)
  }

  /** Rejects when the database is away or the height is gone. */
  load(height: number): Promise<E> {
    const known = this.#entries.get(height)
    if (known) return Promise.resolve(known)
    let loading = this.#loading.get(height)
    if (!loading) {
      loading = this.#load(height).finally(() => this.#loading.delete(height))
      this.#loading.set(height, loading)
    }
    return loading
  }

  dropAbove(height: number): void {
    for (const [at, entry] of this.#entries) if (at > height) this.#remove(at, entry)
  }

  async #load(height: number): Promise<E> {
    await this.#enter()
    try {
      for (;;) {
        const { fork } = this.#watch
        const entry = await this.#read(height)
        const head = await this.#watch.confirm()
        const isThere = head !== undefined && head.last_height >= height
        // Read across a fork: it may be of either branch.
        if (isThere && this.#watch.fork !== fork) continue
        if (!isThere || !entry) throw new Transient('height_gone', `height ${height} is not there any more`, { height })
        this.#keep(height, entry)
        return entry
      }
    } finally {
      this.#leave()
    }
  }

  #keep(height: number, entry: E): void {
    this.#entries.set(height, entry)
    this.#bytes += entry.bytes
    for (const [at, old] of this.#entries) {
      if (this.#bytes <= this.#maxBytes || at === height) return
      this.#remove(at, old)
    }
  }

  #remove(height: number, entry: E): void {
    this.#entries.delete(height)
    this.#bytes -= entry.bytes
  }

  async #enter(): Promise<void> {
    if (this.#reading >= READS) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#reading++
  }

  #leave(): void {
    this.#reading--
    this.#waiting.shift()?.()
  }
}
