import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'

/** The command line as a newcomer meets it: another process, what it prints, how it ends. */
export type Cli = {
  child: ChildProcess
  /** what came on both outputs so far */
  text: () => string
  /** resolves once the outputs hold it; rejects when the process ends without it */
  says: (wanted: RegExp) => Promise<string>
  ended: Promise<{ code: number | null; text: string }>
  /** Ctrl-C of a terminal: the signal goes to the process and to all it started */
  pressCtrlC: () => void
}

const MAIN = packagePath('bin/astrolabe.cjs')
const running = new Set<ChildProcess>()
const folders: string[] = []
const PATIENCE_MS = 180_000

// A runner that is stopped takes its children along: they are groups of their own. Folders stay until then: other files may share the process.
process.once('exit', () => {
  for (const { pid } of running) process.kill(-pid!, 'SIGINT')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

after(async () => {
  const ends = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)))
  for (const child of running) child.kill('SIGTERM')
  await Promise.all(ends)
})

/** A folder that the user PostgreSQL runs as can pass through, also when we are root. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'astrolabe-hour-'))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}

type RunOptions = { env?: NodeJS.ProcessEnv; prefix?: readonly string[] }

/** `prefix` is put before the program, e.g. to run it as another user. */
export function runCli(args: readonly string[], options: RunOptions = {}): Cli {
  return runProgram([...(options.prefix ?? []), process.execPath, MAIN, ...args], options)
}

/** A script of package.json, as npm runs it. */
export const runNpm = (args: readonly string[]): Cli => runProgram(['npm', '--silent', '--prefix', packagePath(), ...args], {})

function runProgram([program = '', ...rest]: readonly string[], options: RunOptions): Cli {
  // Settings of whoever runs the tests must not reach the program.
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, TMPDIR, ...options.env },
    detached: true,
  })
  running.add(child)
  let text = ''
  const listeners = new Set<() => void>()
  const hear = (chunk: Buffer) => {
    text += chunk.toString('utf8')
    for (const listener of listeners) listener()
  }
  child.stdout!.on('data', hear)
  child.stderr!.on('data', hear)
  const ended = new Promise<{ code: number | null; text: string }>((resolve) => {
    child.once('close', (code) => {
      running.delete(child)
      resolve({ code, text })
    })
  })
  const says = (wanted: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (!wanted.test(text)) return
        listeners.delete(look)
        resolve(text)
      }
      listeners.add(look)
      look()
      ended.then(({ code }) => reject(new Error(`ended with ${code} before it said ${wanted}:\n${text}`)))
      setTimeout(() => reject(new Error(`did not say ${wanted}:\n${text}`)), PATIENCE_MS).unref()
    })
  return { child, text: () => text, says, ended, pressCtrlC: () => process.kill(-child.pid!, 'SIGINT') }
}

/** A configuration with free ports, unless told otherwise. */
export function writeConfig(folder: string, { networks, ...rest }: Record<string, unknown> & { networks: object[] }): string {
  const file = join(folder, 'config.json')
  const config = {
    operator: { port: 0 },
    observability: { port: 0 },
    ...rest,
    networks: networks.map((network) => ({ name: 'main', kind: 'main', listen: { port: 0 }, ...network })),
  }
  writeFileSync(file, JSON.stringify(config))
  return file
}

export const recording = (name: string) => ({ recording: packagePath('data/recordings', name) })
