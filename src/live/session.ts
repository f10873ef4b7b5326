import type { ChannelReader } from './channels.ts'
import type { PushLimits } from './limits.ts'
import type { Peer } from './peer.ts'
import { type Channel, type Filters, type HeightChannel, isHeightChannel, keyOfFilters, Refusal } from './protocol.ts'
import { PushMessage } from './push-message.ts'

/** Hub as a session sees it. */
export interface SessionHost {
  readonly limits: PushLimits
  /** last height that may be sent */
  readonly published: number
  /** a fork is being looked into: nothing may be sent until it is known which heights still stand */
  readonly isSettling: boolean
  reader(channel: HeightChannel): ChannelReader
  /** Something could not be read: all sessions are pumped again in a while. */
  retryLater(error: unknown): void
  onSent(channel: string): void
}

/** Handed to the peer at once; the rest waits as a position in the log, which costs nothing. */
const WINDOW_MESSAGES = 32
const WINDOW_BYTES = 256 * 1024
/** Heights asked for ahead of the one that is sent next, while replaying. */
const READ_AHEAD = 16

/** A place in a channel of heights: `next` is the next one to send. */
class Cursor {
  readonly reader: ChannelReader
  readonly filters: Filters
  readonly filterKey: string
  next: number
  /** a height was sent or asked for: from here on there must be no gap */
  hasStarted: boolean
  /** the lowest height that was sent or asked for: a fork may have gone below where it began */
  first: number
  /** has had everything there is, and all that came since is read: from here on it can be too slow */
  isLive = false
  isLoading = false
  /** messages of the height before `next` that are still to be sent */
  #rest: readonly PushMessage[] = []
  #at = 0

  constructor(reader: ChannelReader, filters: Filters, next: number) {
    this.reader = reader
    this.filters = filters
    this.filterKey = keyOfFilters(filters)
    this.next = next
    this.hasStarted = filters.fromHeight !== undefined
    this.first = next
  }

  /** The next message up to height `last`; undefined when there is none yet, or the height has to be loaded. */
  take(last: number): PushMessage | undefined {
    for (;;) {
      const message = this.#rest[this.#at]
      if (message) {
        this.#at++
        if (!this.hasStarted) this.first = this.next - 1
        this.hasStarted = true
        return message
      }
      if (this.next > last) return undefined
      const messages = this.reader.peek(this.next, this.filters, this.filterKey)
      if (!messages) return undefined
      this.#rest = messages
      this.#at = 0
      this.next++
    }
  }

  /** The last height of which nothing is left to send. */
  get lastComplete(): number {
    return this.#at < this.#rest.length ? this.next - 2 : this.next - 1
  }

  /**
   * Goes back to the height after `common`, the last one that stands, or to its own first height when no common one is known. True when
   * heights above were sent already: they are void.
   */
  rewindTo(common: number | undefined, published: number): boolean {
    const last = common ?? (this.hasStarted ? this.first - 1 : published)
    const isAhead = this.next > last + 1
    // Heights that were asked for and not reached yet stay the ones to begin with.
    if (!isAhead || (this.hasStarted && this.next <= this.first)) return false
    this.next = last + 1
    this.#rest = []
    this.#at = 0
    if (this.hasStarted) this.first = Math.min(this.first, this.next)
    return this.hasStarted
  }
}

type LatestChannel = Exclude<Channel, HeightChannel>

/** The subscriptions of one connection, and what goes out on it next. */
export class Session {
  readonly #host: SessionHost
  readonly #peer: Peer
  readonly #latest = new Map<LatestChannel, { message: PushMessage; mustBeSeen: boolean }[]>()
  readonly #cursors = new Map<HeightChannel, Cursor>()
  #isOver = false

  constructor(host: SessionHost, peer: Peer) {
    this.#host = host
    this.#peer = peer
    peer.onDrain = () => this.pump()
  }

  get peer(): Peer {
    return this.#peer
  }

  get channels(): Channel[] {
    return [...this.#latest.keys(), ...this.#cursors.keys()]
  }

  /** The last height that was dealt with, when exactly one channel of heights is subscribed. */
  get lastComplete(): number | undefined {
    const [cursor, ...others] = this.#cursors.values()
    return others.length === 0 ? cursor?.lastComplete : undefined
  }

  /** Filters of a channel of heights, when it is subscribed and its reader has everything before `height`. */
  filtersAt(channel: HeightChannel, height: number): Filters | undefined {
    const cursor = this.#cursors.get(channel)
    return cursor && cursor.next <= height && cursor.next + READ_AHEAD > height ? cursor.filters : undefined
  }

  /** The first height that will come, on channels of heights. A second subscription to a channel changes nothing. */
  subscribe(channel: Channel, filters: Filters): number | undefined | Refusal {
    if (!isHeightChannel(channel)) {
      if (!this.#latest.has(channel)) this.#latest.set(channel, [])
      return undefined
    }
    const known = this.#cursors.get(channel)
    if (known) return known.next
    const { published, limits } = this.#host
    const oldest = Math.max(0, published + 1 - limits.replayBlocks)
    const { fromHeight = published + 1 } = filters
    if (fromHeight < oldest) return new Refusal(4, `from_height is too far back: the oldest height that can be sent is ${oldest}`)
    this.#cursors.set(channel, new Cursor(this.#host.reader(channel), filters, fromHeight))
    return fromHeight
  }

  unsubscribe(channel: Channel): void {
    if (isHeightChannel(channel)) this.#cursors.delete(channel)
    else this.#latest.delete(channel)
  }

  /** Goes out with the next `pump`. Newest wins where a value waits already, unless it tells of a fork. */
  offer(channel: LatestChannel, message: PushMessage, mustBeSeen = false): void {
    const waiting = this.#latest.get(channel)
    if (!waiting) return
    if (waiting.at(-1)?.mustBeSeen === false) waiting.pop()
    waiting.push({ message, mustBeSeen })
  }

  /** Before heights are published: those below `floor` are not for those who did not ask for them (docs/rules.md R48). */
  expect(floor: number, count: number): void {
    for (const cursor of this.#cursors.values()) {
      if (!cursor.hasStarted) cursor.next = Math.max(cursor.next, floor)
      // Many heights at once are a catch-up, not a slow reader.
      if (count > this.#host.limits.queueMessages / 2) cursor.isLive = false
    }
  }

  /**
   * Heights above `common` were taken back; undefined when the fork lies below all that is known to have been sent. The next block tells
   * a reader of `blocks` where the new branch begins. What is filtered may stay silent, and a reader whose first height is sent again
   * cannot tell how deep the fork is: they are told which heights are void.
   */
  rewindTo(common: number | undefined): void {
    const voidAbove: number[] = []
    for (const [channel, cursor] of this.#cursors) {
      const hasSent = cursor.rewindTo(common, this.#host.published)
      if (hasSent && (common === undefined || channel !== 'blocks')) voidAbove.push(cursor.next - 1)
    }
    if (voidAbove.length === 0) return
    const height = Math.min(...voidAbove)
    this.#peer.send(PushMessage.of('reverted', { height }, height))
  }

  pump(): void {
    if (this.#isOver || this.#host.isSettling) return
    let message = this.#hasRoom() ? this.#take() : undefined
    if (!message) return
    this.#peer.cork()
    while (message) {
      this.#peer.send(message)
      this.#host.onSent(message.channel)
      message = this.#hasRoom() ? this.#take() : undefined
    }
    this.#peer.uncork()
  }

  #hasRoom(): boolean {
    return this.#peer.queuedMessages < WINDOW_MESSAGES && this.#peer.queuedBytes < WINDOW_BYTES
  }

  end(): void {
    this.#isOver = true
    this.#latest.clear()
    this.#cursors.clear()
  }

  #take(): PushMessage | undefined {
    const head = this.#latest.get('head')?.shift()
    if (head) return head.message
    const { published } = this.#host
    for (const cursor of this.#cursors.values()) {
      const message = cursor.take(published)
      if (message) return message
      if (cursor.next > published) cursor.isLive = true
      else this.#load(cursor)
    }
    return this.#latest.get('gas_price')?.shift()?.message
  }

  #load(cursor: Cursor): void {
    // The wait for the database is not the reader's fault.
    cursor.isLive = false
    if (cursor.isLoading) return
    cursor.isLoading = true
    const last = Math.min(this.#host.published, cursor.next + READ_AHEAD - 1)
    const [first, ...others] = Array.from({ length: last - cursor.next + 1 }, (_, i) =>
      cursor.reader.load(cursor.next + i, [cursor.filters]),
    )
    // They are asked for again in their turn.
    for (const other of others) other.catch(() => {})
    const finish = (then: () => void) => {
      cursor.isLoading = false
      then()
    }
    first?.then(
      () => finish(() => this.pump()),
      (error: unknown) => finish(() => this.#host.retryLater(error)),
    )
  }

  /** Closes a connection that takes too long to read: it would have to be skipped or kept in memory. */
  checkSpeed(): void {
    const { published, limits } = this.#host
    let behind = this.#peer.queuedMessages
    for (const { next, isLive, hasStarted } of this.#cursors.values()) {
      const missing = Math.max(0, published - next + 1)
      if (isLive) behind += missing
      // A client that replays may take its time, but not without end.
      if (hasStarted && missing > 2 * limits.replayBlocks) behind = Number.POSITIVE_INFINITY
    }
    if (behind > limits.queueMessages || this.#peer.queuedBytes > limits.queueBytes) this.#peer.close('slow_consumer')
  }
}
