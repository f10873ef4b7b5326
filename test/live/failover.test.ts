import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { createKey } from '../../src/store/access/keys.ts'
import { checkPepper } from '../../src/store/access/pepper.ts'
import { openPool, openReader } from '../../src/store/db.ts'
import { migrate, SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { findHead } from '../../src/store/read/head/head.ts'
import { ReadServers } from '../../src/store/replicas/read-servers.ts'
import { HEAD_CHANNEL } from '../../src/store/servers/head-notice.ts'
import { checkReachable } from '../../src/store/servers/reach.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { type Cluster, type ClusterServer, startCluster } from '../support/cluster.ts'
import { writeConfig } from '../support/config-file.ts'
import { digestOf } from '../support/digest.ts'
import { longTest } from '../support/long-test.ts'
import { makeFolder, runCli } from '../support/program.ts'
import { createDatabase, SCHEMA } from '../support/templates.ts'
import { assertSameTables } from './oracle.ts'
import { startApi, startIndexer, startNode, waitUntil } from './stack.ts'
import { WsClient } from './ws-client.ts'

const PEPPER = 'a pepper that all servers of the cluster share'

async function prepare(url: string): Promise<void> {
  await migrate(url, SHARED_SCHEMA, 'shared')
  await migrate(url, SCHEMA, 'network')
}

async function heightOf({ url }: { url: string }): Promise<number | undefined> {
  const db = openReader({ url, schema: SCHEMA, max: 1 })
  try {
    return (await findHead(db))?.last_height
  } catch {
    return undefined
  } finally {
    await db.end({ timeout: 1 })
  }
}

describe('fail-over', () => {
  let cluster: Cluster
  let first: ClusterServer
  let second: ClusterServer
  let both: string
  let node: ReplayNode
  before(async () => {
    cluster = await startCluster(1)
    closeAfterwards(() => cluster.stop())
    first = cluster.primary
    second = cluster.standbys[0]!
    both = first.url.replace(first.place, `${first.place},${second.place}`)
    await prepare(both)
    node = await startNode({ recording: 'test-1', startHeight: 20 })
    const indexer = startIndexer(both, [node])
    await indexer.reached(20)
    await indexer.stop()
    await waitUntil(async () => (await heightOf(second)) === 20)
  })
  after(() => node.close())

  test('an address that names a standby is refused in one sentence', async () => {
    await assert.rejects(checkReachable(second.url), {
      name: 'OperatorError',
      message: `PostgreSQL at ${second.place} is a standby and takes no writes: set DATABASE_URL to the primary, or to all hosts separated by commas; a standby belongs into DATABASE_READ_URL`,
    })
    await checkReachable(both)
  })

  test('serve starts while the primary is away: answers and keys from the replica, limits alone', async () => {
    const sql = openPool('access', { url: first.url, schema: SHARED_SCHEMA, max: 1 })
    await checkPepper(sql, PEPPER)
    const key = await createKey(sql, { environment: 'live', pepper: PEPPER }, { role: 'client', plan: 'free', label: 'kept' })
    await sql.end()
    await waitUntil(async () => {
      const copy = openPool('access', { url: second.url, schema: SHARED_SCHEMA, max: 1 })
      const rows = await copy`select from api_key`
      await copy.end()
      return rows.length === 1
    })
    await first.kill()
    const folder = makeFolder()
    const serve = runCli(['serve', '--config', writeConfig(folder, { networks: [{ rpc: [node.url] }] })], {
      env: {
        DATABASE_URL: first.url,
        DATABASE_READ_URL: second.url,
        KEY_PEPPER: PEPPER,
        ASTROLABE_DATA: join(folder, 'data'),
      },
    })
    const [, api] = /"address":"([^"]+)","msg":"serving"/.exec(await serve.says(/"msg":"serving"/))!
    const [, health] = /"address":"([^"]+)","msg":"health and metrics"/.exec(await serve.says(/health and metrics/))!
    const asKey = (apikey: string) => fetch(`${api}/v1/head`, { headers: { apikey } })
    const answer = await asKey(key.text)
    assert.equal(answer.status, 200)
    assert.equal(((await answer.json()) as { last_height: number }).last_height, 20)
    assert.equal((await asKey(`${key.text.slice(0, -1)}${key.text.endsWith('a') ? 'b' : 'a'}`)).status, 401)
    type Check = { ok: boolean; reading_from: string; down?: { server: string; reason: string }[] }
    const servers = async () =>
      ((await (await fetch(`${health}/readyz`)).json()) as { checks: Record<string, Check> }).checks['main.servers']!
    const away = await servers()
    assert.equal(away.ok, true)
    assert.equal(away.reading_from, second.place)
    assert.deepEqual(
      away.down?.map(({ server }) => server),
      [first.place],
    )
    assert.match(serve.text(), /limits_down/)

    await first.start()
    await waitUntil(async () => (await servers()).down === undefined)
    await serve.says(/limits are counted in the database again/)
    serve.child.kill('SIGTERM')
    const ended = await serve.ended
    assert.equal(ended.code, 0, ended.text)
  })

  longTest('a writer on a primary that was demoted without knowing leaves it; nothing is lost or doubled', async () => {
    const servers = new ReadServers({ schema: SCHEMA, primaryUrl: both, max: 2, maxLagSeconds: 60 })
    await servers.start()
    const api = await startApi(both, { servers })
    const client = await WsClient.open(api.wsUrl)
    await client.subscribed('head')
    const indexer = startIndexer(both, [node])
    await node.advance(3)
    await waitUntil(async () => (await heightOf(second)) === 23)
    // The first goes on as a primary that nobody told: its connections live, and it takes writes.
    await second.run('select pg_promote()')
    await waitUntil(() => indexer.retries.some((error) => 'code' in error && error.code === 'demoted'))
    const left = await heightOf(first)
    await node.advance(5)
    await client.find(({ channel, body }) => channel === 'head' && body.last_height === 28, 0)
    await waitUntil(async () => (await heightOf(second)) === 28)
    assert.equal(await heightOf(first), left)
    const heights = client.notices.filter(({ channel }) => channel === 'head').map(({ body }) => body.last_height as number)
    assert.deepEqual(
      heights,
      heights.toSorted((a, b) => a - b),
    )
    await first.kill()
    await node.advance(2)
    await waitUntil(async () => (await heightOf(second)) === 30)
    await indexer.stop()
    client.socket.close()
    await api.stop()

    const undisturbed = await createDatabase(second.url, 'undisturbed')
    await prepare(undisturbed)
    await startIndexer(undisturbed, [node], { follow: false }).ended
    assertSameTables(await digestOf(second.url), await digestOf(undisturbed))
  })

  longTest('a primary that comes back as a standby and is promoted again is listened to again', async () => {
    const servers = new ReadServers({ schema: SCHEMA, primaryUrl: both, max: 2, maxLagSeconds: 60 })
    await servers.start()
    const isSeenAs =
      (wanted: string, { place }: ClusterServer) =>
      () =>
        servers.states().some((state) => state.place === place && state.isUp && state.role === wanted)
    let announced = 1000
    const hearsNotices = async () => {
      announced++
      await second.run(`select pg_notify('${HEAD_CHANNEL}', '${SCHEMA} ${announced} ${announced}')`)
      await setImmediate()
      return servers.newest()?.height === announced
    }
    await waitUntil(isSeenAs('primary', second))
    await waitUntil(hearsNotices)
    await second.demote()
    await waitUntil(isSeenAs('replica', second))
    await first.start()
    await waitUntil(isSeenAs('primary', first))
    await first.kill()
    await second.run('select pg_promote()')
    await waitUntil(hearsNotices)
    await servers.stop()
  })
})
