import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { createSeededRandom } from '../../src/lib/random.ts'
import { delayBranch, readForged, toRaw } from '../live/branches.ts'
import { SEED, startIndexer, startNode } from '../live/stack.ts'
import { freshDatabase } from '../support/database.ts'
import { runScript } from '../support/program.ts'
import { followReceived } from './follow.ts'
import type { Manner, Received, Receiver } from './receiver.ts'
import { clientOf, makeKey, openWebhookApi, subscribe } from './stack.ts'

const MANNERS: Manner[] = ['fail', 'hang', 'lie', 'reset', 'redirect', 'flood']

async function startDeliverer(url: string): Promise<ChildProcess> {
  const deliverer = runScript('webhooks/deliver-process.js', [url])
  await deliverer.says(/^delivering/)
  return deliverer.child
}

const nameOf = ({ type, height, data }: Pick<Received, 'type' | 'height' | 'data'>) => `${type} ${height} ${data.hash}`

export const testReceiver = (rounds: number): Promise<void> =>
  test('a receiver that fails, hangs, lies and restarts under forks and kills gets every event at least once and in order', async () => {
    const url = await freshDatabase()
    const random = createSeededRandom(SEED)
    const node = await startNode({ recording: 'test-1', startHeight: 40 })
    const indexer = startIndexer(url, [node])
    await indexer.reached(40)
    const key = await makeKey(url)
    // Subscriptions are managed here; what is killed delivers.
    const api = await openWebhookApi(url, {
      webhooks: { deliver: false, target: { allowHttp: true, privateTargets: ['127.0.0.1'] } },
    })
    await api.service.parts.ring.refresh()
    const client = clientOf(api, key)
    const { receiver } = await subscribe(client, { events: ['block', 'tx'], from: 31 })
    const calm = await subscribe(client, { events: ['block'], from: 31 })
    const misbehave = () => {
      receiver.manner = () => (random() < 0.4 ? MANNERS[Math.floor(random() * MANNERS.length)]! : 'ok')
    }
    misbehave()
    let deliverer = await startDeliverer(url)
    const kill = async () => {
      const ended = once(deliverer, 'exit')
      deliverer.kill('SIGKILL')
      await ended
      deliverer = await startDeliverer(url)
    }
    const restart = async (each: Receiver) => {
      await each.stop()
      await each.start()
    }
    let height = 40
    for (let round = 0; round < rounds; round++) {
      await node.advance(4)
      await indexer.reached((height += 4))
      // Some of what a fork takes back is sent, and more is under way.
      await receiver.until((events) => events.some((event) => event.height > height - 2))
      if (round % 2 === 0) await Promise.all([kill(), restart(receiver)])
      const common = height - 2
      // Long enough for all rounds: four heights each, and the one behind the fork.
      const chain = round === 0 ? await readForged('test-1', common, common + 4 * rounds + 8) : undefined
      if (chain) {
        node.fork(toRaw(delayBranch(chain, 1)))
        await node.advance(1)
        await indexer.reached((height += 1))
      }
    }
    await kill()
    const isAtEnd = (events: readonly Received[]) => events.some((event) => event.type === 'block' && event.height === height)
    await calm.receiver.until(isAtEnd)
    receiver.manner = () => 'ok'
    await receiver.until(isAtEnd)
    const ask = async (path: string) => (await client('GET', path)).body
    const expected: string[] = []
    for (let at = 31; at <= height; at++) {
      expected.push(nameOf({ type: 'block', height: at, data: await ask(`/block/${at}`) }))
      for (const data of await ask(`/tx?height=${at}&sort=asc&limit=100`)) expected.push(nameOf({ type: 'tx', height: at, data }))
    }
    await receiver.until((events) => events.some((event) => nameOf(event) === expected.at(-1)))
    assert.deepEqual(followReceived(receiver.events).map(nameOf), expected)
    assert.deepEqual(
      followReceived(calm.receiver.events).map(nameOf),
      expected.filter((name) => name.startsWith('block')),
    )
    assert.deepEqual(receiver.invalid, [])
    const reverted = receiver.events.filter(({ type }) => type === 'reverted')
    assert.ok(reverted.length > 0, 'no fork was told')
    for (const { data } of reverted) assert.equal(data.events.length, data.count)
    await indexer.stop()
  })

export const testHangingReceiver = (): Promise<void> =>
  test('one receiver that hangs holds up nobody else', async () => {
    const url = await freshDatabase('devnet')
    const key = await makeKey(url)
    const api = await openWebhookApi(url, { access: { plans: [{ name: 'free', requests_per_second: 100_000, webhooks: 100 }] } })
    await api.service.parts.ring.refresh()
    const client = clientOf(api, key)
    const { last_height: head } = (await client('GET', '/head')).body
    const stuck = await Promise.all(Array.from({ length: 12 }, () => subscribe(client, { events: ['proposal'] })))
    for (const { receiver, id } of stuck) {
      receiver.manner = () => 'hang'
      await client('PATCH', `/webhooks/${id}`, { events: ['block'], from: 1 })
    }
    const quick = await subscribe(client, { events: ['block'], from: head - 49 })
    await quick.receiver.until(({ length }) => length === 50)
    for (const { receiver } of stuck) assert.equal(receiver.events.length, 0)
  })
