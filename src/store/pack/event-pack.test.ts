import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChainEvent } from '../../types/chain.ts'
import { packEvents, unpackEvents } from './event-pack.ts'

const event = (type: string, ...attributes: [string, string][]): ChainEvent => ({ type, attributes })

test('events come back as they were, with repeated keys, empty values and any text', () => {
  const events = [
    event('coin_spent', ['spender', 'celestia1xyz'], ['amount', '1utia'], ['amount', '']),
    event('weird \u{1f52d}', ['', '"quoted"'], ['\ud7ff', '\n\t\\']),
    event('nothing'),
  ]
  assert.deepEqual(unpackEvents(packEvents(events)), events)
})

test('a block with many validators is deflated and comes back', () => {
  const events = Array.from({ length: 200 }, (_, i) =>
    event('rewards', ['amount', `${i * 7919}.123456789012345678utia`], ['validator', `celestiavaloper${i}`]),
  )
  const packed = packEvents(events)
  assert.equal(packed[0], 2)
  assert.deepEqual(unpackEvents(packed), events)
})

test('a part of the events is what a slice of all of them is, packed plainly or deflated', () => {
  for (const count of [7, 200]) {
    const events = Array.from({ length: count }, (_, i) => event(`kind ${i % 3}`, ['amount', `${i}utia`], ['shared', 'x']))
    const packed = packEvents(events)
    assert.equal(packed[0], count === 7 ? 1 : 2)
    for (const [start, end] of [
      [0, 3],
      [2, 5],
      [6, 20],
      [199, 200],
      [300, 310],
      [4, 4],
    ] as const)
      assert.deepEqual(unpackEvents(packed, start, end), events.slice(start, end))
  }
})

test('no events take no bytes', () => {
  assert.equal(packEvents([]).length, 0)
  assert.deepEqual(unpackEvents(new Uint8Array()), [])
  assert.deepEqual(unpackEvents(new Uint8Array(), 0, 10), [])
})
