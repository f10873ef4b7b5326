import type { ApiContext } from '../api/route.ts'
import { RouteReader } from '../api/route-reader.ts'
import { allRoutes } from '../api/routes/all.ts'
import type { Feed } from '../feed/feed.ts'
import { findLastStanding } from '../feed/known-blocks.ts'
import type { Head } from '../store/read/head/head.ts'
import { findPastHead } from '../store/read/head/past-head.ts'
import { type ChannelReader, openChannel } from './channels.ts'
import type { PushLimits } from './limits.ts'
import type { PushObserver } from './observer.ts'
import { HEIGHT_CHANNELS, type HeightChannel } from './protocol.ts'
import { PushMessage } from './push-message.ts'
import type { Session, SessionHost } from './session.ts'

const RETRY_MS = 500
/** Heights read before the sessions ask for them. */
const PREPARED = 16

/**
 * Turns movements of the head into notifications. The head watch says that something is readable; only then it is read and sent
 * (I13). Every height between two heads goes out, however they were noticed, so a lost notice loses nothing.
 */
export class Hub implements SessionHost {
  readonly limits: PushLimits
  readonly #ctx: ApiContext
  readonly #latest: LatestBodies
  readonly #observer: PushObserver
  readonly #readers: Record<HeightChannel, ChannelReader>
  readonly #sessions = new Set<Session>()
  /** Hashes by height of blocks that may have been sent: a fork is measured against them. */
  readonly #sentHashes = new Map<number, string>()
  readonly #unlisten: () => void
  #published: number
  #pending: Head | undefined
  #hasForked = false
  #isRunning = false
  #isStopped = false
  #retry: NodeJS.Timeout | undefined

  constructor(ctx: ApiContext, feed: Feed, limits: PushLimits, observer: PushObserver) {
    this.#ctx = ctx
    this.#latest = openLatest(ctx)
    this.limits = limits
    this.#observer = observer
    this.#published = ctx.watch.head?.last_height ?? -1
    if (ctx.watch.head) this.#remember(ctx.watch.head.last_height, ctx.watch.head.last_hash)
    this.#readers = { blocks: this.#openBlocks(feed), txs: openChannel(feed, 'txs'), blobs: openChannel(feed, 'blobs') }
    this.#unlisten = ctx.watch.onChange((head, change) => {
      this.#hasForked ||= change === 'rollback'
      this.#pending = head
      void this.#run()
    })
  }

  get published(): number {
    return this.#published
  }

  get isSettling(): boolean {
    return this.#hasForked
  }

  get sessions(): ReadonlySet<Session> {
    return this.#sessions
  }

  reader(channel: HeightChannel): ChannelReader {
    return this.#readers[channel]
  }

  onSent(channel: string): void {
    this.#observer.sent(channel)
  }

  add(session: Session): void {
    this.#sessions.add(session)
  }

  remove(session: Session): void {
    session.end()
    this.#sessions.delete(session)
  }

  retryLater(error: unknown): void {
    this.#observer.failed(error)
    if (this.#retry || this.#isStopped) return
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      for (const session of this.#sessions) session.pump()
      void this.#run()
    }, RETRY_MS)
    this.#retry.unref()
  }

  stop(): void {
    this.#isStopped = true
    this.#unlisten()
    clearTimeout(this.#retry)
    for (const session of this.#sessions) session.peer.close('shutdown')
  }

  /** One head at a time; those that come meanwhile are one step. */
  async #run(): Promise<void> {
    if (this.#isRunning || this.#isStopped) return
    this.#isRunning = true
    try {
      while (this.#pending && !this.#isStopped) {
        const head = this.#pending
        this.#pending = undefined
        try {
          if (this.#hasForked) await this.#settleFork(head)
          else if (head.last_height > this.#published) await this.#publish(head)
        } catch (error) {
          // The database is away or the chain moved under the reads: nothing was skipped, it is tried again.
          if (this.#pending) continue
          this.#pending = head
          this.retryLater(error)
          return
        }
      }
    } finally {
      this.#isRunning = false
    }
  }

  async #publish(head: Head, isLower = false): Promise<void> {
    const startedAt = performance.now()
    const before = this.#published
    const { last_height: height } = head
    const sourceHeight = Math.max(this.#ctx.watch.sourceHeight ?? 0, height)
    for (const session of this.#sessions) session.expect(sourceHeight - this.limits.pushWithin, height - before)
    const [state, gasPrice] = await Promise.all([
      this.#latest.head(head),
      this.#latest.gasPrice(),
      this.#prepare(Math.max(before + 1, height - PREPARED + 1), height),
    ])
    if (this.#hasForked) return
    this.#remember(height, head.last_hash)
    this.#published = height
    if (isLower || sourceHeight - height <= this.limits.pushWithin) {
      this.#offer('head', state, isLower)
      this.#offer('gas_price', gasPrice)
    }
    // All that a connection gets for a block goes out in one write: a third of the time of three.
    for (const session of this.#sessions) {
      session.pump()
      session.checkSpeed()
    }
    this.#observer.published((performance.now() - startedAt) / 1000)
  }

  /**
   * Finds the last height that was sent and still stands, and continues from there: `head` with the lower height, then the new branch.
   * A client whose heights cannot be placed any more is closed, because we cannot say where it would have to resume.
   */
  async #settleFork(head: Head): Promise<void> {
    const { fork } = this.#ctx.watch
    const common = await this.#findCommon(head)
    if (common !== undefined && common < head.last_height) {
      const past = await findPastHead(this.#ctx.db, common)
      const notice = past && PushMessage.of('head', await this.#latest.head(past))
      if (this.#ctx.watch.fork !== fork) return
      this.#takeBack(common)
      if (notice) for (const session of this.#sessions) session.offer('head', notice, true)
      return this.#publish(head)
    }
    if (this.#ctx.watch.fork !== fork) return
    this.#takeBack(common, head.last_height)
    return this.#publish(head, true)
  }

  #takeBack(common: number | undefined, published = common ?? -1): void {
    for (const height of this.#sentHashes.keys()) if (common === undefined || height > common) this.#sentHashes.delete(height)
    this.#published = published
    this.#hasForked = false
    for (const session of this.#sessions) session.rewindTo(common)
  }

  async #findCommon(head: Head): Promise<number | undefined> {
    const known = [...this.#sentHashes]
      .map(([height, hash]) => ({ height, hash }))
      .filter(({ height }) => height <= head.last_height)
    known.sort((a, b) => a.height - b.height)
    return (await findLastStanding(this.#ctx.db, known))?.height
  }

  /** A block that is looked at is sent. */
  #openBlocks(feed: Feed): ChannelReader {
    const blocks = openChannel(feed, 'blocks')
    return {
      load: blocks.load,
      peek: (height, filters, filterKey) => {
        const messages = blocks.peek(height, filters, filterKey)
        const [block] = messages && !this.#sentHashes.has(height) ? (feed.peek(feed.kinds.blocks, height) ?? []) : []
        if (block) this.#remember(height, block.facts.hash)
        return messages
      },
    }
  }

  /** Reads what the sessions will ask for, once for all of them. */
  async #prepare(from: number, to: number): Promise<void> {
    for (let height = from; height <= to; height++) {
      for (const channel of HEIGHT_CHANNELS) {
        const filters = [...this.#sessions]
          .map((session) => session.filtersAt(channel, height))
          .filter((each) => each !== undefined)
        if (filters.length > 0) await this.#readers[channel].load(height, filters)
      }
    }
  }

  #offer(channel: 'head' | 'gas_price', body: unknown, mustBeSeen = false): void {
    const message = PushMessage.of(channel, body)
    for (const session of this.#sessions) session.offer(channel, message, mustBeSeen)
  }

  #remember(height: number, hash: string): void {
    this.#sentHashes.set(height, hash)
    if (this.#sentHashes.size <= 2 * this.limits.replayBlocks) return
    const oldest = [...this.#sentHashes.keys()].sort((a, b) => a - b).slice(0, this.limits.replayBlocks)
    for (const each of oldest) this.#sentHashes.delete(each)
  }
}

/** Bodies of the channels where only the newest value counts, from the handlers of the REST routes. */
type LatestBodies = {
  /** State as it is at `head`, which need not be the newest. */
  head(head: Head): Promise<unknown>
  gasPrice(): Promise<unknown>
}

function openLatest(ctx: ApiContext): LatestBodies {
  let shown: Head | undefined
  const head = new RouteReader(allRoutes, { ...ctx, head: () => shown }).route('/v1/head')
  const gasPrice = new RouteReader(allRoutes, ctx).route('/v1/gas/price')
  return {
    head: (at) => {
      shown = at
      return head()
    },
    gasPrice: () => gasPrice(),
  }
}
