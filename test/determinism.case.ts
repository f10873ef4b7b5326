import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Writer } from '../src/store/write/writer.ts'
import { devnetUrl, freshDatabase } from './support/database.ts'
import { digestOf } from './support/digest.ts'
import { longTest } from './support/long-test.ts'
import { indexRecording, SCHEMA } from './support/templates.ts'

/** Indexed without a break, in batches of 100 blocks by one thread. */
let oracle: Record<string, string>

before(async () => {
  oracle = await digestOf(devnetUrl)
})

/** Tests of the default run. */
export function testDeterminism(): void {
  test('batches of 7 blocks and two threads give the same tables', async () => {
    const url = await freshDatabase()
    await indexRecording(url, 'devnet', { rollups: true, until: 303 })
    await indexRecording(url, 'devnet', { rollups: true, batchBlocks: 7, threads: 2 })
    assert.deepEqual(await digestOf(url), oracle)
  })

  longTest('heights that share a record are taken back together, and reading on gives the same tables', async () => {
    const url = await freshDatabase('devnet')
    const { signal } = new AbortController()
    const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, signal)
    // Batches end early where blocks come slowly.
    const reach = await writer.listReach()
    const end = reach.findLastIndex((height, i) => i > 0 && height - reach[i - 1]! > 1)
    const below = reach[end - 1]!
    assert.equal(await writer.revertTo(below + 1), below)
    await writer.close()
    const short = await freshDatabase()
    await indexRecording(short, 'devnet', { rollups: true, until: below })
    assert.deepEqual(await digestOf(url, { undo: false }), await digestOf(short, { undo: false }))
    await indexRecording(url, 'devnet', { rollups: true })
    assert.deepEqual(await digestOf(url), oracle)
  })

  test('a height beyond all records cannot be taken back, and nothing changes', async () => {
    const url = await freshDatabase('devnet')
    const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, new AbortController().signal)
    await assert.rejects(writer.revertTo(-1), { code: 'undo_missing' })
    assert.equal(writer.head!.last_height, 403)
    await writer.close()
    assert.deepEqual(await digestOf(url), oracle)
  })

  test('an index that is cleared is read again from its beginning', async () => {
    const url = await freshDatabase()
    await indexRecording(url, 'test-1', { until: 40 })
    const before = await digestOf(url)
    const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, new AbortController().signal)
    await writer.clear()
    assert.equal(writer.head, undefined)
    await writer.close()
    await indexRecording(url, 'test-1', { until: 40 })
    assert.deepEqual(await digestOf(url), before)
  })
}

/** Tests of the long run. */
export function testDeterminismAtLength(): void {
  /** One by one: the first blocks, and the last hundred, which have a record of everything they change and more kinds of changes than the rest. */
  test('blocks one by one, by a writer that is stopped and started again, give the same tables', async () => {
    const url = await freshDatabase()
    await indexRecording(url, 'devnet', { rollups: true, batchBlocks: 1, until: 30 })
    await indexRecording(url, 'devnet', { rollups: true, until: 137 })
    await indexRecording(url, 'devnet', { rollups: true, until: 138 })
    await indexRecording(url, 'devnet', { rollups: true, until: 303 })
    await indexRecording(url, 'devnet', { rollups: true, batchBlocks: 1 })
    assert.deepEqual(await digestOf(url), oracle)
  })

  test('batches of 7 blocks from the first one on give the same tables', async () => {
    const url = await freshDatabase()
    await indexRecording(url, 'devnet', { rollups: true, batchBlocks: 7 })
    assert.deepEqual(await digestOf(url), oracle)
  })

  test('batches of 100 blocks and four threads give the same tables', async () => {
    const url = await freshDatabase()
    await indexRecording(url, 'devnet', { rollups: true, batchBlocks: 100, threads: 4 })
    assert.deepEqual(await digestOf(url), oracle)
  })

  test('taking back the last 100 blocks leaves the tables of the shorter chain, and going on those of the whole', async () => {
    const [long, short] = await Promise.all([freshDatabase('devnet'), freshDatabase()])
    await indexRecording(short, 'devnet', { rollups: true, until: 303 })
    const writer = await Writer.open({ url: long, schema: SCHEMA, undoDepth: 100 }, new AbortController().signal)
    await writer.revertTo(303)
    await writer.close()
    assert.deepEqual(await digestOf(long, { undo: false }), await digestOf(short, { undo: false }))
    await indexRecording(long, 'devnet', { rollups: true })
    assert.deepEqual(await digestOf(long), oracle)
  })
}
