import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../../test/clocks.ts'
import { packagePath } from '../../lib/package-path.ts'
import { paceSource } from './paced.ts'
import { openRecordingSource } from './source.ts'

const never = new AbortController().signal

test('a paced recording grows by one block per interval up to its end', async () => {
  const clock = new ManualClock()
  const recording = await openRecordingSource(packagePath('data/recordings/test-1'))
  const source = paceSource(recording, { startHeight: 156, intervalMs: 1000 }, clock)
  const first = await source.head(never)
  assert.equal(first.height, 156)
  await clock.advance(999)
  assert.equal((await source.head(never)).height, 156)

  const waiting = source.waitForHead(156, never)
  // The wait begins after a look at the recording, which takes a turn.
  while (clock.sleepers() === 0) await clock.advance(0)
  await clock.advance(1)
  await waiting
  const second = await source.head(never)
  assert.equal(second.height, 157)
  assert.ok(second.time > first.time)

  await clock.advance(60_000)
  const end = await recording.head(never)
  assert.deepEqual(await source.head(never), end)
  const giveUp = new AbortController()
  const forever = source.waitForHead(158, giveUp.signal)
  giveUp.abort()
  await forever
})
