import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteGate } from './byte-gate.ts'

test('readers pass together until the limit is reached', () => {
  const gate = new ByteGate(100)
  for (const order of [1, 2, 3]) gate.enter(order)
  assert.equal(gate.take(1, 40), undefined)
  assert.equal(gate.take(2, 60), undefined)
  assert.ok(!gate.hasRoom())
  assert.ok(gate.take(3, 1) instanceof Promise)
})

test('the first in line passes even when the rest hold everything', () => {
  const gate = new ByteGate(100)
  for (const order of [1, 2]) gate.enter(order)
  gate.take(2, 100)
  assert.equal(gate.take(1, 1000), undefined)
  assert.equal(gate.used, 1100)
})

test('a waiting reader continues when the ones before it have left', async () => {
  const gate = new ByteGate(100)
  for (const order of [1, 2, 3]) gate.enter(order)
  gate.take(1, 100)
  const passed: number[] = []
  const third = gate.take(3, 50)!.then(() => passed.push(3))
  const second = gate.take(2, 70)!.then(() => passed.push(2))
  gate.leave(1)
  await second
  assert.deepEqual(passed, [2])
  gate.leave(2)
  await third
  assert.equal(gate.used, 50)
})

test('a reader that starts over gives back what it had', () => {
  const gate = new ByteGate(10)
  gate.enter(1)
  gate.enter(2)
  gate.take(1, 10)
  gate.giveBack(1)
  assert.equal(gate.take(2, 10), undefined)
})

test('an opened gate holds nobody', async () => {
  const gate = new ByteGate(1)
  for (const order of [1, 2]) gate.enter(order)
  gate.take(1, 1)
  const waiting = gate.take(2, 5)
  gate.open()
  await waiting
})
