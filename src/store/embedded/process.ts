import { spawn } from 'node:child_process'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { systemClock } from '../../lib/clock.ts'

/** A folder may be that of a standby. */
const READY = /database system is ready to accept (read-only )?connections/

export type SpawnOptions = {
  /** path of the program */
  postgres: string
  data: string
  port: number
  flags: readonly string[]
  onLog: (text: string) => void
  /** it ended, after it had been ready */
  onExit?: () => void
}

/**
 * Starts the server in its own process group: Ctrl-C on a terminal goes to a whole group, and would end the server under those who
 * are still at work. It ends with this process, unless the function that is returned is called.
 */
export async function spawnServer({ postgres, data, port, flags, onLog, onExit }: SpawnOptions): Promise<() => void> {
  // It refuses to run as root, and only the owner may read the data.
  const { uid, gid } = await stat(data)
  const server = spawn(postgres, ['-D', data, '-p', String(port), ...flags], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LC_MESSAGES: 'C' },
    ...(process.getuid?.() === 0 && { uid, gid }),
  })
  await new Promise<void>((resolve, reject) => {
    let seen = ''
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      onLog(text)
      seen = `${seen}${text}`.slice(-1000)
      if (READY.test(seen)) resolve()
    })
    server.once('error', reject)
    server.once('close', (code) => reject(new Error(`postgres ended with code ${code}`)))
  })
  const end = () => server.kill('SIGINT')
  process.once('exit', end)
  server.once('exit', () => {
    process.off('exit', end)
    onExit?.()
  })
  return () => process.off('exit', end)
}

/** Names the process that started the bundled server and will stop it. */
const FILE = 'postgres-owner'

/**
 * Commands that only look (`status`, `audit`, reports) share a running server and leave it running. A server whose owner was killed is
 * taken over by whoever comes next, so that it does not run without end.
 */
export async function claimServer(directory: string): Promise<boolean> {
  const path = join(directory, FILE)
  const owner = Number(await readFile(path, 'utf8').catch(() => ''))
  if (owner > 0 && owner !== process.pid && isAlive(owner)) return false
  await writeFile(path, `${process.pid}\n`)
  return true
}

export async function releaseServer(directory: string): Promise<void> {
  await rm(join(directory, FILE), { force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const WATCH_MS = 1000

/**
 * Looks again and again whether a server that another process started still listens, and calls `onGone` each time it does not; whoever
 * started a server itself hears of its end. Returns what ends the watch.
 */
export function watchServer(port: number, onGone: () => Promise<void>): () => void {
  const over = new AbortController()
  const watch = async () => {
    for (;;) {
      await systemClock.sleep(WATCH_MS, over.signal)
      if (!(await isListening(port))) await onGone()
    }
  }
  // Only the end of the watch ends it.
  watch().catch(() => {})
  return () => over.abort()
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}
