import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createMetrics } from '../../src/observability/metrics.ts'
import { NetworkHealth } from '../../src/observability/network-health.ts'
import { startObservability } from '../../src/observability/start.ts'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { migrate, SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { ReadServers, type ReadServersOptions } from '../../src/store/replicas/read-servers.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { type Cluster, startCluster } from '../support/cluster.ts'
import { longTest } from '../support/long-test.ts'
import { SCHEMA } from '../support/templates.ts'
import { type Indexer, startApi, startIndexer, startNode, waitUntil } from './stack.ts'
import { WsClient } from './ws-client.ts'

const NEVER_MS = 3_600_000

describe('replicas', () => {
  let cluster: Cluster
  let node: ReplayNode
  let indexer: Indexer
  before(async () => {
    cluster = await startCluster(2)
    closeAfterwards(() => cluster.stop())
    await migrate(cluster.primary.url, SHARED_SCHEMA, 'shared')
    await migrate(cluster.primary.url, SCHEMA, 'network')
    node = await startNode({ recording: 'test-1', startHeight: 20 })
    indexer = startIndexer(cluster.primary.url, [node])
    await indexer.reached(20)
  })
  after(() => indexer.stop())

  const advance = async (blocks: number) => {
    await node.advance(blocks)
    await indexer.reached(node.height)
  }

  const hostsOf = (servers: readonly { url: string; place: string }[]) =>
    servers[0]!.url.replace(servers[0]!.place, servers.map(({ place }) => place).join(','))

  const openServers = async (replicas: readonly { url: string; place: string }[], options: Partial<ReadServersOptions> = {}) => {
    const servers = new ReadServers({
      schema: SCHEMA,
      primaryUrl: cluster.primary.url,
      replicaUrl: hostsOf(replicas),
      max: 2,
      maxLagSeconds: 60,
      ...options,
    })
    await servers.start()
    return servers
  }

  const used = (servers: ReadServers) => servers.states().find(({ isUsed }) => isUsed)?.place

  /** Until the standby shows what the primary has. */
  const untilLevel = (servers: ReadServers) =>
    waitUntil(() => servers.states().every(({ isUp, lagBlocks }) => isUp && lagBlocks === 0))

  test('a push follows an announced height on the replica until it shows, without a poll', async () => {
    const [replica] = cluster.standbys
    const servers = await openServers([replica!], { pollMs: NEVER_MS })
    await waitUntil(() => used(servers) === replica!.place)
    const api = await startApi(cluster.primary.url, { servers })
    const client = await WsClient.open(api.wsUrl)
    await client.subscribed('head')
    await replica!.run('select pg_wal_replay_pause()')
    await advance(2)
    await replica!.run('select pg_wal_replay_resume()')
    await client.find(({ channel, body }) => channel === 'head' && body.last_height === node.height, 0)
    assert.equal(used(servers), replica!.place)
    client.socket.close()
    await api.stop()
  })

  longTest('a paused replica tells how far it is behind: header, readiness and metrics', async (t) => {
    const [replica] = cluster.standbys
    const servers = await openServers([replica!])
    await waitUntil(() => used(servers) === replica!.place)
    const api = await startApi(cluster.primary.url, { servers })
    const health = new NetworkHealth({
      name: 'main',
      db: servers.db,
      servers,
      isIndexer: false,
      isLive: false,
      maxLagSeconds: 60,
    })
    const service = await startObservability({
      listen: { host: '127.0.0.1', port: 0 },
      metrics: createMetrics({ version: '', commit: '' }),
      networks: [{ name: 'main', db: servers.db, health, servers }],
    })
    await untilLevel(servers)
    const shown = node.height
    await replica!.run('select pg_wal_replay_pause()')
    const headers = async () => (await fetch(`${api.url}/v1/head`)).headers
    await advance(2)
    await waitUntil(async () => (await headers()).get('x-lag-blocks') === '2')
    const askedAt = performance.now()
    await advance(1)
    const indexedAt = performance.now()
    await waitUntil(async () => (await headers()).get('x-lag-blocks') === '3')
    const toldAfter = (since: number) => `${Math.round(performance.now() - since)} ms`
    t.diagnostic(`lag told ${toldAfter(indexedAt)} after the commit, ${toldAfter(askedAt)} after the node had the block`)
    assert.equal((await headers()).get('x-node-height'), String(node.height))
    assert.equal((await headers()).get('x-indexed-height'), String(shown))
    const { checks } = (await (await fetch(`${service.url}/readyz`)).json()) as {
      checks: Record<string, Record<string, unknown>>
    }
    assert.equal(checks['main.head']!.lag_blocks, 3)
    assert.equal(checks['main.servers']!.reading_from, replica!.place)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    assert.match(metrics, /^idx_lag_blocks\{network="main"\} 3$/m)
    assert.match(metrics, new RegExp(`^idx_read_server_lag_blocks\\{network="main",server="${replica!.place}"\\} 3$`, 'm'))
    await replica!.run('select pg_wal_replay_resume()')
    await waitUntil(async () => (await headers()).get('x-lag-blocks') === '0')
    await service.close()
    await api.stop()
  })

  test('replicas that are too old leave the primary to be read, until they are fresh again', async () => {
    const servers = await openServers(cluster.standbys, { maxLagSeconds: 0.2 })
    await waitUntil(() => cluster.standbys.some(({ place }) => place === used(servers)))
    for (const standby of cluster.standbys) await standby.run('select pg_wal_replay_pause()')
    await advance(1)
    await waitUntil(() => used(servers) === cluster.primary.place)
    for (const standby of cluster.standbys) await standby.run('select pg_wal_replay_resume()')
    await waitUntil(() => cluster.standbys.some(({ place }) => place === used(servers)))
    await servers.stop()
  })

  longTest('the freshest replica is used; when it goes, nobody sees the head of an older one, nor a rollback', async () => {
    const [fresh, old] = cluster.standbys
    const servers = await openServers([old!, fresh!])
    const api = await startApi(cluster.primary.url, { servers })
    await untilLevel(servers)
    const client = await WsClient.open(api.wsUrl)
    await client.subscribed('head')
    await old!.run('select pg_wal_replay_pause()')
    await advance(2)
    await waitUntil(() => used(servers) === fresh!.place)
    await client.find(({ channel, body }) => channel === 'head' && body.last_height === node.height, 0)
    await fresh!.kill()
    await waitUntil(() => used(servers) === cluster.primary.place)
    await waitUntil(() => servers.states().find(({ place }) => place === fresh!.place)?.isUp === false)
    assert.equal((await api.get('/v1/head')).last_height, node.height)
    assert.equal((await api.get('/v1/block?limit=1&sort=desc'))[0].height, node.height)

    // With the primary gone too, only the old one is left: no answer is better than an older one.
    await cluster.primary.kill()
    await waitUntil(() => used(servers) === undefined)
    assert.equal((await fetch(`${api.url}/v1/block?limit=7&sort=desc`)).status, 503)
    await cluster.primary.start()
    await waitUntil(() => used(servers) === cluster.primary.place)
    await waitUntil(async () => (await fetch(`${api.url}/v1/block?limit=7&sort=desc`)).status === 200)
    await fresh!.start()
    await old!.run('select pg_wal_replay_resume()')
    await advance(1)
    await client.find(({ channel, body }) => channel === 'head' && body.last_height === node.height, 0)
    const heights = client.notices.filter(({ channel }) => channel === 'head').map(({ body }) => body.last_height as number)
    assert.deepEqual(
      heights,
      heights.toSorted((a, b) => a - b),
    )
    client.socket.close()
    await api.stop()
  })
})
