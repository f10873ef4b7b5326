import type pg from 'pg'
import type { Claim } from '../../chain/state/prove.ts'
import type { StateRecord } from '../../client/proof/state-record.ts'
import { systemClock } from '../../lib/clock.ts'
import { Transient } from '../../lib/errors.ts'
import { RollupRegistry, readVerified } from '../families/rollups.ts'
import type { PackedBlock } from '../pack/packed-block.ts'
import { PartitionKeeper } from '../partitions/keeper.ts'
import { connectClient } from '../servers/connect.ts'
import { findPrimary, requireHome } from '../servers/find-primary.ts'
import { tryWriterLock } from '../servers/writer-lock.ts'
import { type HeadRow, headBefore } from '../state/account-tables.ts'
import { loadResident } from '../state/loader.ts'
import type { ConsensusValidatorRow } from '../state/staking-tables.ts'
import type { StartRow } from '../state/start-table.ts'
import { State } from '../state/state.ts'
import { BatchApplier } from './apply-batch.ts'
import { type ChangedClaims, listChanged, readClaimAfter } from './claims.ts'
import { commitBatch } from './commit.ts'
import { type ChainIdentity, requireIdentity } from './identity.ts'
import { writeLearnedValidators } from './learned-validators.ts'
import { readValidatorsAfter } from './past-validators.ts'
import { clearIndex, revertTo } from './revert.ts'
import { TrustNotes } from './trust-notes.ts'
import { listReach } from './undo-steps.ts'
import type { HeightRange } from './unverified.ts'

export type WriterOptions = {
  url: string
  schema: string
  /** heights that can be rolled back */
  undoDepth: number
  /** hears how long a batch took to apply in memory, and to write */
  onStage?: (stage: 'apply' | 'commit', seconds: number) => void
}

export type CommitOptions = {
  isRelaxed?: boolean
  /** sees what the blocks changed before it is written; when it throws, nothing is, and memory has to be loaded again */
  check?: ((changed: () => ChangedClaims) => Promise<void>) | undefined
  /** heights whose txs were not compared with the data root of their header */
  unverified?: HeightRange | undefined
}

/** A connection that broke without a word shows when it is used: the lock's is used this often. */
const BEAT_MS = 2000
const LOCK_QUERY_MS = 10_000

/**
 * The one writer of a network (I4). It holds an advisory lock on its own connection, works on rows in memory and writes batches in
 * order; one batch may be under way while the next is applied.
 */
export class Writer {
  readonly #options: WriterOptions
  /** address of the server that holds the lock */
  readonly #home: string
  readonly #lock: pg.Client
  readonly notes: TrustNotes
  readonly #reads: pg.Client
  readonly #writes: pg.Client
  #state = new State()
  #applier!: BatchApplier
  #registry = new RollupRegistry(0, [])
  readonly #partitions: PartitionKeeper
  #batch = 0
  #pending: Promise<void> = Promise.resolve()
  #committed: { height: number | null; batch: number } = { height: null, batch: 0 }
  #failure: Error | undefined
  readonly #beat: NodeJS.Timeout
  #tellLost: (failure: Error) => void = () => {}

  /** Resolves when a connection is gone, and the lock with it: also while there is nothing to write. */
  readonly lost = new Promise<Error>((resolve) => {
    this.#tellLost = resolve
  })

  private constructor(options: WriterOptions, home: string, clients: { lock: pg.Client; reads: pg.Client; writes: pg.Client }) {
    this.#options = options
    this.#home = home
    this.#partitions = new PartitionKeeper(home, options.schema)
    this.#lock = clients.lock
    this.notes = new TrustNotes(clients.lock)
    this.#reads = clients.reads
    this.#writes = clients.writes
    for (const client of [clients.lock, clients.reads, clients.writes]) {
      client.on('error', (error) => this.#lose(error))
      client.on('end', () => this.#lose())
    }
    this.#beat = setInterval(() => this.#checkLock().catch((error) => this.#lose(error)), BEAT_MS)
    this.#beat.unref()
  }

  async #checkLock(): Promise<void> {
    await this.notes.inTurn((lock) => lock.query('select 1'))
    await requireHome(this.#options.url, this.#home)
  }

  #lose(cause?: Error): void {
    this.#failure ??=
      cause instanceof Transient
        ? cause
        : new Transient('connection_lost', 'the database connection of the writer was lost', {}, cause)
    this.#tellLost(this.#failure)
  }

  /** Waits for the writer lock: a second writer stands by until the first is gone. */
  static async open(options: WriterOptions, signal: AbortSignal, onStandby: () => void = () => {}): Promise<Writer> {
    // The lock and what it protects must be on one server, also while another is being promoted.
    const home = await findPrimary(options.url)
    const opened: pg.Client[] = []
    const connect = async (role: string) => {
      const client = await connectClient(
        home,
        {
          application_name: `astrolabe ${role} ${options.schema}`,
          connectionTimeoutMillis: 5000,
          keepAlive: true,
          ...(role === 'lock' && { query_timeout: LOCK_QUERY_MS }),
        },
        `set search_path to "${options.schema}"; set timezone to 'UTC'; set datestyle to 'ISO'`,
      )
      opened.push(client)
      return client
    }
    const lock = await connect('lock')
    try {
      let waiting = false
      while (!(await tryWriterLock(lock, options.schema))) {
        if (!waiting) onStandby()
        waiting = true
        await systemClock.sleep(500, signal)
        await requireHome(options.url, home)
      }
      const writer = new Writer(options, home, { lock, reads: await connect('load'), writes: await connect('write') })
      await writer.reload()
      return writer
    } catch (error) {
      await Promise.all(opened.map((client) => client.end().catch(() => {})))
      throw error
    }
  }

  /** Last height that is applied in memory (and committed, or about to be). */
  get head(): Readonly<HeadRow> | undefined {
    return this.#state.head.get('true')
  }

  /** Forgets memory and reads the state as it is committed. */
  async reload(): Promise<void> {
    this.#state = new State()
    const registry = await loadRegistry(this.#reads)
    await this.#partitions.load(this.#reads)
    this.#registry = registry
    this.#applier = new BatchApplier(this.#state, () => this.#registry)
    await loadResident(this.#reads, this.#state)
    this.#committed = { height: this.head?.last_height ?? null, batch: this.#batch }
    this.#pending = Promise.resolve()
  }

  /** Checks, or pins at the first start, which chain this database is for. */
  checkIdentity(identity: ChainIdentity): void {
    if (this.head) requireIdentity(this.head, identity)
  }

  /** Where the index begins; undefined while it is empty. */
  get start(): Readonly<StartRow> | undefined {
    return this.#state.start.get('true')
  }

  /** Writes the pseudo-block that an index begins with. `hasState`: it holds the state that the first block changes. */
  async commitGenesis(block: PackedBlock, identity: ChainIdentity, { hasState = true } = {}): Promise<void> {
    this.#state.beginHeight(block.height)
    this.#state.start.insert({ one: true, base_height: block.height, has_state: hasState })
    this.#state.head.insert(headBefore(block.height, identity))
    await this.commit([block])
    await this.settled()
  }

  /**
   * Applies the blocks and starts to write them; resolves when the batch before is committed. Call `settled` to wait for this one. A
   * relaxed commit may be gone after a crash of the database, with all that follows it: harmless while more is to come, because it is
   * indexed again.
   */
  async commit(blocks: PackedBlock[], { isRelaxed = false, check, unverified }: CommitOptions = {}): Promise<void> {
    this.#throwIfFailed()
    if (blocks.length === 0) return
    // Only here: a row that was loaded for a batch must still be there when the batch is applied.
    this.#state.evict(this.#committed.batch)
    const { undoDepth, schema, onStage } = this.#options
    const preparedAt = performance.now()
    const number = ++this.#batch
    await this.#applier.prepare(blocks, number, this.#reads)
    const batch = this.#applier.apply(blocks, blocks.at(-1)!.height - undoDepth + 1)
    const changes = this.#state.takeChanges()
    onStage?.('apply', (performance.now() - preparedAt) / 1000)
    await check?.(() => listChanged(this.#state, blocks, changes))
    await this.#partitions.cover(batch.to)
    await this.settled()
    this.#throwIfFailed()
    const expected = {
      height: this.#committed.height,
      registryVersion: this.#registry.version,
      registrySize: this.#registry.size,
      isPartitioned: this.#partitions.isPartitioned,
    }
    const writtenAt = performance.now()
    this.#pending = commitBatch(this.#writes, schema, batch, changes, expected, { undoDepth, isRelaxed, unverified }).then(
      () => {
        this.#committed = { height: batch.to, batch: number }
        onStage?.('commit', (performance.now() - writtenAt) / 1000)
      },
      async (error) => {
        this.#failure = await this.#partitions.explain(error).catch(() => error)
      },
    )
  }

  /** Waits until everything handed over is committed; throws what stopped it. */
  async settled(): Promise<void> {
    await this.#pending
    this.#throwIfFailed()
  }

  /** Takes back what is above `height`, and more where heights share a record; gives the height that is the last one now. */
  async revertTo(height: number): Promise<number> {
    await this.settled()
    await revertTo(this.#writes, this.#state, this.#options.schema, height)
    await this.reload()
    return this.head!.last_height
  }

  /** Takes everything back, genesis too. */
  async clear(): Promise<void> {
    await this.settled()
    await clearIndex(this.#writes, this.#state)
    await this.reload()
  }

  /** Heights below the head to which the index can be taken back, in ascending order. */
  listReach(): Promise<number[]> {
    return listReach(this.#reads, this.start!.base_height)
  }

  /** A balance or a supply as it was committed with a height to which the index can be taken back. */
  claimAfter(record: StateRecord, height: number): Promise<Claim> {
    return readClaimAfter(this.#reads, this.#state, record, height)
  }

  /** `app_hash` of a stored block, hex: the state after the height below it. */
  async appHashAt(height: number): Promise<string | undefined> {
    const { rows } = await this.#reads.query<{ hash: Buffer }>('select app_hash as hash from block where height = $1', [height])
    return rows[0]?.hash.toString('hex')
  }

  /** Hash of a stored block, lower-case hex. */
  async hashAt(height: number): Promise<string | undefined> {
    const { rows } = await this.#reads.query<{ hash: Buffer }>('select hash from block where height = $1', [height])
    return rows[0]?.hash.toString('hex')
  }

  /** Those that sign the next height (`power`) and the one after it (`next_power`). */
  validators(): Readonly<ConsensusValidatorRow>[] {
    return [...this.#state.consensusValidator.all()]
  }

  /** Validators after a height that can still be taken back. */
  async validatorsAfter(height: number): Promise<ConsensusValidatorRow[]> {
    await this.settled()
    return readValidatorsAfter(this.#reads, this.#state, height)
  }

  /** Takes validators that were learned from nodes in place of those that the index has; nothing may be under way. */
  async adoptValidators(rows: readonly ConsensusValidatorRow[]): Promise<void> {
    await this.settled()
    await writeLearnedValidators(this.#writes, this.#state, this.head!.last_height, rows)
    await this.reload()
  }

  async close(): Promise<void> {
    clearInterval(this.#beat)
    await this.#pending.catch(() => {})
    await this.#partitions.close()
    await Promise.all([this.#lock, this.#reads, this.#writes].map((client) => client.end().catch(() => {})))
  }

  #throwIfFailed(): void {
    if (this.#failure) throw this.#failure
  }
}

async function loadRegistry(client: pg.Client): Promise<RollupRegistry> {
  const { rows } = await client.query<{ version: number }>('select coalesce((select registry_version from head), 0) as version')
  return readVerified(client, rows[0]!.version)
}
