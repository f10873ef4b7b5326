// Segments in a real S3 server (moto from PyPI): a recording is indexed, its final heights move into a bucket that goes away, is slow and
// is damaged on the way, and everything that is read afterwards equals what the rows held before. Before that, `astrolabe export` writes
// into the same server, and DuckDB counts in the files what the rows hold. Option: --golden DIR (compare.mjs and truth.mjs of the reference
// answers, asked of `serve` over the bucket).
import { execFile, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { built } from '../../scripts/built.mjs'
import { root } from '../../scripts/stamp.mjs'
import { compareAnswers, configOf, startServing } from './programs.mjs'
import { runTrial, skip } from './trial.mjs'

const { freePort } = await built('src/lib/free-port.js')
const { openRecordingSource } = await built('src/chain/recording/source.js')
const { openObjectStore } = await built('src/lib/object-store/open.js')
const { PreparePool } = await built('src/pipeline/prepare-pool.js')
const { run } = await built('src/pipeline/run.js')
const { rebuildRecords } = await built('src/pipeline/rebuild-segment.js')
const { openReader } = await built('src/store/db.js')
const { startEmbedded } = await built('src/store/embedded/server.js')
const { migrate, SHARED_SCHEMA } = await built('src/store/migrations/migrate.js')
const { unpackEvents } = await built('src/store/pack/event-pack.js')
const { readSealed, unsealedBytes } = await built('src/store/segments/sealed.js')
const { findBadSegments, hashAt, replaceSegment } = await built('src/store/segments/repair.js')
const { openSealer } = await built('src/store/segments/run-sealer.js')
const { removeOrphans, sealNext } = await built('src/store/segments/seal.js')
const { SegmentReader } = await built('src/store/segments/segment-reader.js')
const { loadRollups } = await built('src/store/rollups/edit-rollups.js')
const { Writer } = await built('src/store/write/writer.js')

const { values: options } = parseArgs({ options: { golden: { type: 'string' } } })
const SCHEMA = 'net_main'
const PLACE = 's3://astrolabe/try'
const RECORDING = join(root, 'data/recordings/devnet')

await runTrial('s3', tryBucket)

async function tryBucket({ folder, programs, check, afterwards, signal }) {
  const server = process.env.MOTO_SERVER ?? installMoto()
  const port = await freePort()
  const s3 = spawn(server, ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  afterwards(() => s3.kill())
  const way = await openWay(port)
  afterwards(() => way.close())
  const access = { endpoint: `http://127.0.0.1:${way.port}`, region: 'us-east-1', access_key_id: 'try', secret_access_key: 'try' }
  await makeBucket()
  const database = await startEmbedded({ directory: join(folder, 'data') })
  afterwards(() => database.stop())
  const { url } = database
  await migrate(url, SHARED_SCHEMA, 'shared')
  await migrate(url, SCHEMA, 'network')
  await loadRollups(url, SCHEMA, join(RECORDING, 'rollups.json'))
  await index(url)
  const rows = openReader({ url, schema: SCHEMA, max: 1 })
  await tryExport(url, rows)
  await rows.end()
  const store = openObjectStore(PLACE, access)
  const db = openReader({ url, schema: SCHEMA, max: 2, segments: new SegmentReader(store, 2 ** 22) })
  const client = await openSealer(url, SCHEMA)
  const before = await dump(db)
  const seal = () => sealNext(client, { store, prefix: 'main', heights: 60 })

  way.mode = 'away'
  const refused = await seal().then(
    () => 'sealed',
    ({ code }) => code,
  )
  check('a bucket that is away is told, and nothing moves', refused === 'bucket_unavailable' && (await dump(db)) === before)
  way.mode = 'slow'
  check('a slow bucket takes its segment', (await seal())?.last === 60)
  way.mode = 'cut'
  await seal().catch(() => {})
  way.mode = 'open'
  let sealed = 1
  while (await seal()) sealed++
  await store.put('main/0000000999-0000000999-0000000000000000.segment', new Uint8Array(10))
  check('an orphan is removed, and only it', (await removeOrphans(client, store, 'main')) === 1)
  check(`${sealed} segments hold what the rows held`, sealed === 5 && (await dump(db)) === before)

  const objects = []
  for await (const object of store.list('main/')) objects.push(object)
  const [{ key: damaged, size }, { key: removed }] = [objects[1], objects[3]]
  const bytes = await store.getRange(damaged, 0, size)
  bytes[200] ^= 1
  await store.put(damaged, bytes)
  await store.delete(removed)
  const source = await openRecordingSource(RECORDING)
  const { chainId } = await source.head(signal)
  let repaired = 0
  for await (const { first_height: first, last_height: last } of findBadSegments(db, store)) {
    const records = await rebuildRecords({ source, chainId, hashAt: (height) => hashAt(client, height) }, { first, last }, signal)
    await replaceSegment(client, { store, prefix: 'main' }, { first, last }, records)
    repaired++
  }
  await source.close()
  await db.end()
  const fresh = openReader({ url, schema: SCHEMA, max: 2, segments: new SegmentReader(store, 2 ** 22) })
  check('a damaged and a missing segment are made again', repaired === 2 && (await dump(fresh)) === before)
  await fresh.end()
  await client.end()
  if (options.golden !== undefined) await compare(url)

  function installMoto() {
    if (spawnSync('moto_server', ['--help']).status === 0) return 'moto_server'
    if (spawnSync('python3', ['-m', 'venv', join(folder, 'venv')]).status !== 0) skip('python3 with venv is not installed')
    if (spawnSync(join(folder, 'venv/bin/pip'), ['install', '--quiet', 'moto[server]']).status !== 0)
      skip('moto[server] cannot be installed from PyPI')
    return join(folder, 'venv/bin/moto_server')
  }

  /** The way to the bucket, which can be closed, slow, or cut after the request was sent. */
  async function openWay(target) {
    const state = { mode: 'open', port: 0, close: () => {} }
    const proxy = createServer((from) => {
      if (state.mode === 'away') return from.destroy()
      const to = connect(target, '127.0.0.1')
      for (const socket of [from, to]) socket.on('error', () => {})
      const { mode } = state
      from.on('data', async (data) => {
        if (mode === 'slow') await setTimeout(300)
        to.write(data)
      })
      to.on('data', (data) => (mode === 'cut' ? from.destroy() : from.write(data)))
      from.on('close', () => to.destroy())
      to.on('close', () => from.destroy())
    })
    await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    state.port = proxy.address().port
    state.close = () => proxy.close()
    return state
  }

  async function makeBucket() {
    for (let tries = 0; tries < 100; tries++) {
      const answer = await fetch(`http://127.0.0.1:${port}/astrolabe`, { method: 'PUT' }).catch(() => undefined)
      if (answer?.ok) return
      await setTimeout(200)
    }
    throw new Error('the S3 server does not answer')
  }

  async function index(url) {
    const source = await openRecordingSource(RECORDING)
    const pool = new PreparePool(1, { forSegments: true })
    const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, signal)
    await run(source, writer, pool, { batchBlocks: 100, follow: false, maxRollbackDepth: 100 }, signal)
    await writer.close()
    await pool.close()
    await source.close()
  }

  /** The command writes into the bucket; what DuckDB counts in the files is what the rows hold. */
  async function tryExport(url, db) {
    const place = 's3://astrolabe/export'
    await runExport(url, [place, '--heights-per-file', '100'])
    const store = openObjectStore(place, access)
    const { keys, folder: files } = await fetchAll(store)
    check(`astrolabe export writes ${keys.length} files into a bucket`, keys.includes('manifest.json'))
    await runExport(url, [place, '--heights-per-file', '100'])
    check('it adds nothing when it is run again', (await fetchAll(store)).keys.join() === keys.join())
    const checked = await runExport(url, [place, '--check'])
    check(`the files are as exported: ${checked.trim()}`, /all as exported/.test(checked))
    const { DuckDBInstance } = await import('@duckdb/node-api').catch(() => skip('@duckdb/node-api is not installed'))
    const duck = await (await DuckDBInstance.create()).connect()
    const ask = async (text) => (await duck.runAndReadAll(text)).getRowsJson()[0].map(String)
    const [last] = await ask(`select max(height) from '${files}/blocks/*.parquet'`)
    for (const [dataset, table] of Object.entries({ blocks: 'block', txs: 'tx', messages: 'message', blobs: 'blob' })) {
      const [theirs] = await ask(`select count(*) from '${files}/${dataset}/*.parquet'`)
      const [{ count }] = await db`select count(*)::text from ${db(table)} where height <= ${last}`
      if (theirs !== count) throw new Error(`DuckDB counts ${theirs} ${dataset} up to height ${last}, the rows are ${count}`)
      console.log(`     ${dataset} up to height ${last}: ${count}`)
    }
    check('DuckDB counts in the files what the rows hold', Number(last) > 300)
    duck.closeSync()
  }

  function runExport(url, words) {
    const { endpoint, region, access_key_id, secret_access_key } = access
    const config = join(folder, 'export.json')
    writeFileSync(config, JSON.stringify({ object_storage: { endpoint, region, access_key_id, secret_access_key } }))
    const args = [join(root, 'bin/astrolabe.cjs'), 'export', ...words, '--database', url, '--data', folder, '--config', config]
    return new Promise((resolve, reject) => {
      execFile(process.execPath, args, (error, out, err) => (error ? reject(new Error(err)) : resolve(out)))
    })
  }

  /** All objects of a store as files. */
  async function fetchAll(store) {
    const target = join(folder, 'fetched')
    const keys = []
    for await (const { key, size } of store.list('')) {
      keys.push(key)
      mkdirSync(dirname(join(target, key)), { recursive: true })
      writeFileSync(join(target, key), await store.getRange(key, 0, size))
    }
    return { keys, folder: target }
  }

  /** Everything that may be in segments, from wherever it is now. */
  async function dump(db) {
    const hash = createHash('sha256')
    const events = (bytes) => hash.update(JSON.stringify(unpackEvents(bytes)))
    for (const { height, bytes } of await db`select height, ${unsealedBytes(db, 'block')} as bytes from block b order by 1`)
      events(bytes ?? (await readSealed(db, 'block', height, 0)))
    for (const { height, id, bytes } of await db`select height, id, ${unsealedBytes(db, 'tx')} as bytes from tx t order by 1, 2`)
      events(bytes ?? (await readSealed(db, 'tx', height, id)))
    for (const {
      height,
      id,
      bytes,
    } of await db`select height, id, ${unsealedBytes(db, 'message')} as bytes from message m order by 1, 2`)
      hash.update(bytes ?? (await readSealed(db, 'message', height, id)))
    for (const {
      height,
      bytes,
    } of await db`select b.height, t.txs as bytes from block b left join block_txs t using (height) where b.height > 0 order by 1`)
      hash.update(bytes ?? (await readSealed(db, 'txs', height, 0)))
    return hash.digest('hex')
  }

  /** Every answer of the reference, from rows and segments together: there is no node that could give what a segment lacks. */
  async function compare(url) {
    const config = join(folder, 'config.json')
    writeFileSync(config, JSON.stringify(configOf({ rpc: ['http://127.0.0.1:9'] })))
    const api = await startServing(programs, config, {
      PATH: process.env.PATH,
      DATABASE_URL: url,
      KEY_PEPPER: 'a pepper for the bucket that is tried',
      ASTROLABE_DATA: join(folder, 'serving'),
      OBSERVABILITY_PORT: '0',
      SEGMENTS: PLACE,
      AWS_ENDPOINT_URL_S3: access.endpoint,
      AWS_REGION: access.region,
      AWS_ACCESS_KEY_ID: access.access_key_id,
      AWS_SECRET_ACCESS_KEY: access.secret_access_key,
    })
    for await (const { name, isRight, summary } of compareAnswers(programs, options.golden, api, RECORDING))
      check(`${name} over segments in the bucket: ${summary}`, isRight)
  }
}
