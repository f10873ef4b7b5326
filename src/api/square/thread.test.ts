import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { computeCommitment } from '../../decode/square/commitment.ts'
import type { SquareBlob } from '../../decode/square/shares.ts'
import { AstrolabeError } from '../../lib/errors.ts'
import { Unavailable } from '../http/errors.ts'
import { SquareThread } from './thread.ts'

const aBlob = (bytes: number, fill = 7): SquareBlob => ({
  shareVersion: 0,
  namespace: Buffer.alloc(29, 1),
  data: Buffer.alloc(bytes, fill),
})

/** Turns of the event loop until a promise settles. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await setImmediate()
    turns++
  }
  await done
  return turns
}

describe('the thread for large blobs', () => {
  const thread = new SquareThread()
  after(() => thread.close())

  test('is not started for what is done at once', async () => {
    const blob = aBlob(1000)
    assert.deepEqual(await thread.run('commitment', blob), computeCommitment(blob))
    assert.equal(thread.isRunning, false)
  })

  test('gives what would be computed here, while other requests get their turn', async () => {
    const blob = aBlob(1 << 20)
    const here = Promise.resolve().then(() => computeCommitment(blob))
    const there = thread.run('commitment', blob)
    assert.ok((await countTurns(there)) > (await countTurns(here)))
    assert.deepEqual(Buffer.from(await there), Buffer.from(await here))
    assert.equal(thread.isRunning, true)
  })

  test('tells what was wrong, and goes on', async () => {
    const txs = [Buffer.alloc(1 << 18, 3)]
    const isUnknownBlob = (error: unknown) => error instanceof AstrolabeError && error.code === 'blob_content'
    await assert.rejects(thread.run('proofs', { txs, versionApp: 1, tx: 5, index: 0 }), isUnknownBlob)
    assert.equal((await thread.run('commitment', aBlob(1 << 18))).length, 32)
  })

  test('takes a number of jobs and refuses more', async () => {
    const jobs = Array.from({ length: 33 }, (_, i) => thread.run('commitment', aBlob(1 << 17, i)))
    const results = await Promise.allSettled(jobs)
    assert.deepEqual(
      results.filter(({ status }) => status === 'rejected').map((result) => (result as PromiseRejectedResult).reason.code),
      ['overloaded'],
    )
    assert.ok((results.at(-1) as PromiseRejectedResult).reason instanceof Unavailable)
  })

  test('fails its jobs when it ends, and comes back for the next one', async () => {
    const isLost = (error: unknown) => error instanceof AstrolabeError && error.code === 'square_thread'
    const lost = assert.rejects(thread.run('commitment', aBlob(1 << 20)), isLost)
    await thread.close()
    await lost
    assert.equal((await thread.run('commitment', aBlob(1 << 18))).length, 32)
  })
})
