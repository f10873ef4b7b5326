import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { computeCommitment } from '../../decode/square/commitment.ts'
import type { SquareBlob } from '../../decode/square/shares.ts'
import { AstrolabeError, NodeFault } from '../../lib/errors.ts'
import type { Client } from '../../lib/turn-queue.ts'
import { Unavailable } from '../http/errors.ts'
import { SquareThread } from './thread.ts'

const aBlob = (bytes: number, fill = 7): SquareBlob => ({
  shareVersion: 0,
  namespace: Buffer.alloc(29, 1),
  data: Buffer.alloc(bytes, fill),
})

const free = (name: string): Client => ({ name, share: 1 })

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
    assert.deepEqual(await thread.run('commitment', blob, free('a')), computeCommitment(blob))
    assert.equal(thread.isRunning, false)
  })

  test('gives what would be computed here, while other requests get their turn', async () => {
    const blob = aBlob(1 << 20)
    const here = Promise.resolve().then(() => computeCommitment(blob))
    const there = thread.run('commitment', blob, free('a'))
    assert.ok((await countTurns(there)) > (await countTurns(here)))
    assert.deepEqual(Buffer.from(await there), Buffer.from(await here))
    assert.equal(thread.isRunning, true)
  })

  test('tells what was wrong, and continues', async () => {
    const rawTxs = [Buffer.alloc(1 << 18, 3)]
    const isFalse = (error: unknown) => error instanceof NodeFault && error.code === 'data_hash'
    await assert.rejects(thread.run('seal', { rawTxs, versionApp: 6, dataHash: 'AB'.repeat(32) }, free('a')), isFalse)
    assert.equal((await thread.run('commitment', aBlob(1 << 18), free('a'))).length, 32)
  })

  test('takes a number of bytes of each client and refuses more, while others find room', async () => {
    const busy = new SquareThread()
    const blob = aBlob(1 << 20)
    const ask = (name: string) => busy.run('commitment', blob, free(name)).catch((error: unknown) => error)
    const jobs = Array.from({ length: 129 }, () => ask('a'))
    assert.ok((await jobs.at(-1)!) instanceof Unavailable)
    const others = ['b', 'c'].map(ask)
    assert.ok((await others[0]) instanceof Uint8Array)
    await busy.close()
  })

  test('computes a square in turns, so that others do not wait for its end', async () => {
    const order: string[] = []
    const large = [Buffer.alloc(6 << 20, 3)]
    const square = thread
      .run('seal', { rawTxs: large, versionApp: 6, dataHash: 'AB'.repeat(32) }, free('a'))
      .catch(() => order.push('square'))
    // It is under way when the other one comes.
    await setImmediate()
    await Promise.all([square, thread.run('commitment', aBlob(1 << 18), free('b')).then(() => order.push('blob'))])
    assert.deepEqual(order, ['blob', 'square'])
  })

  test('fails its jobs when it ends, and comes back for the next one', async () => {
    const isLost = (error: unknown) => error instanceof AstrolabeError && error.code === 'square_thread'
    // Large enough to be under way still, however late this thread comes back to end the other one.
    const lost = assert.rejects(thread.run('commitment', aBlob(1 << 24), free('a')), isLost)
    await setImmediate()
    await thread.close()
    await lost
    assert.equal((await thread.run('commitment', aBlob(1 << 18), free('a'))).length, 32)
  })
})
