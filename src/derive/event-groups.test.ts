import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEvent } from '../../test/builders.ts'
import { countAnteEvents, groupEvents, splitInnerEvents } from './event-groups.ts'

test('events go to the message that msg_index names, wherever the attribute stands', () => {
  const ante = anEvent('tx', { fee: '1utia' })
  const second = anEvent('delegate', [
    ['msg_index', '1'],
    ['amount', '5utia'],
  ])
  const first = anEvent('message', { action: '/a', msg_index: '0' })
  assert.deepEqual(groupEvents([ante, second, first], 2), { ante: [ante], groups: [[first], [second]] })
})

test('without msg_index a group starts at each message event with an action', () => {
  const start = (name: string) => anEvent('message', { action: `/${name}` })
  const events = [
    anEvent('tx'),
    start('a'),
    anEvent('x'),
    anEvent('message', { module: 'staking', sender: 's' }),
    start('b'),
    anEvent('y'),
  ]
  const { ante, groups } = groupEvents(events, 2)
  assert.deepEqual(ante, events.slice(0, 1))
  assert.deepEqual(groups, [events.slice(1, 4), events.slice(4)])
})

test('an action on an event of another type starts no group', () => {
  const events = [
    anEvent('message', { action: '/a' }),
    anEvent('signal_version', { action: '/celestia.signal.v1.Msg/SignalVersion' }),
  ]
  assert.deepEqual(groupEvents(events, 1).groups, [events])
})

test('the ante part ends where the first message begins', () => {
  assert.equal(
    countAnteEvents([anEvent('tx'), anEvent('message', { sender: 's' }), anEvent('message', { action: '/a' }), anEvent('x')]),
    2,
  )
  assert.equal(countAnteEvents([anEvent('tx')]), 1)
})

test('each level of a nested MsgExec reads its own authz_msg_index from the end', () => {
  const event = anEvent('x', [
    ['authz_msg_index', '3'],
    ['authz_msg_index', '1'],
    ['msg_index', '0'],
  ])
  assert.deepEqual(splitInnerEvents([event], 0, 2).inner, [[], [event]])
  assert.deepEqual(splitInnerEvents([event], 1, 4).inner[3], [event])
})

test('events of a MsgExec itself stay with it', () => {
  const own = anEvent('cosmos.authz.v1beta1.EventRevoke')
  const inner = anEvent('x', { authz_msg_index: '0' })
  assert.deepEqual(splitInnerEvents([own, inner], 0, 1), { own: [own], inner: [[inner]] })
})
