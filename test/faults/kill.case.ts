import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { before, test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'
import { createSeededRandom } from '../../src/lib/random.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { indexRecording } from '../support/templates.ts'

/** Same seed, same moments; another seed by `SEED=… npm test`. */
const SEED = Number(process.env.SEED ?? 20261115)

/** Digests of the tables after an undisturbed run. */
export let oracle: Record<string, string>

before(async () => {
  const url = await freshDatabase()
  await indexRecording(url, 'devnet')
  oracle = await digestOf(url)
})

export function startIndexer(url: string, batchBlocks: number): ChildProcess {
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

export const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))

export const testKills = (kills: number): Promise<void> =>
  test(`an indexer killed ${kills} times (seed ${SEED}) ends with the tables of an undisturbed run`, async () => {
    const random = createSeededRandom(SEED)
    let url = await freshDatabase()
    let killed = 0
    while (killed < kills) {
      const child = startIndexer(url, 1 + Math.floor(random() * 12))
      const end = ended(child)
      const timer = setTimeout(() => child.kill('SIGKILL'), 250 + random() * 900)
      const code = await end
      clearTimeout(timer)
      if (code === null) killed++
      else {
        assert.equal(code, 0)
        assert.deepEqual(await digestOf(url), oracle)
        if (killed < kills) url = await freshDatabase()
      }
    }
    assert.equal(await ended(startIndexer(url, 100)), 0)
    assert.deepEqual(await digestOf(url), oracle)
  })
