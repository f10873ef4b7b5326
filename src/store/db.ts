import type { Layout } from './partitions/layout.ts'
import { Pool, type PoolOptions, type Source } from './servers/pool.ts'
import { inTransaction } from './servers/transaction.ts'
import { type Fragment, makeSql, type Row, type Run, type Sql } from './sql/statement.ts'

/** Statements of a pool, each on whichever connection is free. */
export interface SqlPool extends Sql, Pick<Source, 'listen' | 'end'> {
  readonly source: Source
  /** All of it or nothing. */
  begin<T>(work: (sql: Sql) => Promise<T>): Promise<T>
}

/** Events of a block, of a tx, the value of a message, or all txs of a block. */
export type SealedKind = 'block' | 'tx' | 'message' | 'txs'

/** Where bytes are that were moved out of their rows. */
export interface Sealed {
  /** undefined: no segment has them */
  read(sql: Reader, kind: SealedKind, height: number, id: number): Promise<Buffer | undefined>
}

/** How the tables are cut, as it was when the head was read that answers are made for; whoever follows the head fills it in. */
export type PartitionMap = {
  layout?: Layout | undefined
  head?: number
  /** ids of txs by their hashes, as far as they were asked for */
  known?: Map<string, number>
}

/** All that reads of a network need besides its connections. */
export type ReadContext = {
  /** for those who read events, values of messages or txs */
  readonly segments?: Sealed | undefined
  /** shared by pools whose servers have the same tables */
  readonly partitions: PartitionMap
}

/** A statement context of one network: the pool itself or a snapshot of it. */
export interface Reader extends Sql {
  readonly context: ReadContext
}

/** A pool of reading connections whose search path is one network's schema. */
export interface Db extends SqlPool {
  readonly context: ReadContext
}

/** Purpose of a pool. Each has few connections and short statements, apart from those of the others. */
export type Role = 'read' | 'access' | 'webhooks' | 'pay' | 'offchain'

const TWO_SECONDS = { connectMs: 2000, idleMs: 300_000, max: 3 }

const ROLES: Record<Role, Omit<PoolOptions, 'name'>> = {
  /** Readers cannot write, cannot wait for locks and cannot run without end (docs/rules.md R60). */
  read: {
    max: 1,
    connectMs: 5000,
    idleMs: 60_000,
    settings: {
      default_transaction_read_only: 'on',
      statement_timeout: 5000,
      lock_timeout: 1000,
      idle_in_transaction_session_timeout: 10_000,
    },
  },
  /** Keys, usage and limits: the only place where an API process writes. */
  access: {
    ...TWO_SECONDS,
    settings: {
      statement_timeout: 2000,
      lock_timeout: 1000,
      idle_in_transaction_session_timeout: 5000,
      // Counters of the last moments before a crash may be lost; nobody waits for the disk because of them.
      synchronous_commit: 'off',
    },
  },
  /** Subscriptions and deliveries. What is committed survives a crash of the server: a position is a promise. */
  webhooks: {
    ...TWO_SECONDS,
    settings: { statement_timeout: 10_000, lock_timeout: 1000, idle_in_transaction_session_timeout: 5000 },
  },
  /** The only connections of the paid surface that may write; they see the shared schema and nothing of a network. */
  pay: {
    max: 4,
    connectMs: 5000,
    idleMs: 60_000,
    settings: { statement_timeout: 5000, lock_timeout: 2000, idle_in_transaction_session_timeout: 10_000 },
  },
  /** Off-chain data of one network, and nothing else. */
  offchain: {
    max: 2,
    connectMs: 5000,
    idleMs: 120_000,
    settings: { statement_timeout: 30_000, lock_timeout: 5000, idle_in_transaction_session_timeout: 30_000 },
  },
}

export type OpenOptions = { url: string; schema: string /** connections */; max?: number; statementTimeoutMs?: number }

export function openPool(role: Role, options: OpenOptions): SqlPool {
  return poolOf(openSource(role, options))
}

export type ReadOptions = OpenOptions & Partial<ReadContext>

export function openReader({ segments, partitions = {}, ...options }: ReadOptions): Db {
  return readFrom(openSource('read', options), { segments, partitions })
}

function openSource(role: Role, { url, schema, max, statementTimeoutMs }: OpenOptions): Source {
  const { settings, ...limits } = ROLES[role]
  return new Pool(url, {
    ...limits,
    ...(max !== undefined && { max }),
    name: `astrolabe ${role} ${schema}`,
    settings: {
      TimeZone: 'UTC',
      search_path: schema,
      ...settings,
      ...(statementTimeoutMs !== undefined && { statement_timeout: statementTimeoutMs }),
    },
  })
}

/** Reads of one network from any source of statements. */
export function readFrom(source: Source, context: ReadContext): Db {
  return Object.assign(poolOf(source), { context })
}

function poolOf(source: Source): SqlPool {
  return Object.assign(
    makeSql((query) => source.run(query)),
    {
      source,
      begin: <T>(work: (sql: Sql) => Promise<T>) => transact(source, '', (run) => work(makeSql(run))),
      listen: source.listen.bind(source),
      end: source.end.bind(source),
    },
  )
}

/** Several statements that must see the same head. One statement alone needs no snapshot. */
export function snapshot<T>({ source, context }: Db, read: (sql: Reader) => Promise<T>): Promise<T> {
  return transact(source, 'isolation level repeatable read read only', (run) => read(Object.assign(makeSql(run), { context })))
}

async function transact<T>(source: Source, how: string, work: (run: Run) => Promise<T>): Promise<T> {
  const { run, release } = await source.reserve()
  try {
    return await inTransaction({ query: (text) => run({ text, values: [], isPrepared: false }) }, () => work(run), how)
  } finally {
    release()
  }
}

/** Rows of a statement in pieces, none of which is read before it is asked for. */
export async function* readInPieces<T extends object = Row>(
  { source }: SqlPool,
  statement: Fragment,
  rowsAtOnce: number,
): AsyncGenerator<T[]> {
  const { run, release } = await source.reserve()
  const send = (text: string, values: unknown[] = []) => run({ text, values, isPrepared: false })
  try {
    // All rows are wanted, however slowly they are asked for.
    await send('begin; set local cursor_tuple_fraction = 1; set local idle_in_transaction_session_timeout = 0')
    const { text, values } = statement.toQuery()
    await send(`declare pieces no scroll cursor for ${text}`, values)
    for (;;) {
      const rows = await send(`fetch ${rowsAtOnce} from pieces`)
      if (rows.length === 0) break
      yield rows as T[]
    }
  } finally {
    await send('rollback').catch(() => {})
    release()
  }
}
