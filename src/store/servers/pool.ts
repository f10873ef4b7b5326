import type { Socket } from 'node:net'
import postgres from 'postgres'
import { listServers, socketOf } from './address.ts'
import { openPoolSocket, readTlsMode, type Target } from './pool-socket.ts'

/** The library would wait up to 20 s before it tries again, also when the server has come back long ago. */
const RECONNECT_SECONDS = 0.5

/**
 * postgres.js 3.4 sends what is shorter than a kilobyte a turn later. A connection that is lost within that turn never sends anything
 * short again: each attempt to open it takes until the time limit. What it sends first is therefore made longer, by options of the
 * server that are none.
 */
const NO_OPTIONS = ' '.repeat(1024)

// biome-ignore lint/suspicious/noExplicitAny: pools differ in the types of their columns
type Sql = postgres.Sql<any>
// biome-ignore lint/suspicious/noExplicitAny: as above
type Options = postgres.Options<any>
// biome-ignore lint/suspicious/noExplicitAny: as above
type Transaction = postgres.TransactionSql<any>
/** Gives a promise, or a list of statements that are sent at once. */
type Work = (sql: Transaction) => unknown
type Begin = (how: string, work: Work) => Promise<unknown>

/**
 * A pool of postgres.js at the server of `url` that takes writes. Its connections may be lost at any time. The library's own list of
 * hosts is not used: while none of them answers it would try again without a pause, and never tell the query that waits.
 */
export function openPool(url: string, options: Options): Sql {
  const address = listServers(url)[0]!.url
  const tlsMode = readTlsMode(address)
  const sockets = keepSockets()
  const sql = postgres(withPlainHost(address), {
    backoff: () => RECONNECT_SECONDS,
    fetch_types: false,
    onnotice: () => {},
    ...options,
    connection: { ...options.connection, options: NO_OPTIONS },
    ssl: false,
    socket: (target: Target) => sockets.keep(openPoolSocket(url, target, tlsMode)),
  } as Options)
  const end = sql.end.bind(sql)
  const begin = sql.begin.bind(sql) as Begin
  const transact = (how: string | Work, work?: Work) =>
    typeof how === 'string' ? runTransaction(begin, how, work!) : runTransaction(begin, '', how)
  return Object.assign(sql, { begin: transact, end: (limit?: { timeout?: number }) => end(limit).finally(sockets.close) })
}

/** postgres.js 3.4 takes a comma in the folder of a Unix socket for the next host. It does not open the socket anyway. */
function withPlainHost(address: string): string {
  if (socketOf(address) === undefined) return address
  const plain = new URL(address)
  plain.hostname = 'localhost'
  return plain.href
}

/**
 * postgres.js 3.4 forgets a connection that is being opened when the time limit of the end is over: it becomes ready and stays, with
 * timers that keep the process alive.
 */
function keepSockets() {
  const open = new Set<Socket>()
  let isClosed = false
  return {
    keep: async (opening: Promise<Socket>): Promise<Socket> => {
      const socket = await opening
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      // A turn later the library listens to it.
      if (isClosed) setImmediate(() => socket.destroy())
      return socket
    },
    close: () => {
      isClosed = true
      // What the library has ended still says goodbye to the server.
      for (const socket of open) socket.writableEnded ? socket.unref() : socket.destroy()
    },
  }
}

/**
 * postgres.js 3.4 hands the error that ended a connection to the first statement of the next one too, instead of sending it. A statement
 * under which a connection ends gets another error, so this one may always be sent again.
 */
export const wasNotSent = (error: unknown): boolean => (error as { severity?: string }).severity === 'FATAL'

/**
 * A statement that is sent on a lost connection makes postgres.js 3.4 throw outside of any promise, which ends the process; the rollback
 * that it sends when the work fails is such a statement. So nothing is sent any more once it has told that the connection is lost.
 */
async function runTransaction(begin: Begin, how: string, work: Work): Promise<unknown> {
  let loss: Error | undefined
  let hasBegun = false
  const never = new Promise<never>(() => {})
  const guarded: Work = async (sql) => {
    hasBegun = true
    try {
      const given = work(refuseAfter(() => loss, sql))
      const result = await (Array.isArray(given) ? Promise.all(given) : given)
      return loss ? never : result
    } catch (error) {
      // A statement learns of the loss before the transaction does.
      await new Promise(setImmediate)
      if (loss) return never
      throw error
    }
  }
  try {
    return await begin(how, guarded).catch((error) => {
      if (hasBegun || !wasNotSent(error)) throw error
      return begin(how, guarded)
    })
  } catch (error) {
    loss = error as Error
    throw error
  }
}

function refuseAfter(findLoss: () => Error | undefined, sql: Transaction): Transaction {
  const refuse = () => {
    const loss = findLoss()
    if (loss) throw loss
  }
  return new Proxy(sql, {
    apply(target, self, args) {
      refuse()
      return Reflect.apply(target, self, args)
    },
    get(target, property) {
      if (property === 'unsafe') refuse()
      return Reflect.get(target, property)
    },
  })
}
