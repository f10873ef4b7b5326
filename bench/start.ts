import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from '../src/config/load.ts'
import { packagePath } from '../src/lib/package-path.ts'
import { cpuSecondsOf, printTable } from './harness/measure.ts'

/** Neither is part of a clone, or it is installed there before the start that is measured. */
const NOT_COPIED = new Set(['.git', 'build', 'node_modules'])
const PATIENCE_MS = 180_000

/**
 * From `npm start` to the first answer of `/v1/head` and to all addresses: on a clone with packages installed (makes a database), and twice again. The
 * program is compiled at the end of `npm ci`; what that takes is shown too. Arguments: programs of Node, this one by default.
 */
export async function run(args: string[]): Promise<void> {
  const rows = []
  for (const node of args.length > 0 ? args : [process.execPath]) rows.push(...(await startThrice(node)))
  printTable('start of the demo, seconds; compiling is the last step of npm ci', rows)
}

async function startThrice(node: string) {
  const folder = mkdtempSync(join(tmpdir(), 'astrolabe-bench-'))
  // PostgreSQL runs as another user when we are root.
  chmodSync(folder, 0o755)
  const clone = join(folder, 'clone')
  for (const name of readdirSync(packagePath('.')))
    if (!NOT_COPIED.has(name)) cpSync(packagePath(name), join(clone, name), { recursive: true })
  symlinkSync(packagePath('node_modules'), join(clone, 'node_modules'))
  try {
    const version = await versionOf(node)
    const compiling = await compile(node, clone)
    const rows = []
    for (const start of ['first', 'second', 'third'])
      rows.push({ node: version, compiling, start, ...(await measureStart(node, clone, folder)) })
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

async function compile(node: string, clone: string): Promise<string> {
  const began = performance.now()
  const child = spawn(node, ['scripts/prepare.mjs'], { cwd: clone, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`compiling ended with code ${code}`)
  return since(began)
}

async function versionOf(node: string): Promise<string> {
  const child = spawn(node, ['--version'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [text] = (await once(child.stdout!, 'data')) as [Buffer]
  return text.toString().trim()
}

async function measureStart(node: string, clone: string, folder: string) {
  const { port } = loadConfig({ env: {}, isDemo: () => true }).networks[0]!.listen
  if (await isAnswered(port)) throw new Error(`another program answers on port ${port}`)
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const began = performance.now()
  const child = spawn(node, ['bin/astrolabe.cjs', '--build', 'start', '--data', join(folder, 'data')], {
    cwd: clone,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const shown = untilShown(child, began)
    while (!(await isAnswered(port))) {
      if (child.exitCode !== null || performance.now() - began > PATIENCE_MS) throw new Error('the demo did not start')
      await delay(10)
    }
    const answered = { 'first answer': since(began), 'CPU until then': cpuSecondsOf(child.pid!).toFixed(2) }
    return { ...answered, 'all addresses': await shown }
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
}

async function untilShown(child: ChildProcess, began: number): Promise<string> {
  for await (const text of child.stdout!) if (String(text).includes('Astrolabe serves')) return since(began)
  return 'never'
}

const since = (began: number) => ((performance.now() - began) / 1000).toFixed(2)

async function isAnswered(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/v1/head`).then(
    ({ status }) => status === 200,
    () => false,
  )
}
