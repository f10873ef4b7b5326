import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'
import { createSeededRandom } from '../../src/lib/random.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { type Program, runCli } from '../support/program.ts'
import { indexRecording } from '../support/templates.ts'

/** Same seed, same moments; another seed by `SEED=… npm test`. */
const SEED = Number(process.env.SEED ?? 20261115)
const RECORDING = packagePath('data/recordings/devnet')

/** Digests of the tables after an undisturbed run. */
export let oracle: Record<string, string>

before(async () => {
  const url = await freshDatabase()
  await indexRecording(url, 'devnet')
  oracle = await digestOf(url)
})

export const startIndexer = (url: string, batchBlocks: number): Program =>
  runCli(['index', '--once', '--database', url, '--recording', RECORDING, '--log-level', 'silent'], {
    env: { INDEX_BATCH_BLOCKS: String(batchBlocks) },
  })

export const testKills = (kills: number): Promise<void> =>
  test(`an indexer killed ${kills} times (seed ${SEED}) ends with the tables of an undisturbed run`, async () => {
    const random = createSeededRandom(SEED)
    let url = await freshDatabase()
    let killed = 0
    while (killed < kills) {
      const { child, ended } = startIndexer(url, 1 + Math.floor(random() * 12))
      const timer = setTimeout(() => child.kill('SIGKILL'), 250 + random() * 900)
      const { code, text } = await ended
      clearTimeout(timer)
      if (code === null) killed++
      else {
        assert.equal(code, 0, text)
        assert.deepEqual(await digestOf(url), oracle)
        if (killed < kills) url = await freshDatabase()
      }
    }
    assert.equal((await startIndexer(url, 100).ended).code, 0)
    assert.deepEqual(await digestOf(url), oracle)
  })
