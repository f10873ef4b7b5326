import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { before, test } from 'node:test'
import pg from 'pg'
import { buildProgram } from '../../src/cli/program.ts'
import { OBSERVABILITY_PORT } from '../../src/config/schema.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { startNode } from '../live/stack.ts'
import { freshDatabase } from '../support/database.ts'
import { fewOf } from '../support/long-test.ts'
import { makeFolder, runCli } from '../support/program.ts'

/** A working directory in which somebody has run the demo: a command with its own database means the same as everywhere. */

const folder = makeFolder()
const foreign = join(folder, '.astrolabe')
const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => runCli(args, { cwd: folder, env })

let url: string
before(async () => {
  mkdirSync(join(foreign, 'demo-chain'), { recursive: true })
  writeFileSync(join(foreign, 'ports.json'), '{"9876":1}\n')
  url = await freshDatabase()
  const { code, text } = await run(INDEX.concat('--database', url)).ended
  assert.equal(code, 0, text)
})

const INDEX = ['index', '--once', '--recording', packagePath('data/recordings/test-1'), '--log-level', 'silent']

const NO_DEMO = /there is no network demo: the configuration has main, test-1, test-2/

/** A line of each command that has a database, and what shows that the networks of the recordings are meant. */
const LINES: Record<string, [line: readonly string[], shown: RegExp]> = {
  audit: [['audit', '--network', 'demo'], NO_DEMO],
  doctor: [['doctor'], /configuration: networks main, test-1, test-2\n/],
  export: [['export', join(folder, 'export'), '--network', 'demo'], NO_DEMO],
  index: [[...INDEX, '--network', 'demo'], NO_DEMO],
  keys: [['keys', 'list'], /there are no keys yet/],
  mcp: [['mcp', '--network', 'demo'], NO_DEMO],
  migrate: [['migrate'], /net_test_1[\s\S]*net_test_2[\s\S]*all schemas are up to date/],
  partitions: [['partitions', 'list', '--network', 'demo'], NO_DEMO],
  pay: [['pay', 'report', '--no-check'], / 0 payments/],
  restore: [['restore', folder, '--network', 'demo'], NO_DEMO],
  rollback: [['rollback', '--to', '1', '--network', 'demo'], NO_DEMO],
  rollups: [['rollups', 'list', '--network', 'demo'], NO_DEMO],
  snapshot: [['snapshot', join(folder, 'snapshot'), '--network', 'demo'], NO_DEMO],
  status: [['status'], /^network .*\nmain .* 158 .*\ntest-1 .*\ntest-2 .*\n/],
  webhooks: [['webhooks', 'list'], /there are no webhooks yet/],
}

/** Commands that bind ports of networks get those from settings, and `start` is told by its options whether the demo is meant. */
const SERVERS = ['operator', 'serve', 'start']
const WITHOUT_DATABASE = ['completion', 'help', 'pay-demo', 'record', 'replay']

for (const [name, [line, shown]] of fewOf(Object.entries(LINES), 3))
  test(`${name} means the networks of its settings`, async () => {
    const { text } = await run([...line, '--database', url]).ended
    assert.match(text, shown)
  })

test('every command is known to this test', async () => {
  const { commands } = await buildProgram()
  const known = [...Object.keys(LINES), ...SERVERS, ...WITHOUT_DATABASE]
  assert.deepEqual(
    commands.map((command) => command.name()).filter((name) => !known.includes(name)),
    [],
  )
})

test('no command has made tables of the demo', async () => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select 1 from pg_namespace where nspname = 'net_demo'`)
  await client.end()
  assert.equal(rows.length, 0)
})

test('a command of the default folder says which networks it means, and how to mean the demo', async () => {
  const { text } = await run(['audit', '--network', 'demo']).ended
  assert.match(
    text,
    /no settings name networks: those of the bundled recordings are meant \(main, test-1, test-2\), in \S+\.astrolabe/,
  )
  assert.match(text, /--data \.astrolabe means the demo that `start` made there/)
  assert.match(text, /there is no network demo: the configuration has main, test-1, test-2/)
})

test('a folder that is named decides: by option, by environment, by file', async () => {
  const file = join(folder, 'config.json')
  writeFileSync(file, JSON.stringify({ data: foreign }))
  const line = ['audit', '--network', 'none']
  for (const start of fewOf(
    [
      () => run([...line, '--data', '.astrolabe']),
      () => run(line, { ASTROLABE_DATA: foreign }),
      () => run([...line, '--config', file]),
    ],
    1,
  )) {
    const { text } = await start().ended
    assert.equal(text, 'astrolabe: there is no network none: the configuration has demo, devnet, test-1, test-2\n')
  }
})

test('a port for health that nobody chose is a free one where it is taken; one that was chosen ends the command', async (t) => {
  const holder = createServer()
  // A demo of this machine may have it: then it is taken, too.
  holder.on('error', () => {}).listen(OBSERVABILITY_PORT, '127.0.0.1')
  const own = createServer().listen(0, '127.0.0.1')
  t.after(() => [holder, own].map((server) => server.close()))
  await once(own, 'listening')
  const { port } = own.address() as { port: number }
  const node = await startNode({ recording: 'test-1', startHeight: 20 })
  const line = ['index', '--database', url, '--rpc', node.url]
  const refused = await run(line, { OBSERVABILITY_PORT: String(port) }).ended
  assert.equal(refused.code, 1)
  assert.match(refused.err, new RegExp(`port ${port} on 127.0.0.1 is taken: choose another one for observability`))
  const indexer = run(line, { OBSERVABILITY_PORT: undefined })
  const text = await indexer.says(/health and metrics are on a free port instead/)
  assert.match(text, new RegExp(`port ${OBSERVABILITY_PORT} is taken`))
  assert.equal((await indexer.stop()).code, 0)
})
