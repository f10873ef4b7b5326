import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChannelReader } from './channels.ts'
import { DEFAULT_LIMITS } from './limits.ts'
import type { CloseReason, Peer } from './peer.ts'
import { PushMessage } from './push-message.ts'
import { Session, type SessionHost } from './session.ts'

/** A far end that reads only when told. */
class StuckPeer implements Peer {
  readonly sent: PushMessage[] = []
  closedBy: CloseReason | undefined
  #unread = 0
  onDrain = () => {}

  get queuedMessages(): number {
    return this.#unread
  }

  get queuedBytes(): number {
    return this.#unread * 1000
  }

  send(message: PushMessage): void {
    this.sent.push(message)
    this.#unread++
  }

  cork(): void {}

  uncork(): void {}

  close(reason: CloseReason): void {
    this.closedBy ??= reason
  }

  readAll(): void {
    this.#unread = 0
    this.onDrain()
  }

  heights(): (number | undefined)[] {
    return this.sent.map(({ height }) => height)
  }
}

/** One message per height, all loaded. */
const reader: ChannelReader = {
  peek: (height) => [PushMessage.of('blocks', { height }, height)],
  load: async () => {},
}

function openSession(published: number, read = reader) {
  const peer = new StuckPeer()
  const host = {
    limits: DEFAULT_LIMITS,
    published,
    isSettling: false as boolean,
    reader: () => read,
    retryLater: () => {},
    onSent: () => {},
  } satisfies SessionHost
  const session = new Session(host, peer)
  const publish = (height: number) => {
    session.expect(height - DEFAULT_LIMITS.pushWithin, height - host.published)
    host.published = height
    session.pump()
    session.checkSpeed()
  }
  return { peer, host, session, publish }
}

test('a reader that stops is closed once 64 messages wait, and not before', () => {
  const { peer, session, publish } = openSession(100)
  session.subscribe('blocks', {})
  session.pump()
  for (let height = 101; height <= 164; height++) publish(height)
  assert.equal(peer.closedBy, undefined)
  publish(165)
  assert.equal(peer.closedBy, 'slow_consumer')
})

test('a reader that is only slow gets every height', () => {
  const { peer, session, publish } = openSession(100)
  session.subscribe('blocks', {})
  session.pump()
  for (let height = 101; height <= 400; height++) {
    publish(height)
    if (height % 30 === 0) peer.readAll()
  }
  peer.readAll()
  peer.readAll()
  assert.equal(peer.closedBy, undefined)
  assert.deepEqual(
    peer.heights(),
    Array.from({ length: 300 }, (_, i) => 101 + i),
  )
})

test('who replays may be as slow as they like within two replays', () => {
  const { peer, session, publish } = openSession(1000)
  session.subscribe('blocks', { fromHeight: 1 })
  session.pump()
  publish(1001)
  assert.equal(peer.closedBy, undefined)
  for (let i = 0; i < 40; i++) peer.readAll()
  assert.equal(peer.heights().length, 1001)
  assert.deepEqual(new Set(peer.heights()).size, 1001)
})

test('of heads that wait only the newest is sent, except those that tell of a fork', () => {
  const { peer, session } = openSession(100)
  session.subscribe('head', {})
  for (let i = 0; i < 32; i++) {
    session.offer('head', PushMessage.of('head', i))
    session.pump()
  }
  assert.equal(peer.sent.length, 32)
  session.offer('head', PushMessage.of('head', 'old'))
  session.offer('head', PushMessage.of('head', 'fork'), true)
  session.offer('head', PushMessage.of('head', 'older'))
  session.offer('head', PushMessage.of('head', 'newest'))
  peer.readAll()
  assert.deepEqual(
    peer.sent.slice(32).map(({ json }) => JSON.parse(json).body),
    ['fork', 'newest'],
  )
})

test('nothing is sent while a fork is looked into, and then from the last common height on', () => {
  const { peer, host, session, publish } = openSession(100)
  session.subscribe('blocks', {})
  publish(101)
  publish(102)
  host.isSettling = true
  session.pump()
  session.rewindTo(100)
  host.published = 100
  host.isSettling = false
  publish(103)
  assert.deepEqual(peer.heights(), [101, 102, 101, 102, 103])
})

test('a fork below all that was sent is told to who had heights, and those come again', () => {
  const [started, fresh] = [openSession(100), openSession(100)]
  for (const { session } of [started, fresh]) session.subscribe('blocks', {})
  started.publish(101)
  started.publish(102)
  for (const { host, session } of [started, fresh]) {
    host.published = 97
    session.rewindTo(undefined)
  }
  started.publish(99)
  started.publish(102)
  fresh.publish(99)
  const channels = started.peer.sent.map(({ channel }) => channel)
  assert.deepEqual(channels, ['blocks', 'blocks', 'reverted', 'blocks', 'blocks'])
  assert.deepEqual(JSON.parse(started.peer.sent[2]!.json).body, { height: 100 })
  const heights = started.peer.sent.filter(({ channel }) => channel === 'blocks').map(({ height }) => height)
  assert.deepEqual(heights, [101, 102, 101, 102])
  assert.deepEqual(fresh.peer.heights(), [98, 99])
  assert.deepEqual([started.peer.closedBy, fresh.peer.closedBy], [undefined, undefined])
})

test('heights that a fork sent below the first one count when the next fork lies below them', () => {
  const { peer, host, session, publish } = openSession(250)
  session.subscribe('blocks', {})
  publish(251)
  host.published = 234
  session.rewindTo(234)
  publish(252)
  host.published = 253
  session.rewindTo(undefined)
  session.pump()
  const reverted = peer.sent.find(({ channel }) => channel === 'reverted')!
  assert.deepEqual(JSON.parse(reverted.json).body, { height: 234 })
  const again = peer.sent.slice(peer.sent.indexOf(reverted) + 1).map(({ height }) => height)
  assert.deepEqual(again.slice(0, 3), [235, 236, 237])
})

test('a fork is told on filtered channels, which may have nothing to send of the new branch', () => {
  const { peer, host, session, publish } = openSession(100)
  session.subscribe('txs', {})
  session.subscribe('blobs', { fromHeight: 110 })
  publish(101)
  publish(102)
  host.published = 101
  session.rewindTo(101)
  const told = peer.sent.filter(({ channel }) => channel === 'reverted')
  assert.deepEqual(
    told.map(({ json, height }) => [JSON.parse(json).body, height]),
    [[{ height: 101 }, 101]],
  )
  // Nothing of a height that is still to come was sent, so it stays the first.
  assert.equal(session.subscribe('blobs', {}), 110)
})

test('a hundred heights at once do not make a fast reader a slow one', () => {
  const { peer, session, publish } = openSession(100)
  session.subscribe('blocks', {})
  publish(101)
  peer.readAll()
  publish(201)
  assert.equal(peer.closedBy, undefined)
  for (let i = 0; i < 5; i++) peer.readAll()
  assert.equal(peer.heights().at(-1), 201)
  assert.equal(peer.heights().length, 101)
})

test('a database that is slow to give the heights does not make a fast reader a slow one', async () => {
  let readable = 100
  const waiting: (() => void)[] = []
  const { peer, session, publish } = openSession(100, {
    ...reader,
    peek: (height, ...rest) => (height <= readable ? reader.peek(height, ...rest) : undefined),
    load: () => new Promise((resolve) => waiting.push(resolve)),
  })
  session.subscribe('blocks', { fromHeight: 101 })
  session.pump()
  for (let height = 108; height <= 180; height += 8) publish(height)
  assert.equal(peer.closedBy, undefined)
  readable = 180
  for (const resolve of waiting) resolve()
  await Promise.resolve()
  for (let i = 0; i < 3; i++) peer.readAll()
  assert.equal(peer.heights().length, 80)
  // Level again, it has to keep up like any other.
  readable = 300
  for (let height = 181; height <= 245; height++) publish(height)
  assert.equal(peer.closedBy, 'slow_consumer')
})
