import { once } from 'node:events'
import { connect, isIP, type NetConnectOpts, Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { hasSeveralServers, socketOf } from './address.ts'
import { findPrimary, forgetPrimary } from './find-primary.ts'

/** What postgres.js has read from the address and its options. */
export type Target = {
  host: string[]
  port: number[]
  path: string | false
  connect_timeout: number
  connection: { statement_timeout?: number }
}

/** The message that asks a server for TLS: its length and its code. */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const TLS_WITHOUT_PROOF = ['allow', 'prefer', 'require']

/** Beyond its time limit for statements, a server that is there has answered, be it with an error. */
const ANSWER_MARGIN_MS = 5000

/** The kind of TLS that an address asks for, if any. */
export function readTlsMode(url: string): string | undefined {
  const parameters = new URL(url).searchParams
  if (parameters.get('sslrootcert') === 'system') return 'verify-full'
  const mode = parameters.get('sslmode') ?? parameters.get('ssl') ?? 'disable'
  return mode === 'disable' || mode === 'false' ? undefined : mode
}

/** A connection for a pool of postgres.js, to the server of `url` that takes writes. */
export async function openPoolSocket(url: string, target: Target, tlsMode: string | undefined): Promise<Socket> {
  try {
    const place = await findPlace(url, target)
    const socket = connect(place)
    socket.once('close', () => forgetPrimary(url))
    // Nobody stands between the two ends of a Unix socket; the server has no TLS there.
    const isPlain = 'path' in place || tlsMode === undefined
    const spoken = isPlain ? socket : await secure(socket, place.host!, tlsMode, target.connect_timeout * 1000)
    const { statement_timeout } = target.connection
    if (statement_timeout) endWhenSilent(spoken, statement_timeout + ANSWER_MARGIN_MS)
    return tellEnds(spoken)
  } catch (error) {
    return brokenSocket(error as Error)
  }
}

async function findPlace(url: string, { host, port, path }: Target): Promise<NetConnectOpts> {
  const primary = await findPrimary(url)
  const socket = path || socketOf(primary)
  if (socket) return { path: socket }
  if (!hasSeveralServers(url)) return { host: host[0]!, port: port[0]! }
  const { hostname, port: primaryPort } = new URL(primary)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(primaryPort || 5432) }
}

async function secure(socket: Socket, host: string, mode: string, withinMs: number): Promise<Socket> {
  const signal = AbortSignal.timeout(withinMs)
  try {
    await once(socket, 'connect', { signal })
    socket.write(TLS_REQUEST)
    const [answer] = (await once(socket, 'data', { signal })) as [Buffer]
    if (answer.toString('latin1') === 'S') {
      const rejectUnauthorized = !TLS_WITHOUT_PROOF.includes(mode)
      const secured = connectTls({ socket, rejectUnauthorized, ...(isIP(host) === 0 && { servername: host }) })
      await once(secured, 'secureConnect', { signal })
      return secured
    }
    if (mode === 'prefer') return socket
    throw new Error(`the address asks for TLS (${mode}), and the server has none`)
  } catch (error) {
    socket.destroy()
    throw signal.aborted ? failure('CONNECT_TIMEOUT', `no TLS within ${withinMs} ms`) : error
  }
}

const failure = (code: string, message: string) => Object.assign(new Error(message), { code })

/**
 * postgres.js 3.4 forgets statements that it is given between the error of a socket and its end: they never settle, and the connection is
 * never used again. When a socket ends without an error, all of them fail. Before the server is ready it is the other way round: the
 * statement that waits learns of an error, but at an end without one the library connects again and again, without a pause.
 */
function tellEnds(socket: Socket): Socket {
  const emit = socket.emit.bind(socket) as (...event: unknown[]) => boolean
  let isReady = false
  let hasFailed = false
  socket.emit = (event: string, ...args: unknown[]) => {
    if (event === 'data') isReady ||= endsWithReady(args[0] as Buffer)
    else if (event === 'error') {
      hasFailed = true
      if (isReady) return true
    } else if (event === 'close') {
      if (isReady) return emit(event, false)
      if (!hasFailed) emit('error', failure('CONNECTION_CLOSED', 'the server closed the connection before it was ready'))
    }
    return emit(event, ...args)
  }
  return socket
}

/**
 * A network that drops packets, or a host that is gone, closes nothing: statements would hang until the operating system gives the
 * connection up, which takes minutes.
 */
function endWhenSilent(socket: Socket, limitMs: number): void {
  let waitingSince: number | undefined
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  socket.write = (...args: unknown[]) => {
    waitingSince ??= performance.now()
    return write(...args)
  }
  socket.prependListener('data', (bytes: Buffer) => {
    waitingSince = endsWithReady(bytes) ? undefined : performance.now()
  })
  const look = setInterval(() => {
    if (waitingSince !== undefined && performance.now() - waitingSince > limitMs) socket.destroy()
  }, limitMs / 4)
  look.unref()
  socket.once('close', () => clearInterval(look))
}

/** The message `Z`, of one byte: a statement is done, and the next one may come. */
const endsWithReady = (bytes: Buffer) => bytes.at(-6) === 0x5a && bytes.at(-2) === 5

/** A connection that the library does not get would be missing from its pool from then on; one that breaks is opened again. */
function brokenSocket(error: Error): Socket {
  const socket = new Socket()
  socket.write = () => true
  setImmediate(() => socket.destroy(error))
  return socket
}
