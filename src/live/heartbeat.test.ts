import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Heartbeat } from './heartbeat.ts'

const LIMITS = { pingMs: 15_000, idleMs: 30_000 }

test('a client that answers is asked again and again', () => {
  const heartbeat = new Heartbeat(0)
  for (let now = 15_000; now <= 600_000; now += 15_000) {
    assert.ok(heartbeat.check(now, LIMITS))
    heartbeat.hear(now + 40)
  }
})

test('a client that does not answer is gone half a minute after it was last heard of', () => {
  const heartbeat = new Heartbeat(0)
  assert.ok(heartbeat.check(15_000, LIMITS))
  heartbeat.hear(15_040)
  assert.ok(heartbeat.check(30_000, LIMITS))
  assert.ok(!heartbeat.check(45_000, LIMITS))
})

test('a process that stood still for a minute asks before it gives up its clients', () => {
  const heartbeat = new Heartbeat(0)
  assert.ok(heartbeat.check(15_000, LIMITS))
  heartbeat.hear(15_040)
  assert.ok(heartbeat.check(76_000, LIMITS))
  heartbeat.hear(76_040)
  assert.ok(heartbeat.check(90_000, LIMITS))
})
