import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'

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
 * Starts the server in a process group of its own: Ctrl-C on a terminal goes to a whole group, and would end the server under those who
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
