import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../../src/lib/free-port.ts'
import { type EmbeddedServer, startEmbedded } from '../../src/store/embedded/server.ts'
import { migrate, SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { createFastClock } from '../clocks.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { runScript } from '../support/program.ts'
import { SCHEMA } from '../support/templates.ts'
import { startIndexer, startNode, waitUntil } from './stack.ts'
import { WsClient } from './ws-client.ts'

const FROM = 11

/** Its own server that can be stopped and started again on the same port. */
async function startDatabase(): Promise<{ url: string; restart: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'astrolabe-live-'))
  const port = await freePort()
  let server: EmbeddedServer = await startEmbedded({ directory, ephemeral: true, port })
  closeAfterwards(async () => {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  })
  await migrate(server.url, SHARED_SCHEMA, 'shared')
  await migrate(server.url, SCHEMA, 'network')
  return {
    url: server.url,
    restart: async () => {
      await server.stop()
      server = await startEmbedded({ directory, ephemeral: true, port })
    },
  }
}

/** The key surface in its own process. */
async function startApiProcess(url: string, port: number): Promise<ChildProcess> {
  const api = runScript('live/api-process.js', [url, String(port)])
  await api.says(/^http/)
  return api.child
}

/** Follows `blocks` like a careful client: after every end of the connection it continues with the next height. */
async function follow(wsUrl: string, to: number, seen: number[], connected: (client: WsClient) => void): Promise<void> {
  while (seen.at(-1) !== to) {
    const client = new WsClient(wsUrl)
    const opened = await Promise.race([once(client.socket, 'open').then(() => true), client.closed.then(() => false)])
    if (!opened) continue
    client.socket.on('message', (payload) => {
      const { channel, body } = JSON.parse(String(payload)) as { channel: string; body: { height: number } }
      if (channel === 'blocks') seen.push(body.height)
      if (body.height === to) client.socket.close()
    })
    client.subscribe('blocks', { from_height: (seen.at(-1) ?? FROM - 1) + 1 })
    connected(client)
    await client.closed
  }
}

export const testRestarts = (blocks: number): Promise<void> =>
  test(`${blocks} blocks come once each and in order over two restarts of the API, one of them a kill, and one of the database`, async () => {
    const to = FROM + blocks - 1
    const share = (part: number) => FROM + Math.floor(blocks * part)
    const database = await startDatabase()
    const node = await startNode({ recording: 'devnet', startHeight: FROM - 1 })
    const indexer = startIndexer(database.url, [node], { rpc: { clock: createFastClock(10), pollMs: 1000 } })
    await indexer.reached(FROM - 1)
    const port = await freePort()
    let api = await startApiProcess(database.url, port)
    const seen: number[] = []
    let connections = 0
    const following = follow(`ws://127.0.0.1:${port}/v1/ws`, to, seen, () => {
      connections++
    })
    const until = async (height: number) => {
      await node.advance(height - node.height)
      await waitUntil(() => (seen.at(-1) ?? 0) >= height)
    }
    const restartApi = async (signal: NodeJS.Signals) => {
      const ended = once(api, 'exit')
      api.kill(signal)
      await node.advance(Math.floor(blocks / 20))
      await ended
      api = await startApiProcess(database.url, port)
    }

    await until(share(0.2))
    await restartApi('SIGTERM')
    await until(share(0.45))
    const [restarted] = [database.restart()]
    await node.advance(Math.floor(blocks / 20))
    await restarted
    await until(share(0.7))
    await restartApi('SIGKILL')
    await until(to)
    await following
    assert.deepEqual(
      seen,
      Array.from({ length: blocks }, (_, i) => FROM + i),
    )
    assert.ok(connections >= 3, `${connections} connections`)
    assert.ok(indexer.retries.length > 0, 'the indexer never lost the database')
    api.kill('SIGKILL')
    await indexer.stop()
  })
