// Starts the demo as a process of its own and waits until everything it has is indexed and served.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 180_000

/** A folder below the system's temporary one that PostgreSQL's own user can pass through. */
export function makeFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `astrolabe-${name}-`))
  chmodSync(folder, 0o755)
  return folder
}

/**
 * Runs `use` with the addresses that `start` tells, then stops it. `program` is the command with its first arguments; `live` lets blocks keep
 * coming.
 */
export async function withDemo(program, use, { live = false } = {}) {
  const folder = makeFolder('demo')
  const ready = join(folder, 'ready.json')
  const [command, ...args] = [
    ...program,
    'start',
    ...(live ? [] : ['--no-live']),
    '--data',
    join(folder, 'data'),
    '--ready-file',
    ready,
  ]
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], detached: true })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    for (let waited = 0; !existsSync(ready); waited += 100) {
      if (child.exitCode !== null || waited > PATIENCE_MS) throw new Error('the demo did not become ready')
      await sleep(100)
    }
    return await use(JSON.parse(readFileSync(ready, 'utf8')))
  } finally {
    if (child.exitCode === null) child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Prints one line and ends: what a script needs is not on this machine. */
export function skip(reason) {
  console.log(`skipped: ${reason}`)
  process.exit(0)
}
