import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { LoopTurns } from './loop-turns.ts'

/** Work of so many milliseconds by its own clock, and a note of each turn of the loop. */
function watch() {
  let now = 0
  const turns = new LoopTurns(() => now)
  const log: string[] = []
  const work = async (client: string, ms: number) => {
    const wait = turns.take(client)
    if (wait) await wait
    now += ms
    log.push(client)
  }
  const watchLoop = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await setImmediate()
      log.push('|')
    }
  }
  return { log, work, watchLoop }
}

test('pieces of work that take long have a turn of the loop each', async () => {
  const { log, work, watchLoop } = watch()
  await Promise.all([watchLoop(3), work('a', 8), work('a', 8), work('a', 8)])
  assert.deepEqual(log, ['a', '|', 'a', '|', 'a', '|'])
})

test('short ones share a turn, and the next one that comes finds a new one', async () => {
  const { log, work, watchLoop } = watch()
  await Promise.all([work('a', 1), work('a', 1), work('b', 1), watchLoop(1)])
  assert.deepEqual(log, ['a', 'a', 'b', '|'])
  await Promise.all([work('a', 1), watchLoop(1)])
  assert.deepEqual(log.slice(4), ['a', '|'])
})

test('a client with many waits for others in between', async () => {
  const { log, work } = watch()
  await Promise.all([work('a', 8), work('a', 8), work('a', 8), work('a', 8), work('b', 8)])
  assert.deepEqual(log, ['a', 'a', 'b', 'a', 'a'])
})
