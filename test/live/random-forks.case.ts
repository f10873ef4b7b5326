import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSeededRandom } from '../../src/lib/random.ts'
import { aNamespace } from '../builders.ts'
import { freshDatabase } from '../support/database.ts'
import { followReceived } from '../webhooks/follow.ts'
import { type Client, clientOf, makeKey, openWebhookApi, subscribe } from '../webhooks/stack.ts'
import { EventReader } from './event-source.ts'
import { ALICE, type BlockContent, ForkingChain, NAMESPACE } from './forking-chain.ts'
import { SEED, waitUntil } from './stack.ts'
import { type Notice, WsClient } from './ws-client.ts'

/** A subscriber: what it holds after applying its messages in order, and what the chain has for it at a height. */
type Subscriber = {
  name: string
  first: number
  held: () => Map<number, string>
  wanted: (content: BlockContent) => string
  /** the last messages, for who looks for a fault */
  last: () => string
  close: () => unknown
}

const START = 40
const SHOWN = 20
const namespace = Buffer.from(aNamespace(NAMESPACE)).toString('base64')

const wantedOf = {
  blocks: ({ hash }: BlockContent) => hash.toLowerCase(),
  txs: ({ txs }: BlockContent) => txs.flatMap(({ hash, signer }) => (signer === ALICE.text ? [hash] : [])).join(),
  blobs: ({ blobs }: BlockContent) => blobs.join(),
}
const filtersOf = { blocks: {}, txs: { signer: ALICE.text }, blobs: { namespace } }
type Channel = keyof typeof wantedOf
const CHANNELS = Object.keys(wantedOf) as Channel[]

/** The rows of a height come in one message here; it replaces the height and all above it. */
function holdNotices(notices: readonly Notice[], channel: Channel): Map<number, string> {
  const held = new Map<number, string>()
  const dropFrom = (first: number) => {
    for (const height of held.keys()) if (height >= first) held.delete(height)
  }
  for (const { channel: of, body } of notices) {
    if (of === 'reverted') dropFrom(Number(body.height) + 1)
    if (of !== channel) continue
    const rows = [body].flat() as { height: number; hash: string; commitment: string }[]
    const { height } = rows[0]!
    dropFrom(height)
    held.set(height, rows.map(({ hash, commitment }) => (channel === 'blobs' ? commitment : hash.toLowerCase())).join())
  }
  return held
}

async function openSocket(url: string, channel: Channel, from: number | undefined): Promise<Subscriber> {
  const client = await WsClient.open(`ws://${url}/v1/ws`)
  const first = await client.subscribed(channel, { ...filtersOf[channel], ...(from !== undefined && { from_height: from }) })
  return {
    name: `socket ${channel} from ${from}`,
    first: first!,
    held: () => holdNotices(client.notices, channel),
    wanted: wantedOf[channel],
    last: () => JSON.stringify(client.notices.slice(-SHOWN)),
    close: () => client.close(),
  }
}

async function openStream(url: string, channel: Channel, from: number): Promise<Subscriber> {
  const query = new URLSearchParams({ channel, from_height: String(from), ...filtersOf[channel] })
  const reader = await EventReader.open(`http://${url}/v1/sse?${query}`)
  return {
    name: `stream ${channel} from ${from}`,
    first: from,
    held: () =>
      holdNotices(
        reader.events.filter(({ data }) => data !== '').map(({ data }) => JSON.parse(data) as Notice),
        channel,
      ),
    wanted: wantedOf[channel],
    last: () => JSON.stringify(reader.events.slice(-SHOWN)),
    close: () => reader.close(),
  }
}

async function openWebhook(client: Client, channel: Channel, from: number): Promise<Subscriber> {
  const filters = Object.fromEntries(Object.entries(filtersOf[channel]).map(([name, value]) => [name, [value]]))
  const { id, receiver } = await subscribe(client, { events: [channel.slice(0, -1)], filters, from })
  return {
    name: `webhook ${channel} from ${from}`,
    first: from,
    held: () => {
      const held = new Map<number, string>()
      for (const { height, data } of followReceived(receiver.events)) {
        const value = channel === 'blobs' ? data.commitment : data.hash.toLowerCase()
        held.set(height, held.has(height) ? `${held.get(height)},${value}` : value)
      }
      return held
    },
    wanted: wantedOf[channel],
    last: () =>
      receiver.events
        .slice(-SHOWN)
        .map(({ type, height, id, data }) => `${type} ${height} ${id} ${data.events ?? ''}`)
        .join('; '),
    close: async () => {
      await client('DELETE', `/webhooks/${id}`)
      await receiver.stop()
    },
  }
}

/** What is wrong with what a subscriber holds, if anything is. */
function findFault({ first, held, wanted }: Subscriber, chain: ForkingChain): string | undefined {
  const own = held()
  for (const [height, value] of own) {
    const content = chain.at(height)
    if (!content || wanted(content) !== value) return `height ${height} is not on the chain`
  }
  for (let height = first; height <= chain.height; height++)
    if (wanted(chain.at(height)!) !== '' && !own.has(height)) return `height ${height} is missing`
  return undefined
}

async function assertHeld(subscribers: readonly Subscriber[], chain: ForkingChain, where: string): Promise<void> {
  const findFaults = () =>
    subscribers.flatMap((each) => {
      const fault = findFault(each, chain)
      return fault === undefined ? [] : [`${each.name}: ${fault}; last: ${each.last()}`]
    })
  await waitUntil(() => findFaults().length === 0, 30_000).catch(() => {})
  assert.deepEqual(findFaults(), [], where)
}

export const testRandomForks = (sequences: number): Promise<void> =>
  test(`after each of ${sequences} sequences of forks (seed ${SEED}) every subscriber holds the chain`, async () => {
    const random = createSeededRandom(SEED)
    const upTo = (most: number) => 1 + Math.floor(random() * most)
    const url = await freshDatabase()
    const chain = await ForkingChain.open(url, random)
    await chain.extend(START)
    const key = await makeKey(url)
    // Of one subscriber events are sent by one process after the other, over forks that none of them saw.
    const lasting: { receiver?: Subscriber } = {}
    for (let sequence = 1; sequence <= sequences; sequence++) {
      const api = await openWebhookApi(url, {
        push: true,
        access: { plans: [{ name: 'free', requests_per_second: 1e6, websocket_connections: 100, webhooks: 100 }] },
      })
      await api.service.parts.ring.refresh()
      const address = (await api.app.listen({ port: 0, host: '127.0.0.1' })).replace('http://', '')
      const client = clientOf(api, key)
      const below = () => Math.max(1, chain.height + 1 - upTo(25))
      const channelOf = (i: number) => CHANNELS[(sequence + i) % CHANNELS.length]!
      lasting.receiver ??= await openWebhook(client, 'blocks', START - 10)
      const subscribers = [
        await openSocket(address, 'blocks', undefined),
        await openSocket(address, channelOf(0), below()),
        await openSocket(address, channelOf(1), chain.height + 1),
        await openStream(address, channelOf(2), below()),
        await openWebhook(client, channelOf(1), below()),
      ]
      for (let step = upTo(5); step > 0; step--) {
        const isDeep = random() < 0.25
        const depth = Math.min(isDeep ? upTo(30) : upTo(4), chain.height - 1)
        if (random() < 0.4) await chain.extend(upTo(3))
        else await chain.fork(chain.height - depth, upTo(depth + 2))
        if (random() < 0.5) await assertHeld([...subscribers, lasting.receiver], chain, `sequence ${sequence}`)
      }
      // A branch that is shorter so far is known once it has another block.
      await chain.extend(1)
      await assertHeld([...subscribers, lasting.receiver], chain, `end of sequence ${sequence}`)
      for (const each of subscribers) await each.close()
      await api.close()
      if (random() < 0.3) await chain.fork(chain.height - upTo(3), upTo(5))
    }
  })
