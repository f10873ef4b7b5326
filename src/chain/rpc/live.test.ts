import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createFastClock } from '../../../test/clocks.ts'
import { systemClock } from '../../lib/clock.ts'
import { packagePath } from '../../lib/package-path.ts'
import { type ReplayNode, type ReplayOptions, startReplayNode } from '../../simulation/node/node.ts'
import { createRpcSource, type RpcOptions } from './source.ts'

const DIR = packagePath('data/recordings/test-1')
const NEVER_MS = 3_600_000
const opened: { close(): Promise<void> }[] = []

after(async () => {
  for (const one of opened.reverse()) await one.close()
})

async function start(node: Partial<ReplayOptions>, options: Partial<RpcOptions> = {}) {
  const replay = await startReplayNode({ dir: DIR, startHeight: 100, ...node })
  const source = createRpcSource({ urls: [replay.url], pollMs: NEVER_MS, ...options })
  opened.push(replay, source)
  return { replay, source }
}

async function untilSubscribed(replay: ReplayNode): Promise<void> {
  while (replay.subscriptions() === 0) await nextTurn()
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  promise.then(() => {
    settled = true
  })
  for (let i = 0; i < 20; i++) await nextTurn()
  return settled
}

test('a pushed header ends the wait long before the poll', async () => {
  const { replay, source } = await start({})
  const never = new AbortController().signal
  const waiting = source.waitForHead(100, never)
  await untilSubscribed(replay)
  await replay.advance()
  await waiting
  assert.equal((await source.head(never)).height, 101)
})

test('a header that was pushed before the wait began is not missed', async () => {
  const { replay, source } = await start({})
  const never = new AbortController().signal
  const giveUp = new AbortController()
  const first = source.waitForHead(100, giveUp.signal)
  await untilSubscribed(replay)
  giveUp.abort()
  await first
  await replay.advance()
  // The push travels over a real socket; the head is asked over another one, and by then it has arrived.
  await source.head(never)
  await source.waitForHead(100, never)
})

test('a socket that says nothing does not matter', async () => {
  const { replay, source } = await start({ faults: { 'socket-silent': {} } }, { pollMs: 1000, clock: createFastClock(50) })
  const never = new AbortController().signal
  const waiting = source.waitForHead(100, never)
  await replay.advance()
  await waiting
  assert.equal((await source.head(never)).height, 101)
})

test('a node that has too many listeners is asked again until it has room', async () => {
  const { replay, source } = await start({ maxSubscriptionClients: 0 }, { clock: createFastClock(50) })
  const waiting = source.waitForHead(100, new AbortController().signal)
  while ((replay.requests.get('subscribe') ?? 0) < 2) await systemClock.sleep(5)
  replay.allowSubscriptions(1)
  await untilSubscribed(replay)
  await replay.advance()
  await waiting
})

test('a node that cannot be reached ends the wait by the poll', async () => {
  const { replay, source } = await start({}, { pollMs: 1000, clock: createFastClock(50) })
  await replay.die()
  await source.waitForHead(100, new AbortController().signal)
})

test('a hint of a height out of reach wakes once and no more', async () => {
  const { replay, source } = await start({})
  const giveUp = new AbortController()
  const waiting = source.waitForHead(50, giveUp.signal)
  await untilSubscribed(replay)
  await replay.advance()
  await waiting
  const again = source.waitForHead(50, giveUp.signal)
  assert.equal(await isSettled(again), false)
  giveUp.abort()
  await again
})

test('a burst of hints does not become a burst of questions', async () => {
  const { replay, source } = await start({})
  const never = new AbortController().signal
  const startedAt = systemClock.now()
  let wakes = 0
  const waiting = source.waitForHead(100, never)
  await untilSubscribed(replay)
  await replay.advance(50)
  await waiting
  for (let height = 101; height < 104; height++) {
    const next = source.waitForHead(height, never)
    await replay.advance(2)
    await next
    wakes++
  }
  assert.ok(systemClock.now() - startedAt > wakes * 95)
})

test('a subscription that is lost is made again', async () => {
  const { replay, source } = await start({}, { clock: createFastClock(50) })
  const never = new AbortController().signal
  const waiting = source.waitForHead(100, never)
  await untilSubscribed(replay)
  await replay.die()
  await replay.revive()
  await untilSubscribed(replay)
  await replay.advance()
  await waiting
})

test('blocks of a long range come from all usable nodes at once', async () => {
  const slow = { slow: { delayMs: 20, methods: ['block'] } }
  const nodes = [await startReplayNode({ dir: DIR, faults: slow }), await startReplayNode({ dir: DIR, faults: slow })]
  const source = createRpcSource({ urls: nodes.map(({ url }) => url), listen: false })
  opened.push(...nodes, source)
  const signal = new AbortController().signal
  const { height } = await source.head(signal)
  const byOrigin = new Map<string, number>()
  for await (const chunk of source.blocks(1, height, signal))
    for (const { origin } of chunk) byOrigin.set(origin, (byOrigin.get(origin) ?? 0) + 1)
  assert.equal(byOrigin.size, 2)
  for (const [origin, count] of byOrigin) assert.ok(count > height / 4, `${origin} gave ${count} of ${height} blocks`)
})
