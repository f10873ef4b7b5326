import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createSeededRandom } from '../../src/lib/random.ts'
import { digestOf } from '../support/digest.ts'
import { runScript } from '../support/program.ts'
import { databaseWithTxs } from './index-with-txs.ts'

/** Another seed by `SEED=… npm test`. */
const SEED = Number(process.env.SEED ?? 20261116)
/** Of a segment: 403 heights make 15, because the last hundred can be taken back. */
const HEIGHTS = '20'
/** Each segment has three steps: its object, its rows, done. */
const MOST_STEPS = 8
const MOST_MS = 10

function killAfter(child: ChildProcess, steps: number, ms: number): void {
  let left = steps
  child.on('message', () => {
    if (--left === 0) setTimeout(() => child.kill('SIGKILL'), ms)
  })
}

/** Keys name their content, so equal names are equal segments. */
async function resultOf(url: string, folder: string): Promise<{ tables: Record<string, string>; files: string[] }> {
  return { tables: await digestOf(url), files: (await readdir(join(folder, 'main'))).sort() }
}

export const testSealerKills = (kills: number): Promise<void> =>
  test(`a sealer killed ${kills} times (seed ${SEED}) leaves the rows and segments of an undisturbed one`, async () => {
    const random = createSeededRandom(SEED)
    const work = await mkdtemp(join(tmpdir(), 'astrolabe-seal-kill-'))
    const open = async () => {
      const url = await databaseWithTxs()
      return { url, folder: join(work, new URL(url).pathname.slice(1)) }
    }
    const seal = ({ url, folder }: { url: string; folder: string }) =>
      runScript('segments/seal-process.js', [url, folder, HEIGHTS], { channel: true })
    try {
      const undisturbed = await open()
      assert.equal((await seal(undisturbed).ended).code, 0)
      const expected = await resultOf(undisturbed.url, undisturbed.folder)
      assert.equal(expected.files.length, 15)
      for (let killed = 0; killed < kills; ) {
        const disturbed = await open()
        for (let code: number | null = null; code === null; ) {
          const { child, ended } = seal(disturbed)
          if (killed < kills) killAfter(child, 1 + Math.floor(random() * MOST_STEPS), random() * MOST_MS)
          const { text, ...end } = await ended
          code = end.code
          if (code === null) killed++
          else assert.equal(code, 0, text)
        }
        assert.deepEqual(await resultOf(disturbed.url, disturbed.folder), expected)
      }
    } finally {
      await rm(work, { recursive: true, force: true })
    }
  })
