import type { Db } from '../store/db.ts'
import { blockHash, findHead, findHeadMark, type Head, type HeadMark } from '../store/read/head.ts'

export type HeadListener = (head: Head, change: 'advance' | 'rollback') => void

export type HeadWatchOptions = {
  /** schema of the network: the notice names it */
  schema: string
  /** A poll covers lost notices, and replicas, which cannot listen. */
  pollMs?: number
  /** A pool whose server takes LISTEN; without it the poll alone is used. */
  listenOn?: Db | undefined
  onError?: (error: unknown) => void
}

/** Channel of the height notice; payload `<schema> <height>`. */
const CHANNEL = 'astrolabe_head'

/**
 * The head of one network as this process serves it. It moves only here, by reading the head row, so that every answer, header and
 * push of the process agrees on it, and it never goes back unless the chain did.
 */
export class HeadWatch {
  readonly #db: Db
  readonly #options: HeadWatchOptions
  readonly #listeners = new Set<HeadListener>()
  #head: Head | undefined
  #sourceHeight: number | undefined
  #running: Promise<Head | undefined> | undefined
  #next: Promise<Head | undefined> | undefined
  #timer: NodeJS.Timeout | undefined
  #unlisten: (() => Promise<void>) | undefined
  #stopped = false
  /** Moves when blocks that were served may be gone: what is kept about closed things must be dropped. */
  #fork = 0

  constructor(db: Db, options: HeadWatchOptions) {
    this.#db = db
    this.#options = options
  }

  get head(): Head | undefined {
    return this.#head
  }

  /** Height of the node or recording that is indexed, as far as the indexer said; a second old at most. */
  get sourceHeight(): number | undefined {
    return this.#sourceHeight
  }

  get fork(): number {
    return this.#fork
  }

  /** Reads the head once, then follows it until `stop`. */
  async start(): Promise<void> {
    await this.confirm()
    const { listenOn, schema, pollMs = 1000 } = this.#options
    this.#poll(pollMs)
    if (!listenOn) return
    // postgres.js keeps a connection of its own for this and opens it again when it is lost; the poll bridges the gap.
    const { unlisten } = await listenOn.listen(CHANNEL, (payload) => {
      if (payload.startsWith(`${schema} `)) this.#refresh()
    })
    this.#unlisten = unlisten
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#unlisten?.()
  }

  onChange(listener: HeadListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * The head row as of a read that starts now or later. Calls that come while a read runs share the next one, so under load
   * one read confirms many answers.
   */
  confirm(): Promise<Head | undefined> {
    if (this.#next) return this.#next
    if (!this.#running) return (this.#running = this.#read())
    // Reads never overlap: two of them could finish in the wrong order and move the head back.
    const start = () => {
      this.#next = undefined
      return (this.#running = this.#read())
    }
    return (this.#next = this.#running.then(start, start))
  }

  async #read(): Promise<Head | undefined> {
    try {
      const mark = await findHeadMark(this.#db)
      this.#sourceHeight = mark?.source_height ?? undefined
      if (mark && isOther(mark, this.#head)) await this.#move()
      return this.#head
    } finally {
      this.#running = undefined
    }
  }

  async #move(): Promise<void> {
    const before = this.#head
    const head = await findHead(this.#db)
    if (!head) return
    const rollback = before !== undefined && !(await this.#continues(before, head))
    if (rollback) this.#fork++
    this.#head = head
    for (const listener of this.#listeners) listener(head, rollback ? 'rollback' : 'advance')
  }

  /** Whether the block that was the head is still part of the chain. */
  async #continues(before: Head, head: Head): Promise<boolean> {
    if (head.last_height < before.last_height) return false
    if (head.last_height === before.last_height) return head.last_hash === before.last_hash
    return (await blockHash(this.#db, before.last_height)) === before.last_hash
  }

  #refresh(): void {
    // A database that is away is seen by every request anyway; the poll continues and finds it again.
    this.confirm().catch((error) => this.#options.onError?.(error))
  }

  #poll(ms: number): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => {
      this.#refresh()
      this.#poll(ms)
    }, ms)
    this.#timer.unref()
  }
}

function isOther(mark: HeadMark, known: Head | undefined): boolean {
  return (
    known === undefined ||
    mark.last_height !== known.last_height ||
    mark.last_hash !== known.last_hash ||
    mark.registry_version !== known.registry_version
  )
}
