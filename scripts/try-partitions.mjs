// Indexes the recorded chain into a hundred partitions and serves it: every table must equal that of plain tables. Options: --golden DIR
// (compare.mjs and truth.mjs of the reference answers), --heights N (of a partition).
import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { makeFolder, skip } from './running-demo.mjs'
import { root } from './stamp.mjs'

const { values: options } = parseArgs({ options: { golden: { type: 'string' }, heights: { type: 'string', default: '4' } } })
const RECORDING = join(root, 'data/recordings/devnet')
const PATIENCE_MS = 600_000

const { startEmbedded } = await import(join(root, 'build/src/store/embedded.js')).catch(() =>
  skip('build the program first: npm run build'),
)
const { digestTables } = await import(join(root, 'build/test/support/dump-tables.js'))
setTimeout(() => process.exit(1), PATIENCE_MS).unref?.()

const folder = makeFolder('partitions')
const server = await startEmbedded({ directory: join(folder, 'data') })
const config = join(folder, 'config.json')
const plans = [{ name: 'free', requests_per_second: 1_000_000 }]
writeFileSync(
  config,
  JSON.stringify({ networks: [{ name: 'main', kind: 'main', recording: RECORDING, listen: { port: 0 } }], access: { plans } }),
)
const children = new Set()
let failed = 0
const check = (what, isTrue, detail = '') => {
  if (!isTrue) failed++
  console.log(`${isTrue ? 'ok  ' : 'FAIL'} ${what}${detail === '' ? '' : `: ${detail}`}`)
}

function start(script, args, url) {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: url,
    KEY_PEPPER: 'a pepper for the partitions that are tried',
    ASTROLABE_DATA: join(folder, 'home'),
    OBSERVABILITY_PORT: '0',
  }
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env })
  children.add(child)
  let text = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => (text += chunk))
  const ended = new Promise((resolve) => child.once('exit', resolve)).finally(() => children.delete(child))
  return { child, ended, text: () => text }
}

async function once(args, url) {
  const { ended, text } = start(join(root, 'bin/astrolabe.cjs'), [...args, '--config', config], url)
  if ((await ended) !== 0) throw new Error(`${args.join(' ')} failed: ${text()}`)
}

async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const databaseAt = (name) => Object.assign(new URL(server.url), { pathname: `/${name}` }).toString()

async function index(name, { isPartitioned }) {
  await withClient(server.url, (client) => client.query(`create database ${name}`))
  const url = databaseAt(name)
  await once(['rollups', 'load', join(RECORDING, 'rollups.json')], url)
  if (isPartitioned) await once(['partitions', 'make', '--heights', options.heights], url)
  await once(['index', '--once'], url)
  return url
}

try {
  const plain = await index('plain', { isPartitioned: false })
  const cut = await index('cut', { isPartitioned: true })
  const count = await withClient(cut, (client) =>
    client.query(`select count(*) as n from pg_inherits where inhparent = 'net_main.tx'::regclass`),
  )
  const [expected, found] = [await withClient(plain, dump), await withClient(cut, dump)]
  const differing = expected.filter((table, i) => table.hash !== found[i]?.hash).map(({ table }) => table)
  check(
    `every table of an index in ${count.rows[0].n} partitions equals that of plain tables`,
    differing.length === 0 && expected.length === found.length,
    differing.join(', '),
  )
  if (options.golden !== undefined) {
    const serve = start(join(root, 'bin/astrolabe.cjs'), ['serve', '--config', config], cut)
    let address
    while (!(address = /"address":"([^"]+)","msg":"serving"/.exec(serve.text())?.[1])) {
      if (serve.child.exitCode !== null) throw new Error(`serve ended: ${serve.text()}`)
      await sleep(50)
    }
    const runs = [
      ['compare', [address, '--deviations', join(root, 'docs/deviations.json')]],
      ['truth', [address, join(RECORDING, 'truth.json')]],
    ]
    for (const [name, args] of runs) {
      const { ended, text } = start(join(options.golden, `${name}.mjs`), args, cut)
      check(name, (await ended) === 0, text().trim().split('\n').at(-1))
      if (process.env.VERBOSE) console.log(text())
    }
  }
} finally {
  for (const child of children) child.kill('SIGKILL')
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(failed === 0 ? 'passed' : `${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function dump(client) {
  return digestTables(client, 'net_main')
}
