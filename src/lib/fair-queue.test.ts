import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { FairQueue } from './fair-queue.ts'

/** Jobs that end when they are told to. */
function createJobs(queue: FairQueue) {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    add: (group: string, weight: number, name: string) =>
      queue.run(group, weight, () => {
        started.push(name)
        return new Promise<void>((resolve) => ends.set(name, resolve))
      }),
    end: async (name: string) => {
      ends.get(name)!()
      await setImmediate()
    },
  }
}

test('jobs run together up to the limit, and one that is heavier than it runs alone', async () => {
  const queue = new FairQueue(10)
  const { started, add, end } = createJobs(queue)
  for (const [name, weight] of Object.entries({ a: 4, b: 6, c: 1, d: 99, e: 1 })) void add(name, weight, name)
  await setImmediate()
  assert.deepEqual([started, queue.waiting], [['a', 'b'], 101])
  await end('a')
  assert.deepEqual(started, ['a', 'b', 'c'])
  await end('b')
  await end('c')
  assert.deepEqual(started, ['a', 'b', 'c', 'd'])
  await end('d')
  assert.deepEqual([started.at(-1), queue.waiting], ['e', 0])
})

test('groups take turns, and a job that fails lets the next one in', async () => {
  const queue = new FairQueue(0)
  const order: string[] = []
  const run = (group: string, name: string) => queue.run(group, 1, async () => void order.push(name))
  const failing = assert.rejects(queue.run('a', 1, () => Promise.reject(new Error('failed'))))
  await Promise.all([run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1'), run('b', 'b2'), run('c', 'c1'), failing])
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('a group that has as many jobs under way as it may have lets the others pass', async () => {
  const { started, add, end } = createJobs(new FairQueue(3, 2))
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void add(name[0]!, 1, name)
  await setImmediate()
  assert.deepEqual(started, ['a1', 'a2', 'b1'])
  await end('b1')
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'b2'])
  await end('a1')
  assert.deepEqual(started.at(-1), 'a3')
})
