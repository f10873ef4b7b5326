import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { packagePath } from '../../src/lib/package-path.ts'
import { recording, writeConfig } from '../support/config-file.ts'
import { freshDatabase } from '../support/database.ts'
import { makeFolder, type Program, runCli } from '../support/program.ts'
import { blocksOf } from './markdown.ts'

/** The commands of examples/README.md, as they stand there, in a copy of the repository that nothing was compiled in. */
const run = promisify(execFile)
const readme = readFileSync(packagePath('examples/README.md'), 'utf8')
const commands = [...readme.matchAll(/`((?:node build\/)?examples\/[^`]+)`/g)].map(([, command]) => command!)
const copy = mkdtempSync(join(tmpdir(), 'astrolabe-examples-'))
/** Packages and recordings are linked: `npm ci` and the download of a clone are not what is tried here. */
const LINKED = ['node_modules', 'data']
const NOT_COPIED = new Set([...LINKED, '.git', '.astrolabe', 'build'])
let cli: Program
let env: NodeJS.ProcessEnv

before(async () => {
  cpSync(packagePath(), copy, { recursive: true, filter: (path) => !NOT_COPIED.has(path.slice(packagePath().length + 1)) })
  for (const name of LINKED) symlinkSync(packagePath(name), join(copy, name))
  const folder = makeFolder()
  const config = writeConfig(folder, {
    networks: [
      recording('devnet'),
      { ...recording('test-1'), name: 'live', kind: 'test', live_blocks: 120, live_interval_ms: 500 },
    ],
    paid: { port: 0 },
  })
  cli = runCli(['start', '--config', config, '--database', await freshDatabase('devnet'), '--data', folder])
  const text = await cli.says(/Ctrl-C stops it/)
  const address = (name: string) => new RegExp(`^  ${name}\\n    page +(http\\S+)/$`, 'm').exec(text)![1]!
  env = {
    ...process.env,
    ASTROLABE_URL: address('main'),
    LIVE_URL: address('live'),
    ASTROLABE_PAID_URL: /paid surface +(http\S+)/.exec(text)![1]!,
    SECONDS_TO_LISTEN: '2',
  }
})

after(async () => {
  cli.child.kill('SIGINT')
  await cli.ended
  rmSync(copy, { recursive: true, force: true })
})

test('after what the text tells to do once, every example of the text runs', async () => {
  assert.equal(commands.length, 6)
  const once = blocksOf(readme, 'sh')[0]!.trim().split('\n')
  assert.deepEqual(once, ['npm ci', 'npm run build'])
  for (const command of once.filter((command) => command !== 'npm ci'))
    execFileSync('sh', ['-c', command], { cwd: copy, stdio: 'pipe' })
  for (const command of commands) {
    const isLive = command.includes('live')
    // Live examples end after so many blocks; the others ignore it.
    const { stdout } = await run('sh', ['-c', command.endsWith('.sh') ? command : `${command} 1`], {
      cwd: copy,
      env: isLive ? { ...env, ASTROLABE_URL: env.LIVE_URL } : env,
      timeout: 60_000,
    })
    assert.ok(stdout.split('\n').length > 3, `${command}: ${stdout}`)
  }
})
