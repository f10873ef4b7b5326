import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'
import { createSeededRandom } from '../../src/lib/random.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { type Program, runCli } from '../support/program.ts'
import { indexRecording } from '../support/templates.ts'

/** Same seed, same moments; another seed by `SEED=… npm test`. */
const SEED = Number(process.env.SEED ?? 20261115)

/** Digests of the tables after an undisturbed run. */
export async function makeOracle(recording: string): Promise<Record<string, string>> {
  const url = await freshDatabase()
  await indexRecording(url, recording)
  return await digestOf(url)
}

export const startIndexer = (url: string, recording: string, batchBlocks: number): Program =>
  runCli(
    ['index', '--once', '--database', url, '--recording', packagePath('data/recordings', recording), '--log-level', 'silent'],
    { env: { INDEX_BATCH_BLOCKS: String(batchBlocks) } },
  )

export const testKills = (recording: string, kills: number): Promise<void> =>
  test(`an indexer killed ${kills} times (seed ${SEED}) ends with the tables of an undisturbed run`, async () => {
    const oracle = await makeOracle(recording)
    const random = createSeededRandom(SEED)
    let url = await freshDatabase()
    let killed = 0
    while (killed < kills) {
      const { child, ended } = startIndexer(url, recording, 1 + Math.floor(random() * 12))
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
    assert.equal((await startIndexer(url, recording, 100).ended).code, 0)
    assert.deepEqual(await digestOf(url), oracle)
  })
