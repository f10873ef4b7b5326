import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Batcher } from './batcher.ts'

test('what comes while a batch runs is the next batch, and each caller gets its own answer', async () => {
  const batches: number[][] = []
  const batcher = new Batcher(async (items: number[]) => {
    batches.push(items)
    await new Promise((resolve) => setImmediate(resolve))
    return items.map((item) => item * 10)
  }, 3)
  const first = [1, 2, 3, 4].map((item) => batcher.add(item))
  await first[0]
  const later = batcher.add(5)
  assert.deepEqual(await Promise.all([...first, later]), [10, 20, 30, 40, 50])
  assert.deepEqual(batches.slice(0, 2), [[1, 2, 3], [4]])
})

test('a batch that fails fails for its callers only', async () => {
  let runs = 0
  const batcher = new Batcher(async (items: number[]) => {
    if (++runs === 1) throw new Error('away')
    return items
  }, 2)
  const outcomes = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  )
})
