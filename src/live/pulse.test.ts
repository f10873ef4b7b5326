import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pulse } from './pulse.ts'

const LIMITS = { pingMs: 15_000, idleMs: 30_000 }

test('a client that answers is asked again and again', () => {
  const pulse = new Pulse(0)
  for (let now = 15_000; now <= 600_000; now += 15_000) {
    assert.ok(pulse.check(now, LIMITS))
    pulse.hear(now + 40)
  }
})

test('a client that does not answer is gone half a minute after it was last heard of', () => {
  const pulse = new Pulse(0)
  assert.ok(pulse.check(15_000, LIMITS))
  pulse.hear(15_040)
  assert.ok(pulse.check(30_000, LIMITS))
  assert.ok(!pulse.check(45_000, LIMITS))
})

test('a process that stood still for a minute asks before it gives up its clients', () => {
  const pulse = new Pulse(0)
  assert.ok(pulse.check(15_000, LIMITS))
  pulse.hear(15_040)
  assert.ok(pulse.check(76_000, LIMITS))
  pulse.hear(76_040)
  assert.ok(pulse.check(90_000, LIMITS))
})
