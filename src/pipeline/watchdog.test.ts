import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../test/clocks.ts'
import type { SourceHead } from '../chain/source.ts'
import { CommitWatchdog, WATCHDOG_LIMITS } from './watchdog.ts'

/** A head whose block is `height` times `blockMs` old on the chain's clock. */
const headAt = (height: number, blockMs = 1000): SourceHead => ({
  chainId: 'c',
  height,
  time: new Date(height * blockMs).toISOString(),
  earliest: 1,
  catchingUp: false,
})

/** Time passes while the source answers every second. */
async function watch(clock: ManualClock, dog: CommitWatchdog, head: SourceHead, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1000) {
    dog.sawHead(head)
    await clock.advance(Math.min(1000, left))
  }
}

test('30 s without a commit while the head advances are a stall', async () => {
  const clock = new ManualClock()
  const dog = new CommitWatchdog(clock, WATCHDOG_LIMITS, 10)
  dog.sawHead(headAt(10))
  await watch(clock, dog, headAt(12), 29_999)
  assert.equal(dog.findStall(), undefined)
  await clock.advance(1)
  assert.deepEqual(dog.findStall(), { sourceHeight: 12, committedHeight: 10, silentMs: 30_000 })
  dog.sawCommit(11)
  assert.equal(dog.findStall(), undefined)
})

test('slow chains have five block times', async () => {
  const clock = new ManualClock()
  const dog = new CommitWatchdog(clock, WATCHDOG_LIMITS, 10)
  dog.sawHead(headAt(10, 12_000))
  await watch(clock, dog, headAt(12, 12_000), 59_999)
  assert.equal(dog.findStall(), undefined)
  await clock.advance(1)
  assert.ok(dog.findStall())
})

test('silence of the source is not ours, and what it has when it is back has its full time', async () => {
  const clock = new ManualClock()
  const dog = new CommitWatchdog(clock, WATCHDOG_LIMITS, 10)
  dog.sawHead(headAt(10))
  await watch(clock, dog, headAt(11), 10_000)
  await clock.advance(3_600_000)
  assert.equal(dog.findStall(), undefined)
  await watch(clock, dog, headAt(500), 29_000)
  assert.equal(dog.findStall(), undefined)
  await watch(clock, dog, headAt(501), 1000)
  assert.ok(dog.findStall())
})

test('a chain that stands still, or that we are ahead of, is no stall', async () => {
  const clock = new ManualClock()
  const dog = new CommitWatchdog(clock, WATCHDOG_LIMITS, 10)
  dog.sawHead(headAt(50))
  await clock.advance(3_600_000)
  dog.sawHead(headAt(50))
  assert.equal(dog.findStall(), undefined)
  const ahead = new CommitWatchdog(clock, WATCHDOG_LIMITS, 60)
  ahead.sawHead(headAt(50))
  await clock.advance(3_600_000)
  ahead.sawHead(headAt(55))
  assert.equal(ahead.findStall(), undefined)
})
