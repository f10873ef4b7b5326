// Starts the demo as its own process and waits until everything it has is indexed and served.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
 * Runs `use` with the addresses that `start` tells, then stops it. `program` is the command with its first arguments, `args` are further ones of
 * `start`: by default recordings are played to their end.
 */
export async function withDemo(program, use, { args = ['--no-live'], data, env = process.env } = {}) {
  const folder = makeFolder('demo')
  const ready = join(folder, 'ready.json')
  const [command, ...words] = [...program, 'start', ...args, '--data', data ?? join(folder, 'data'), '--ready-file', ready]
  const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'inherit'], detached: true, env })
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

/** As `withDemo` with one network on free ports, over its own index; `use` also gets the options that name the database to other commands. */
export async function withNetwork(program, network, use, { env } = {}) {
  const folder = makeFolder('network')
  const [data, config, listen] = [join(folder, 'data'), join(folder, 'config.json'), { port: 0 }]
  writeFileSync(config, JSON.stringify({ networks: [{ ...network, listen }], operator: listen, observability: listen }))
  const options = ['--config', config, '--data', data]
  try {
    const api = ({ networks }) => networks[network.name].api
    return await withDemo(program, (ready) => use(api(ready), options), { args: ['--config', config], data, env })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Prints one line and ends: what a script needs is not on this machine. */
export function skip(reason) {
  console.log(`skipped: ${reason}`)
  process.exit(0)
}
