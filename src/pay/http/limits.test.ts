import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClientLimits, type Policy } from './limits.ts'

const LIMITS = {
  challengesPerS: 2,
  challengeBurst: 3,
  failuresPerMinute: 6,
  failureBurst: 2,
  unsoldPerMinute: 60,
  unsoldBurst: 5,
}

/** Takes one when there is one; the wait otherwise. */
function take(limits: ClientLimits, policy: Policy, client: string, now: number): number {
  const wait = limits.wait(policy, client, now)
  if (wait === 0) limits.count(policy, client, now)
  return wait
}

test('a client gets its burst of offers, then one as fast as they refill', () => {
  const limits = new ClientLimits(LIMITS)
  assert.deepEqual(
    [1, 2, 3].map(() => take(limits, 'challenges', 'a', 0)),
    [0, 0, 0],
  )
  assert.equal(take(limits, 'challenges', 'a', 0), 500)
  assert.equal(take(limits, 'challenges', 'b', 0), 0)
  assert.equal(take(limits, 'challenges', 'a', 500), 0)
  assert.equal(take(limits, 'challenges', 'a', 500), 500)
})

test('failed payments hold a client back far longer than unpaid requests do', () => {
  const limits = new ClientLimits(LIMITS)
  limits.count('failures', 'a', 0)
  assert.equal(limits.wait('failures', 'a', 0), 0)
  limits.count('failures', 'a', 0)
  assert.equal(limits.wait('failures', 'a', 0), 10_000)
  assert.equal(limits.wait('failures', 'a', 10_000), 0)
})

test('headers name the buckets, what is left in them and when they are full again', () => {
  const limits = new ClientLimits(LIMITS)
  limits.count('challenges', 'a', 0)
  limits.count('failures', 'a', 0)
  assert.deepEqual(limits.headers('a', 'a', 0), {
    'ratelimit-policy': '"challenges";q=3;w=2, "failures";q=2;w=20, "unsold";q=5;w=5',
    ratelimit: '"challenges";r=2;t=1, "failures";r=1;t=10, "unsold";r=5;t=0',
  })
})
