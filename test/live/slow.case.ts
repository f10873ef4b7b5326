import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { freshDatabase } from '../support/database.ts'
import { countKernelConnections, hasKernelTable } from '../support/kernel-connections.ts'
import { startApi, startIndexer, startNode, waitUntil } from './stack.ts'
import { heightsOf, WsClient } from './ws-client.ts'

/** The slow readers of bench/ws-fanout/ws-fanout.ts, with fewer subscribers. */
const SUBSCRIBERS = 40
const BLOCKS = 15

/** Bytes in use after a collection. */
function measureHeap(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}

/** Tests of the default run. */
export function testSlowReaders(): void {
  test(`of ${SUBSCRIBERS} subscribers every tenth never reads: those are cut off, the others miss nothing`, async () => {
    const url = await freshDatabase()
    const node = await startNode({ recording: 'devnet', startHeight: 100 })
    const indexer = startIndexer(url, [node])
    await indexer.reached(100)
    const reasons: string[] = []
    const observer = {
      opened: () => {},
      closed: (_kind: string, reason: string) => reasons.push(reason),
      refused: () => {},
      subscribed: () => {},
      sent: () => {},
      published: () => {},
      failed: () => {},
    }
    const api = await startApi(url, { observer, limits: { pingMs: 200, idleMs: 1500 } })
    // Ten connections per address: the clients come from as many addresses as it takes.
    const clients = await Promise.all(
      Array.from({ length: SUBSCRIBERS }, (_, i) =>
        WsClient.open(api.wsUrl, { localAddress: `127.0.1.${1 + Math.floor(i / 10)}` }),
      ),
    )
    closeAfterwards(async () => clients.forEach(({ socket }) => void socket.terminate()))
    const firsts = await Promise.all(clients.map((client) => client.subscribed('blocks')))
    await Promise.all(clients.flatMap((client) => ['head', 'txs', 'blobs'].map((channel) => client.subscribed(channel))))
    const stuck = clients.filter((_, i) => i % 10 === 0)
    const readers = clients.filter((_, i) => i % 10 !== 0)
    for (const { socket } of stuck) socket.pause()

    for (let i = 0; i < BLOCKS; i++) {
      await node.advance()
      await readers[i % readers.length]!.collect('blocks', i + 1)
    }
    for (const reader of readers)
      assert.deepEqual(
        heightsOf(await reader.collect('blocks', BLOCKS)),
        Array.from({ length: BLOCKS }, (_, i) => 101 + i),
      )
    assert.ok(firsts.every((first) => first === 101))
    await waitUntil(() => reasons.length >= stuck.length)
    assert.deepEqual(new Set(reasons), new Set(['idle']))
    assert.equal(api.hub.sessions.size, readers.length)
    // After a plain close the kernel would keep what they did not read.
    if (hasKernelTable) assert.equal(countKernelConnections(Number(new URL(api.wsUrl).port)), readers.length)
    for (const reader of readers) await reader.close()
    await indexer.stop()
  })
}

/** Tests of the long run. */
export function testSlowReadersAtLength(): void {
  test('a thousand connections that come and go leave nothing behind', async () => {
    const api = await startApi(await freshDatabase('devnet'))
    const round = async () => {
      const clients = await Promise.all(Array.from({ length: 10 }, () => WsClient.open(api.wsUrl)))
      for (const client of clients) {
        client.subscribe('blocks', { from_height: 400 })
        client.subscribe('head')
      }
      await Promise.all(clients.map((client) => client.collect('blocks', 4)))
      for (const { socket } of clients) socket.terminate()
      await waitUntil(() => api.hub.sessions.size === 0)
    }
    for (let i = 0; i < 20; i++) await round()
    const before = measureHeap()
    for (let i = 0; i < 80; i++) await round()
    const grown = measureHeap() - before
    assert.ok(grown < 4 << 20, `${grown} bytes more after 800 connections`)
  })
}
