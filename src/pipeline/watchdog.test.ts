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

test('30 s without a commit while the head advances are a stall', async () => {
  const clock = new ManualClock()
  const dog = new CommitWatchdog(clock, WATCHDOG_LIMITS, 10)
  dog.sawHead(headAt(10))
  await clock.advance(29_999)
  dog.sawHead(headAt(12))
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
  dog.sawHead(headAt(12, 12_000))
  await clock.advance(59_999)
  assert.equal(dog.findStall(), undefined)
  await clock.advance(1)
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
