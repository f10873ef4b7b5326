import { Transient } from '../../lib/errors.ts'
import { type Db, readFrom, type Sealed } from '../db.ts'
import { listServers } from '../servers/address.ts'
import { Announcements } from '../servers/announcements.ts'
import { HEAD_CHANNEL, parseHeadNotice } from '../servers/head-notice.ts'
import { wrapSource } from '../servers/pool.ts'
import { ReadServer } from './read-server.ts'

export type ReadServersOptions = {
  schema: string
  /** address that takes writes; may name several servers */
  primaryUrl: string
  /** address of replicas; may name several */
  replicaUrl?: string | undefined
  /** connections of the pool to each server */
  max: number
  segments?: Sealed | undefined
  /** a replica further behind is not used while the primary answers */
  maxLagSeconds: number
  pollMs?: number
  /** another server is read from; undefined: none can be */
  onChoice?: (place: string | undefined, before: string | undefined) => void
  onError?: (error: unknown) => void
}

/** A replica in use that does not show a commit after this long is left for one that does. */
const HARDLY_SECONDS = 0.5

/** Knowledge of the newest server about the chain. */
export type Newest = { height: number; time: string | undefined; seenAt: string | undefined }

export type ServerState = {
  place: string
  role: 'primary' | 'replica'
  isUp: boolean
  isUsed: boolean
  /** why it is not up */
  trouble: string | undefined
  height: number | undefined
  lagBlocks: number
  /** since the first commit that it does not show was announced */
  lagSeconds: number
}

/**
 * Several servers with the same tables, read from as if they were one: the freshest replica, the primary when all replicas are too old or
 * down, and never a server that shows less than what was served before. Roles are found by asking, so that a promotion needs no new settings.
 */
export class ReadServers {
  /** Goes to the server that is chosen at the moment of the statement. */
  readonly db: Db
  readonly #options: ReadServersOptions
  readonly #servers: readonly ReadServer[]
  readonly #announced = new Announcements()
  readonly #listeners = new Set<() => void>()
  #chosen: ReadServer | undefined
  #choice = 0
  #floor = 0
  #timeline = 0
  #listening: { server: ReadServer; stop: () => Promise<void> } | undefined
  #isStopped = false

  constructor(options: ReadServersOptions) {
    this.#options = options
    const replicas = options.replicaUrl === undefined ? [] : listServers(options.replicaUrl)
    const places = new Set(replicas.map(({ place }) => place))
    const others = listServers(options.primaryUrl).filter(({ place }) => !places.has(place))
    const { schema, max, segments, pollMs = 1000 } = options
    const partitions = {}
    const open = (isReplica: boolean) => (address: { url: string; place: string }) =>
      new ReadServer(address, { schema, max, segments, partitions, pollMs, isReplica, onLook: () => this.#look() })
    this.#servers = [...replicas.map(open(true)), ...others.map(open(false))]
    this.db = readFrom(
      wrapSource(() => this.#current().source),
      { segments, partitions },
    )
  }

  /** Grows when another server is chosen: what was read before and after may not be put together. */
  get choice(): number {
    return this.#choice
  }

  get isPrimaryChosen(): boolean {
    return this.#chosen?.isPrimary ?? false
  }

  async start(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.start()))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([this.#listening?.stop(), ...this.#servers.map((server) => server.stop())])
  }

  /** Told when a server shows something new, or a commit was announced. */
  onNews(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** From now on only servers that show this commit are read from. */
  setFloor(commitNumber: number): void {
    this.#floor = commitNumber
  }

  /**
   * What was announced or is shown somewhere, whichever is higher. What a server that is down said counts only while no primary is there
   * to say more.
   */
  newest(): Newest | undefined {
    const hasPrimary = this.#primary() !== undefined
    const newest: Newest = { height: 0, time: undefined, seenAt: undefined }
    const hear = (height: number | null | undefined, time: string | null | undefined) => {
      if (typeof height === 'number' && height > newest.height)
        Object.assign(newest, { height, ...(typeof time === 'string' && { time }) })
    }
    for (const { mark, isUp } of this.#servers) {
      if (!mark || !(isUp || !hasPrimary)) continue
      hear(mark.last_height, mark.last_time)
      hear(mark.source_height, mark.source_time)
      if (mark.source_seen_at !== null && mark.source_seen_at > (newest.seenAt ?? '')) newest.seenAt = mark.source_seen_at
    }
    hear(this.#announced.heightAbove(this.#newestCommit(hasPrimary)), undefined)
    return newest.height > 0 ? newest : undefined
  }

  states(): ServerState[] {
    const newest = this.newest()?.height ?? 0
    return this.#servers.map((server) => {
      const height = server.mark?.last_height ?? undefined
      return {
        place: server.place,
        role: server.mark?.is_standby === false ? 'primary' : 'replica',
        isUp: server.isUp,
        isUsed: server === this.#chosen,
        trouble: server.trouble,
        height,
        lagBlocks: height === undefined ? 0 : Math.max(0, newest - height),
        lagSeconds: this.#announced.secondsBehind(server.commitNumber),
      }
    })
  }

  #current(): Db {
    if (this.#chosen) return this.#chosen.db
    throw new Transient('no_read_server', `no database server can be read from: ${this.explain()}`)
  }

  /** Reasons that keep servers from being used. */
  explain(): string {
    const explainOne = (server: ReadServer) =>
      server.trouble ?? (server.commitNumber < this.#floor ? 'shows less than what was served already' : 'can be used')
    return this.#servers.map((server) => `${server.place} (${explainOne(server)})`).join(', ')
  }

  #look(): void {
    if (this.#isStopped) return
    this.#announced.forgetUpTo(Math.min(...this.#servers.filter(({ isUp }) => isUp).map(({ commitNumber }) => commitNumber)))
    const primary = this.#primary()
    this.#follow(primary)
    if (primary) this.#meet(primary)
    else for (const { isUp, commitNumber, mark } of this.#servers) if (isUp) this.#hear(commitNumber, mark?.last_height ?? 0)
    this.#choose(primary)
    for (const listener of this.#listeners) listener()
  }

  #meet({ mark, commitNumber }: ReadServer): void {
    const timeline = mark?.timeline ?? 0
    // Commits that were lost with the primary before it are not waited for.
    if (timeline > this.#timeline) this.#announced.clear()
    this.#timeline = Math.max(timeline, this.#timeline)
    this.#hear(commitNumber, mark?.last_height ?? 0)
  }

  #hear(commitNumber: number, height: number): void {
    if (!this.#announced.add(commitNumber, height)) return
    for (const server of this.#servers) server.expect(commitNumber)
  }

  /** Of two that take writes, the one with the lower timeline was demoted. */
  #primary(): ReadServer | undefined {
    const [first] = this.#servers
      .filter(({ isPrimary }) => isPrimary)
      .sort((a, b) => (b.mark?.timeline ?? 0) - (a.mark?.timeline ?? 0))
    return first
  }

  #newestCommit(hasPrimary: boolean): number {
    return Math.max(...this.#servers.filter(({ isUp }) => isUp || !hasPrimary).map(({ commitNumber }) => commitNumber))
  }

  #choose(primary: ReadServer | undefined): void {
    const standbys = this.#servers.filter((server) => server.isUp && !server.isPrimary && server.commitNumber >= this.#floor)
    const fresh = standbys.filter(
      (server) =>
        server.isReplica &&
        server.commitNumber > 0 &&
        this.#announced.secondsBehind(server.commitNumber) <= this.#options.maxLagSeconds,
    )
    const chosen = this.#freshest(fresh) ?? primary ?? this.#freshest(standbys)
    if (chosen === this.#chosen) return
    const before = this.#chosen?.place
    this.#chosen = chosen
    this.#choice++
    this.#options.onChoice?.(chosen?.place, before)
  }

  /** The one in use is kept as long as it is hardly behind: replicas that take turns by milliseconds are equally good. */
  #freshest(servers: readonly ReadServer[]): ReadServer | undefined {
    const used = servers.find((server) => server === this.#chosen)
    if (used && this.#announced.secondsBehind(used.commitNumber) < HARDLY_SECONDS) return used
    let best: ReadServer | undefined
    for (const server of servers) if (!best || server.commitNumber > best.commitNumber) best = server
    return used && used.commitNumber === best?.commitNumber ? used : best
  }

  /** Notices come from the server that is written to: a standby takes no LISTEN. */
  #follow(primary: ReadServer | undefined): void {
    if (this.#listening?.server === primary) return
    this.#listening?.stop().catch(() => {})
    this.#listening = undefined
    if (!primary) return
    const stop = primary.listen(
      HEAD_CHANNEL,
      (payload) => {
        const notice = parseHeadNotice(payload)
        if (notice?.schema !== this.#options.schema) return
        this.#hear(notice.commitNumber, notice.height)
        for (const listener of this.#listeners) listener()
      },
      (error) => {
        if (this.#isStopped || this.#listening?.stop !== stop) return
        // The next look tries again.
        this.#follow(undefined)
        this.#options.onError?.(error)
      },
    )
    this.#listening = { server: primary, stop }
  }
}
