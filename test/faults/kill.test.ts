import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'
import { createSeededRandom } from '../../src/lib/random.ts'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { indexRecording, SCHEMA } from '../support/templates.ts'

/** Same seed, same moments; another seed by `SEED=… npm test`. */
const SEED = Number(process.env.SEED ?? 20261115)
const KILLS = Number(process.env.KILLS ?? 20)

let oracle: Record<string, string>

before(async () => {
  const url = await freshDatabase()
  await indexRecording(url, 'devnet')
  oracle = await digestOf(url)
})

function startIndexer(url: string, batchBlocks: number): ChildProcess {
  const recording = packagePath('data/recordings/devnet')
  return spawn(
    process.execPath,
    [
      packagePath('build/program/main.js'),
      'index',
      '--once',
      '--database',
      url,
      '--recording',
      recording,
      '--log-level',
      'silent',
    ],
    {
      stdio: 'ignore',
      env: { ...process.env, INDEX_BATCH_BLOCKS: String(batchBlocks) },
    },
  )
}

const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))

test(`an indexer killed ${KILLS} times (seed ${SEED}) ends with the tables of an undisturbed run`, async () => {
  const random = createSeededRandom(SEED)
  let url = await freshDatabase()
  let kills = 0
  while (kills < KILLS) {
    const child = startIndexer(url, 1 + Math.floor(random() * 12))
    const end = ended(child)
    const timer = setTimeout(() => child.kill('SIGKILL'), 250 + random() * 900)
    const code = await end
    clearTimeout(timer)
    if (code === null) kills++
    else {
      assert.equal(code, 0)
      assert.deepEqual(await digestOf(url), oracle)
      if (kills < KILLS) url = await freshDatabase()
    }
  }
  assert.equal(await ended(startIndexer(url, 100)), 0)
  assert.deepEqual(await digestOf(url), oracle)
})

test('killing the database server and the indexer together loses nothing', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'astrolabe-kill-'))
  try {
    const first = await startEmbedded({ directory })
    await migrate(first.url, SCHEMA, 'network')
    const child = startIndexer(first.url, 3)
    const end = ended(child)
    await new Promise((resolve) => setTimeout(resolve, 900))
    const postmaster = Number(readFileSync(join(directory, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(postmaster, 'SIGKILL')
    child.kill('SIGKILL')
    await end
    const second = await startEmbedded({ directory })
    await indexRecording(second.url, 'devnet')
    assert.deepEqual(await digestOf(second.url), oracle)
    await second.stop()
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})
