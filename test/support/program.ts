/**
 * Programs that a test starts: the command line, npm's scripts, and scripts of a test itself. Each has its own folder as working
 * directory, none of the settings of whoever runs the tests, and a free port for health and metrics. What still runs when the tests of a
 * file are over, or their process ends, is ended.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packagePath } from '../../src/lib/package-path.ts'
import { closeAfterwards } from './close-afterwards.ts'
import { noteEnd, noteStart } from './started-programs.ts'

export type Ended = { code: number | null; signal: NodeJS.Signals | null; out: string; err: string; text: string }

export type Program = {
  child: ChildProcess
  /** what came on both outputs so far */
  text: () => string
  /** resolves once the outputs hold it; rejects when the process ends without it */
  says: (wanted: RegExp) => Promise<string>
  ended: Promise<Ended>
  /** Ctrl-C of a terminal: the signal goes to the process and to all it started */
  pressCtrlC: () => void
  stop: () => Promise<Ended>
}

export type ProgramOptions = {
  env?: NodeJS.ProcessEnv
  /** put before the program, e.g. to run it as another user */
  prefix?: readonly string[]
  cwd?: string
}

const PATIENCE_MS = 180_000
const running = new Set<ChildProcess>()
const folders: string[] = []

// Folders stay until the process ends: other files may share it.
process.once('exit', () => {
  for (const { pid } of running) process.kill(-pid!, 'SIGINT')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A folder that the user PostgreSQL runs as can pass through, also when we are root. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'astrolabe-test-'))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}

/** The command line as it is installed. */
export const PROGRAM = packagePath('bin/astrolabe.cjs')

/** Nothing of the environment of whoever runs the tests is a setting of the program. */
export function makeEnv(settings: NodeJS.ProcessEnv = {}): Record<string, string> {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, OBSERVABILITY_PORT: '0', ...settings }
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

export const runCli = (args: readonly string[], options: ProgramOptions = {}): Program =>
  start([...(options.prefix ?? []), process.execPath, PROGRAM, ...args], options)

/** A script of package.json, as npm runs it. */
export const runNpm = (args: readonly string[]): Program => start(['npm', '--silent', '--prefix', packagePath(), ...args], {})

/** A compiled script of a test, e.g. `live/api-process.js`; `channel`: messages can be sent both ways. */
export const runScript = (path: string, args: readonly string[], options: { channel?: boolean } = {}): Program =>
  start([process.execPath, packagePath('build/test', path), ...args], {}, options.channel)

function start([program = '', ...args]: readonly string[], { env, cwd }: ProgramOptions, channel = false): Program {
  const options: SpawnOptions = {
    stdio: ['ignore', 'pipe', 'pipe', ...(channel ? (['ipc'] as const) : [])],
    env: makeEnv(env),
    cwd: cwd ?? makeFolder(),
    detached: true,
  }
  const child = spawn(program, args, options)
  running.add(child)
  noteStart(child.pid)
  const said = { out: '', err: '', text: '' }
  const listeners = new Set<() => void>()
  const hear = (stream: 'out' | 'err') => (chunk: string) => {
    said[stream] += chunk
    said.text += chunk
    for (const listener of listeners) listener()
  }
  child.stdout!.setEncoding('utf8').on('data', hear('out'))
  child.stderr!.setEncoding('utf8').on('data', hear('err'))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      running.delete(child)
      noteEnd(child.pid)
      resolve({ code, signal, ...said })
    })
  })
  closeAfterwards(async () => {
    if (running.has(child)) child.kill('SIGTERM')
    await ended
  })
  const says = (wanted: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (!wanted.test(said.text)) return
        listeners.delete(look)
        resolve(said.text)
      }
      listeners.add(look)
      look()
      ended.then(({ code }) => reject(new Error(`ended with ${code} before it said ${wanted}:\n${said.text}`)), reject)
      setTimeout(() => reject(new Error(`did not say ${wanted}:\n${said.text}`)), PATIENCE_MS).unref()
    })
  return {
    child,
    text: () => said.text,
    says,
    ended,
    pressCtrlC: () => process.kill(-child.pid!, 'SIGINT'),
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
}
