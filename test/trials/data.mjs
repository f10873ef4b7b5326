// Exports of a recording, read by the tools of analysts (polars, pandas, pyarrow, DuckDB, pyiceberg and Spark from PyPI): counts and sums are those of
// the index, sums beyond 2^31 do not overflow, and a run that is killed leaves the snapshots of Iceberg tables that were there. The four questions of
// docs/export.md are answered by its commands. PYTHON names an interpreter that has the packages; without it they are installed into a virtual
// environment. Spark needs Java, and Maven for the library of Iceberg.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { built } from '../../scripts/built.mjs'
import { root } from '../../scripts/stamp.mjs'
import { runTrial, skip } from './trial.mjs'

const { openRecordingSource } = await built('src/chain/recording/source.js')
const { FORMATS } = await built('src/export/format.js')
const { PreparePool } = await built('src/pipeline/prepare-pool.js')
const { run } = await built('src/pipeline/run.js')
const { openReader } = await built('src/store/db.js')
const { startEmbedded } = await built('src/store/embedded/server.js')
const { blobs } = await built('src/store/export/chain.js')
const { readDataset } = await built('src/store/export/dataset.js')
const { loadRollups } = await built('src/store/rollups/edit-rollups.js')
const { migrate, SHARED_SCHEMA } = await built('src/store/migrations/migrate.js')
const { Writer } = await built('src/store/write/writer.js')

const SCHEMA = 'net_main'
const RECORDING = join(root, 'data/recordings/devnet')
const FINAL = 303
// The extensions of DuckDB and the library for Spark are of the versions that they are for.
const DUCKDB = '1.5.5'
const PACKAGES = [
  'polars',
  'pandas',
  'pyarrow',
  'pyiceberg',
  'pyspark==3.5.6',
  ...['duckdb', 'duckdb-cli', 'duckdb-extension-avro', 'duckdb-extension-iceberg'].map((name) => `${name}==${DUCKDB}`),
]
const SPARK_LIBRARY = 'org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.9.2'

await runTrial('data', tryReaders)

async function tryReaders({ folder, programs, check, afterwards, signal }) {
  const python = process.env.PYTHON ?? installPython(folder)
  const database = await startEmbedded({ directory: join(folder, 'data') })
  afterwards(() => database.stop())
  const { url } = database
  await migrate(url, SHARED_SCHEMA, 'shared')
  await migrate(url, SCHEMA, 'network')
  await index(url, signal)
  await loadRollups(url, SCHEMA, join(RECORDING, 'rollups.json'))
  const db = openReader({ url, schema: SCHEMA, max: 2, statementTimeoutMs: 0 })
  const large = join(folder, 'large.parquet')
  await writeLargeBlobs(db, large)
  const tables = join(folder, 'tables')
  const command = exportCommand(url, folder, tables)
  const readersAgree = (what, expected) => {
    const args = [join(root, 'test/trials/read_export.py'), tables, large, JSON.stringify(expected)]
    check(what, spawnSync(python, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0)
  }
  execFileSync(process.execPath, [...command, '--to', '150'], { stdio: 'ignore' })
  await killExport(command, tables)
  readersAgree('after a run that was killed the old snapshot is read', { blocks: 151 })
  execFileSync(process.execPath, command, { stdio: 'ignore' })
  const [row] = await db`
    select (select count(*) from block where height <= ${FINAL})::integer as blocks, (select count(*) from blob where height <= ${FINAL})::integer as blobs,
           (select sum(size) from blob where height <= ${FINAL})::text as bytes, (select count(*) from validator)::integer as validators,
           (select sum(fee) from tx where height <= ${FINAL})::text as fees`
  readersAgree('counts and sums are those of the index', row)
  trySpark(python, folder, tables, row, check)
  const questions = await import('./questions.mjs')
  await questions.askFour({ programs, check, url, folder, tables, bin: dirname(python) })
  await db.end()
}

function installPython(folder) {
  if (spawnSync('python3', ['-m', 'venv', join(folder, 'venv')]).status !== 0) skip('python3 with venv is not installed')
  const pip = join(folder, 'venv/bin/pip')
  if (spawnSync(pip, ['install', '--quiet', ...PACKAGES]).status !== 0)
    skip(`${PACKAGES.join(', ')} cannot be installed from PyPI`)
  return join(folder, 'venv/bin/python')
}

/** Iceberg tables in Spark with two workers, each its own process. */
function trySpark(python, folder, tables, expected, check) {
  const jars = join(folder, 'jars')
  mkdirSync(jars)
  const copy = ['-q', 'dependency:copy', `-Dartifact=${SPARK_LIBRARY}`, `-DoutputDirectory=${jars}`]
  if (spawnSync('java', ['-version']).status !== 0) return console.log('skipped: Spark, because java is not installed')
  if (spawnSync('mvn', copy, { cwd: jars }).status !== 0)
    return console.log(`skipped: Spark, because Maven cannot fetch ${SPARK_LIBRARY}`)
  const args = [join(root, 'test/trials/read_spark.py'), tables, join(jars, readdirSync(jars)[0]), JSON.stringify(expected)]
  check('two workers of Spark count the same', spawnSync(python, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0)
}

async function index(url, signal) {
  const source = await openRecordingSource(RECORDING)
  const pool = new PreparePool(1, {})
  const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, signal)
  await run(source, writer, pool, { batchBlocks: 100, follow: false, maxRollbackDepth: 100 }, signal)
  await writer.close()
  await pool.close()
  await source.close()
}

/** 3,000 blobs of 1.9 MB: more bytes than 32 bits count. */
async function writeLargeBlobs(db, path) {
  const [row] = (await readDataset(db, blobs, { from: 0, to: FINAL }).next()).value
  const writer = FORMATS.parquet.open(blobs)
  await writer.add(Array.from({ length: 3000 }, () => ({ ...row, size: 1_900_000 })))
  writeFileSync(path, await writer.finish())
}

function exportCommand(url, folder, place) {
  const command = [join(root, 'bin/astrolabe.cjs'), 'export', place, '--format', 'iceberg', '--heights-per-file', '50']
  return [...command, '--database', url, '--data', folder]
}

/** Ends an export once it has written files of new heights. */
async function killExport(command, place) {
  const child = spawn(process.execPath, command, { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const written = join(place, 'txs/0000000151-0000000199.parquet')
  while (!existsSync(written) && child.exitCode === null) await setTimeout(5)
  child.kill('SIGKILL')
  await ended
}
