import { Transient } from '../lib/errors.ts'
import type { Db } from '../store/db.ts'
import { blockHash, findHead, findHeadMark, type Head, type HeadMark } from '../store/read/head/head.ts'
import type { ReadServers } from '../store/replicas/read-servers.ts'
import { HEAD_CHANNEL } from '../store/servers/head-notice.ts'
import { reorganising } from './http/errors.ts'

/** Up to `verified` all txs are those that the headers seal; the state after `proven` was last compared with proofs. */
export type Checked = { verified?: number | undefined; proven?: number | undefined }

export type HeadListener = (head: Head, change: 'advance' | 'rollback') => void

export type HeadWatchOptions = {
  /** schema of the network: the notice names it */
  schema: string
  /** A poll covers lost notices, and replicas, which cannot listen. */
  pollMs?: number
  /** A pool whose server takes LISTEN; without it the poll alone is used. */
  listenOn?: Db | undefined
  /** Where there are several servers to read from: they tell of news, and the pool is theirs. */
  servers?: ReadServers | undefined
  onError?: (error: unknown) => void
}

/**
 * A primary that was promoted may lack the last commits of the one before it. The indexer makes them again within moments; until then
 * nothing older than what was served is shown. After this long it is taken as it is.
 */
const HOLD_MS = 10_000
const FORK_TRIES = 10

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
  #checked: Checked = {}
  #running: Promise<Head | undefined> | undefined
  #next: Promise<Head | undefined> | undefined
  #timer: NodeJS.Timeout | undefined
  #unlisten: (() => Promise<void>) | undefined
  #stopped = false
  /** Choice of the server that the head was read from. */
  #choice = 0
  #heldSince: number | undefined
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
    // A server that is behind knows neither the blocks nor that there are any.
    const newest = this.#options.servers?.newest()?.height
    return newest === undefined ? this.#sourceHeight : Math.max(newest, this.#sourceHeight ?? 0)
  }

  /** A second old at most. */
  get checked(): Checked {
    return this.#checked
  }

  get fork(): number {
    return this.#fork
  }

  /** Reads the head once, then follows it until `stop`. */
  async start(): Promise<void> {
    await this.confirm()
    const { listenOn, schema, servers, pollMs = 1000 } = this.#options
    if (servers) {
      const unlisten = servers.onNews(() => this.#refresh())
      this.#unlisten = async () => unlisten()
      return
    }
    this.#poll(pollMs)
    if (!listenOn) return
    // Its own connection, opened again when it is lost; the poll bridges the gap.
    this.#unlisten = await listenOn.listen(HEAD_CHANNEL, (payload) => {
      if (payload.startsWith(`${schema} `)) this.#refresh()
    })
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

  /**
   * Runs `read` and confirms the head after it: what is given to `finish` belongs to one branch of the chain, and `finish` runs before
   * the head can move. When the head moved on meanwhile, it is read again, `tries` times in all; `isStable` says that it stood still.
   */
  async readOnBranch<T, R = T>(
    read: (head: Head | undefined) => Promise<T>,
    finish: (value: T, head: Head | undefined, isStable: boolean) => R = (value) => value as unknown as R,
    tries = 1,
  ): Promise<R> {
    for (let attempt = 1; ; attempt++) {
      const { head: before, fork } = this
      const value = await read(before)
      const after = await this.confirm()
      if (after !== before && attempt < tries) continue
      if (this.#fork === fork) return finish(value, before, after === before)
      // Across a fork no try counts.
      if (attempt >= FORK_TRIES) throw reorganising()
    }
  }

  async #read(): Promise<Head | undefined> {
    try {
      const choice = this.#options.servers?.choice ?? 0
      const mark = await findHeadMark(this.#db)
      this.#sourceHeight = mark?.source_height ?? undefined
      this.#checked = { verified: mark?.verified_height, proven: mark?.proven_height ?? undefined }
      if (!mark) return this.#head
      await this.#refuseOlder(mark)
      if (isOther(mark, this.#head) || choice !== this.#choice) await this.#move()
      this.#choice = choice
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
    Object.assign(this.#db.context.partitions, { layout: head.layout ?? undefined, head: head.last_height })
    this.#options.servers?.setFloor(head.commit_number)
    for (const listener of this.#listeners) listener(head, rollback ? 'rollback' : 'advance')
  }

  /** A chain that rolls back does so with a higher commit number: a lower one means that commits are missing here. */
  async #refuseOlder(mark: HeadMark): Promise<void> {
    const known = this.#head
    const isOlder = known !== undefined && mark.commit_number < known.commit_number
    if (!isOlder || (await this.#hasCaughtUp(known, mark))) {
      this.#heldSince = undefined
      return
    }
    this.#heldSince ??= performance.now()
    const { servers } = this.#options
    const isLost = servers === undefined || servers.isPrimaryChosen
    if (isLost && performance.now() - this.#heldSince > HOLD_MS) return
    throw new Transient('read_server_behind', 'the database shows less than what was served already')
  }

  /** Blocks that came in fewer commits count as much. */
  async #hasCaughtUp(known: Head, mark: HeadMark): Promise<boolean> {
    if (mark.last_height < known.last_height) return false
    return (await blockHash(this.#db, known.last_height)) === known.last_hash
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
    mark.registry_version !== known.registry_version ||
    mark.commit_number !== known.commit_number
  )
}
