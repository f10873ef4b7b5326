// Programs that a script runs beside itself: their output is kept, and all of them end with the script.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../../scripts/stamp.mjs'

const ASTROLABE = join(root, 'bin/astrolabe.cjs')

/** `pause` is waited for between two looks at the output; it may end the whole by throwing. */
export function openPrograms(pause = sleep) {
  const children = new Set()
  const started = []

  function run(script, args, env) {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'pipe'], env })
    children.add(child)
    started.push({ child, args, text: () => text })
    let text = ''
    for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => (text += chunk))
    const ended = new Promise((resolve) => child.once('exit', resolve)).finally(() => children.delete(child))
    const says = async (wanted) => {
      while (!wanted.test(text)) {
        if (child.exitCode !== null) throw new Error(`${args[0]} ended with ${child.exitCode}: ${text}`)
        await pause(50)
      }
      return wanted.exec(text)
    }
    return { child, ended, says, text: () => text }
  }

  const start = (args, env) => run(ASTROLABE, args, env)

  async function once(args, env) {
    const { ended, text } = start(args, env)
    const code = await ended
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${text()}`)
  }

  function kill() {
    for (const child of children) child.kill('SIGKILL')
  }

  /** Throws when a program failed on its own: nobody should wait for what it was to do. */
  function refuseEnded() {
    const failed = started.find(({ child }) => child.exitCode !== null && child.exitCode !== 0)
    if (failed) throw new Error(`${failed.args.join(' ')} ended with ${failed.child.exitCode}: ${failed.text()}`)
  }

  return { run, start, once, kill, refuseEnded }
}

/** Starts `serve` and waits for the address of its only network. */
export async function startServing({ start }, config, env) {
  const { says } = start(['serve', '--config', config], env)
  const [, api] = await says(/"address":"([^"]+)","msg":"serving"/)
  return api
}

/** Configuration of one network without limits that a comparison would meet. */
export const configOf = (source) => ({
  networks: [{ name: 'main', kind: 'main', listen: { port: 0 }, ...source }],
  access: { plans: [{ name: 'free', requests_per_second: 1_000_000 }] },
})

/** Asks everything that the reference was asked, and what the chain's own node told. Yields the name, the outcome and the last line of each. */
export async function* compareAnswers({ run }, golden, api, recording) {
  const runs = [
    ['compare', [api, '--deviations', join(root, 'docs/deviations.json')]],
    ['truth', [api, join(recording, 'truth.json')]],
  ]
  for (const [name, args] of runs) {
    const { ended, text } = run(join(golden, `${name}.mjs`), args, process.env)
    yield { name, isRight: (await ended) === 0, summary: text().trim().split('\n').at(-1) }
  }
}

/** Names of the tables that are not equal in two digests of an index. */
export function listDiffering(expected, found) {
  const hashOf = (digests) => new Map(digests.map(({ table, hash }) => [table, hash]))
  const [theirs, ours] = [hashOf(expected), hashOf(found)]
  return [...new Set([...theirs.keys(), ...ours.keys()])].filter((table) => theirs.get(table) !== ours.get(table))
}
