// Indexes the recorded chain into a hundred partitions and serves it: every table must equal that of plain tables. Options: --golden DIR
// (compare.mjs and truth.mjs of the reference answers), --heights N (of a partition), --segments (final heights are moved into segments in a
// folder before the answers are compared), --replica (answers come from a streaming replica).
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { built } from '../../scripts/built.mjs'
import { root } from '../../scripts/stamp.mjs'
import { compareAnswers, configOf, listDiffering, startServing } from './programs.mjs'
import { runTrial } from './trial.mjs'

const { values: options } = parseArgs({
  options: {
    golden: { type: 'string' },
    heights: { type: 'string', default: '4' },
    segments: { type: 'boolean', default: false },
    replica: { type: 'boolean', default: false },
  },
})
const SCHEMA = 'net_main'
const RECORDING = join(root, 'data/recordings/devnet')
const SEGMENT_HEIGHTS = 60

const { startCluster } = await built('test/support/cluster.js')
const { digestTables } = await built('test/support/dump-tables.js')
const { openObjectStore } = await built('src/lib/object-store/open.js')
const { openSealer } = await built('src/store/segments/run-sealer.js')
const { sealNext } = await built('src/store/segments/seal.js')

await runTrial('partitions', tryPartitions, { minutes: 10 })

async function tryPartitions({ folder, programs, check, afterwards }) {
  const segments = join(folder, 'segments')
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify(configOf({ recording: RECORDING })))
  const cluster = await startCluster(options.replica ? 1 : 0)
  afterwards(() => cluster.stop())

  const environment = (url) => ({
    PATH: process.env.PATH,
    DATABASE_URL: url,
    KEY_PEPPER: 'a pepper for the partitions that are tried',
    ASTROLABE_DATA: join(folder, 'home'),
    OBSERVABILITY_PORT: '0',
  })

  async function withClient(url, work) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  const urlAt = (server, name) => Object.assign(new URL(server.url), { pathname: `/${name}` }).toString()

  async function index(name, { isPartitioned }) {
    await withClient(cluster.primary.url, (client) => client.query(`create database ${name}`))
    const url = urlAt(cluster.primary, name)
    const once = (...args) => programs.once([...args, '--config', config], environment(url))
    await once('rollups', 'load', join(RECORDING, 'rollups.json'))
    if (isPartitioned) await once('partitions', 'make', '--heights', options.heights)
    await once('index', '--once')
    return url
  }

  /** Moves all final heights; returns the number of segments. */
  async function seal(url) {
    const store = openObjectStore(segments)
    const client = await openSealer(url, SCHEMA)
    let sealed = 0
    while (await sealNext(client, { store, prefix: 'main', heights: SEGMENT_HEIGHTS })) sealed++
    await client.end()
    return sealed
  }

  /** Until the replica shows what the primary has written so far. */
  async function untilLevel(standby) {
    const ask = (server, text) => withClient(server.url, async (client) => (await client.query(text)).rows[0])
    const { written } = await ask(cluster.primary, 'select pg_current_wal_lsn() as written')
    const isLevel = async () => (await ask(standby, `select pg_last_wal_replay_lsn() >= '${written}' as is_level`)).is_level
    while (!(await isLevel())) await sleep(50)
  }

  const plain = await index('plain', { isPartitioned: false })
  const cut = await index('cut', { isPartitioned: true })
  const dump = (client) => digestTables(client, SCHEMA)
  const count = await withClient(cut, (client) =>
    client.query(`select count(*) as n from pg_inherits where inhparent = '${SCHEMA}.tx'::regclass`),
  )
  const differing = listDiffering(await withClient(plain, dump), await withClient(cut, dump))
  check(
    `every table of an index in ${count.rows[0].n} partitions equals that of plain tables`,
    differing.length === 0,
    differing.join(', '),
  )
  const env = environment(cut)
  const places = []
  if (options.segments) {
    const sealed = await seal(cut)
    check('final heights are in segments', sealed > 0, String(sealed))
    env.SEGMENTS = segments
    // There is no node that could give what a segment lacks.
    writeFileSync(config, JSON.stringify(configOf({ rpc: ['http://127.0.0.1:9'] })))
    places.push('segments')
  }
  if (options.replica) {
    const [standby] = cluster.standbys
    await untilLevel(standby)
    env.DATABASE_READ_URL = urlAt(standby, 'cut')
    places.push('a replica')
  }
  if (options.golden !== undefined) {
    const api = await startServing(programs, config, env)
    for await (const { name, isRight, summary } of compareAnswers(programs, options.golden, api, RECORDING))
      check(`${name} over ${['partitions', ...places].join(' and ')}`, isRight, summary)
  }
}
