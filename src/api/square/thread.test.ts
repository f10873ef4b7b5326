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
    assert.deepEqual(await thread.run('commitment', blob, 'a'), computeCommitment(blob))
    assert.equal(thread.isRunning, false)
  })

  test('gives what would be computed here, while other requests get their turn', async () => {
    const blob = aBlob(1 << 20)
    const here = Promise.resolve().then(() => computeCommitment(blob))
    const there = thread.run('commitment', blob, 'a')
    assert.ok((await countTurns(there)) > (await countTurns(here)))
    assert.deepEqual(Buffer.from(await there), Buffer.from(await here))
    assert.equal(thread.isRunning, true)
  })

  test('tells what was wrong, and goes on', async () => {
    const txs = [Buffer.alloc(1 << 18, 3)]
    const isUnknownBlob = (error: unknown) => error instanceof AstrolabeError && error.code === 'blob_content'
    await assert.rejects(thread.run('proofs', { txs, versionApp: 1, tx: 5, index: 0 }, 'a'), isUnknownBlob)
    assert.equal((await thread.run('commitment', aBlob(1 << 18), 'a')).length, 32)
  })

  test('takes a number of bytes and refuses more', async () => {
    const busy = new SquareThread()
    const blob = aBlob(1 << 20)
    const jobs = Array.from({ length: 258 }, () => busy.run('commitment', blob, 'a').catch((error: unknown) => error))
    // The first one is under way, 256 MiB wait.
    assert.ok((await jobs.at(-1)!) instanceof Unavailable)
    await busy.close()
  })

  test('works for other blocks between the jobs of one block', async () => {
    const order: string[] = []
    const run = (group: string) => thread.run('commitment', aBlob(1 << 18), group).then(() => order.push(group))
    await Promise.all([run('a'), run('a'), run('a'), run('b'), run('c')])
    assert.deepEqual(order, ['a', 'a', 'b', 'c', 'a'])
  })

  test('fails its jobs when it ends, and comes back for the next one', async () => {
    const isLost = (error: unknown) => error instanceof AstrolabeError && error.code === 'square_thread'
    // Large enough to be under way still, however late this thread comes back to end the other one.
    const lost = assert.rejects(thread.run('commitment', aBlob(1 << 24), 'a'), isLost)
    await setImmediate()
    await thread.close()
    await lost
    assert.equal((await thread.run('commitment', aBlob(1 << 18), 'a')).length, 32)
  })
})
