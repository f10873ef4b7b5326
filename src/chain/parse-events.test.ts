import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChainEvent } from '../types/chain.ts'
import { parseBlockEvents, parseEvents } from './parse-events.ts'

const none = () => []
const base64 = (text: string) => Buffer.from(text).toString('base64')
const rpcEvent = (type: string, attributes: Record<string, string | null>) => ({
  type,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true })),
})
const names = (events: ChainEvent[]) => events.map((event) => event.type)

test('lists of a 0.34 node are base64 and keep their parts', () => {
  const begin = [{ type: 'mint', attributes: [{ key: base64('amount'), value: base64('5utia'), index: true }] }]
  const end = [{ type: 'tally', attributes: [{ key: base64('é'), value: null, index: false }] }]
  const parsed = parseBlockEvents({ begin_block_events: begin, end_block_events: end }, none)
  assert.deepEqual(parsed, {
    events: [
      { type: 'mint', attributes: [['amount', '5utia']] },
      { type: 'tally', attributes: [['é', '']] },
    ],
    beginEventsCount: 1,
  })
})

test('a missing list of a 0.34 node is an empty one', () => {
  assert.deepEqual(parseBlockEvents({ begin_block_events: null, end_block_events: null }, none), {
    events: [],
    beginEventsCount: 0,
  })
})

test('the mode of an event decides its part', () => {
  const finalize_block_events = [
    rpcEvent('pre', { mode: 'PreBlock' }),
    rpcEvent('begin', { amount: '1', mode: 'BeginBlock' }),
    rpcEvent('begin-unmarked', { amount: '1' }),
    rpcEvent('end', { mode: 'EndBlock' }),
    rpcEvent('end-unmarked', {}),
  ]
  const { events, beginEventsCount } = parseBlockEvents({ finalize_block_events }, none)
  assert.deepEqual(names(events.slice(0, beginEventsCount)), ['pre', 'begin', 'begin-unmarked'])
  assert.deepEqual(names(events.slice(beginEventsCount)), ['end', 'end-unmarked'])
})

test('tx events repeated among the block events are cut out, and their place is the border', () => {
  const tx = [rpcEvent('transfer', { amount: '1' }), rpcEvent('transfer', { amount: '1' }), rpcEvent('transfer', { amount: '2' })]
  // One more of the same kind stands before: a search that gives up its partial match would miss the run.
  const finalize_block_events = [rpcEvent('mint', {}), rpcEvent('transfer', { amount: '1' }), ...tx, rpcEvent('tally', {})]
  const parsed = parseBlockEvents({ finalize_block_events }, () => parseEvents(tx, false, 'tx'))
  assert.deepEqual(names(parsed.events), ['mint', 'transfer', 'tally'])
  assert.equal(parsed.beginEventsCount, 2)
})

test('tx events are left alone when they differ in a single value', () => {
  const finalize_block_events = [rpcEvent('mint', {}), rpcEvent('transfer', { amount: '1' })]
  const parsed = parseBlockEvents({ finalize_block_events }, () => [{ type: 'transfer', attributes: [['amount', '2']] }])
  assert.deepEqual(names(parsed.events), ['mint', 'transfer'])
  assert.equal(parsed.beginEventsCount, 2)
})

test('a list made to keep a plain search busy is read in linear time', () => {
  const many = (count: number) => Array.from({ length: count }, () => rpcEvent('same', { a: 'b' }))
  const run = [...many(50_000), rpcEvent('other', {})]
  const started = process.cpuUsage()
  const parsed = parseBlockEvents({ finalize_block_events: many(100_000) }, () => parseEvents(run, false, 'tx'))
  assert.equal(parsed.events.length, 100_000)
  assert.ok(process.cpuUsage(started).user < 5_000_000)
})

test('attributes keep their order and repeated keys', () => {
  const attributes = [
    { key: 'a', value: '1' },
    { key: 'b', value: null },
    { key: 'a', value: '2' },
  ]
  const [event] = parseEvents([{ type: 't', attributes }, { type: 'u' }], false, 'events')
  assert.deepEqual(event?.attributes, [
    ['a', '1'],
    ['b', ''],
    ['a', '2'],
  ])
})
