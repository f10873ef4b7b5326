import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Waker } from './waker.ts'

const settled = async (wait: Promise<void>): Promise<boolean> => {
  let isOver = false
  void wait.then(() => {
    isOver = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return isOver
}

test('a call that finds nobody ends the next wait, and only that one', async () => {
  const waker = new Waker()
  waker.wake()
  assert.equal(await settled(waker.wait()), true)
  const next = waker.wait()
  assert.equal(await settled(next), false)
  waker.wake()
  await next
})

test('a level wakes those who wait for a higher one, and is not kept for others then', async () => {
  const waker = new Waker()
  const [low, high] = [waker.wait({ above: 5 }), waker.wait({ above: 10 })]
  waker.wake(7)
  assert.deepEqual([await settled(low), await settled(high)], [true, false])
  assert.equal(await settled(waker.wait({ above: 5 })), false)
  waker.wake(11)
  assert.equal(await settled(high), true)
})

test('time and the signal end a wait', async (t) => {
  // A wait keeps no process alive.
  const alive = setInterval(() => {}, 1000)
  t.after(() => clearInterval(alive))
  const waker = new Waker()
  await waker.wait({ ms: 1 })
  const ending = new AbortController()
  const waiting = waker.wait({ signal: ending.signal })
  ending.abort()
  await waiting
  await waker.wait({ signal: ending.signal })
})
