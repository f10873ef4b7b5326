import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClientLimits, clientOf } from './limits.ts'

const LIMITS = { challengesPerS: 2, challengeBurst: 3, failuresPerMinute: 6, failureBurst: 2 }

test('a client gets its burst of offers, then one as fast as they refill', () => {
  const limits = new ClientLimits(LIMITS)
  assert.deepEqual(
    [1, 2, 3].map(() => limits.takeChallenge('a', 0)),
    [0, 0, 0],
  )
  assert.equal(limits.takeChallenge('a', 0), 500)
  assert.equal(limits.takeChallenge('b', 0), 0)
  assert.equal(limits.takeChallenge('a', 500), 0)
  assert.equal(limits.takeChallenge('a', 500), 500)
})

test('failed payments hold a client back far longer than unpaid requests do', () => {
  const limits = new ClientLimits(LIMITS)
  limits.countFailure('a', 0)
  assert.equal(limits.waitAfterFailures('a', 0), 0)
  limits.countFailure('a', 0)
  assert.equal(limits.waitAfterFailures('a', 0), 10_000)
  assert.equal(limits.waitAfterFailures('a', 10_000), 0)
})

test('IPv6 clients are counted by their /64, mapped IPv4 as IPv4', () => {
  assert.equal(clientOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  assert.equal(clientOf('2001:db8::1'), '2001:db8:0:0')
  assert.equal(clientOf('::1'), '0:0:0:0')
  assert.equal(clientOf('::ffff:10.0.0.1'), '10.0.0.1')
  assert.equal(clientOf('10.0.0.1'), '10.0.0.1')
})
