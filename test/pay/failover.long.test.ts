import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../src/lib/free-port.ts'
import { createSeededRandom } from '../../src/lib/random.ts'
import { createKey } from '../../src/store/access/keys.ts'
import { checkPepper } from '../../src/store/access/pepper.ts'
import { openPool } from '../../src/store/db.ts'
import { SHARED_SCHEMA } from '../../src/store/migrations/migrate.ts'
import { SECRETS } from '../access/secrets.ts'
import { waitUntil } from '../live/stack.ts'
import { type Cluster, type ClusterServer, startCluster } from '../support/cluster.ts'
import { type Bed, makeBed } from './bed.ts'
import { CHEAP_PLANS, openBuyers, sumOf } from './buyers.ts'
import { assertKeys } from './kept-keys.ts'
import { spawnPaid } from './processes.ts'

/**
 * The ledger is in a cluster with synchronous replication, as docs/production.md asks for where anything is sold. Its primary crashes twice
 * while several buyers buy answers, keys and renewals from two servers, and a standby is promoted each time.
 */

const SEED = Number(process.env.SEED ?? 7)
const PURCHASES_BETWEEN = 20

let cluster: Cluster
let bed: Bed
before(async () => {
  cluster = await startCluster(2)
  const { primary, standbys } = cluster
  bed = await makeBed({
    databaseUrl: primary.url.replace(primary.place, [primary, ...standbys].map(({ place }) => place).join(',')),
  })
  // Servers of tests commit without waiting for the disk: not where a promise to a payer has to survive.
  await primary.run('alter database postgres set synchronous_commit to on')
  await copySynchronously(primary, standbys)
})
after(async () => {
  await bed.stop()
  await cluster.stop()
})

/** Has a server commit only what all these standbys have. */
async function copySynchronously(server: ClusterServer, standbys: readonly ClusterServer[]): Promise<void> {
  for (const standby of standbys) {
    const { port, username, password } = new URL(server.url)
    await standby.run(`alter system set primary_conninfo to 'host=127.0.0.1 port=${port} user=${username} password=${password}'`)
    await standby.run('select pg_reload_conf()')
  }
  await server.run(`alter system set synchronous_standby_names to '${standbys.length} (*)'`)
  await server.run('select pg_reload_conf()')
}

test('a change of keys waits for the standbys, on connections whose counters do not', async () => {
  const { primary, standbys } = cluster
  const sql = openPool('access', { url: primary.url, schema: SHARED_SCHEMA, max: 2 })
  await checkPepper(sql, SECRETS.pepper)
  await primary.run("alter system set synchronous_standby_names to 'one_that_is_away'")
  await primary.run('select pg_reload_conf()')
  await sql`insert into api_usage (key_id, day, requests, points, refused) values ('counted', now(), 1, 1, 0)`
  const made = createKey(sql, SECRETS, { role: 'client', plan: 'free', label: 'kept' })
  const countWaiting = async () =>
    (await bed.ledger`select from pg_stat_activity where wait_event = 'SyncRep' and application_name like 'astrolabe access%'`)
      .length
  const isWaiting = waitUntil(async () => (await countWaiting()) === 1)
  assert.equal(await Promise.race([made.then(() => 'made'), isWaiting.then(() => 'waiting')]), 'waiting')
  await copySynchronously(primary, standbys)
  // On a busy machine the connection may have been given up by now; the key is there all the same once the standbys have it.
  await made.catch(() => {})
  await waitUntil(async () => (await countWaiting()) === 0)
  await primary.run(`delete from ${SHARED_SCHEMA}.api_key`)
  await sql.end()
})

test(`a ledger whose primary crashes twice during purchases (SEED ${SEED}): charged = delivered, keys = payments`, async (t) => {
  const random = createSeededRandom(SEED)
  const baseUrl = `http://127.0.0.1:${await freePort()}`
  const settings = { leaseMs: 1500, confirmTimeoutMs: 1000 }
  const start = () => spawnPaid(bed, baseUrl, { reconcileMs: 200, watchMs: 100, plans: CHEAP_PLANS, settings })
  const replicas = [await start(), await start()]
  const before = await bed.revenue()
  const { sold, everyoneBuys } = openBuyers(bed.settings, { baseUrl, replicas, random })
  let isOver = false
  const failOver = async () => {
    const servers = [cluster.primary, ...cluster.standbys]
    for (let lost = 0; lost < servers.length - 1; lost++) {
      const soldBefore = sold.length
      await waitUntil(() => sold.length >= soldBefore + PURCHASES_BETWEEN)
      await delay(random() * 50)
      await servers[lost]!.kill()
      const next = servers[lost + 1]!
      await next.run('select pg_promote()')
      const rest = servers.slice(lost + 2)
      if (rest.length > 0) await copySynchronously(next, rest)
    }
    const soldBefore = sold.length
    await waitUntil(() => sold.length >= soldBefore + PURCHASES_BETWEEN)
    isOver = true
  }
  await Promise.all([failOver(), everyoneBuys(() => isOver)])
  const owed = sumOf(sold)
  await waitUntil(async () => (await bed.revenue()) - before >= owed)
  for (const replica of replicas) await replica.stop()
  t.diagnostic(`${sold.length} delivered, ${sold.filter(({ key }) => key).length} keys, ${owed} owed`)
  assert.equal((await bed.revenue()) - before, owed)
  await assertKeys(bed.ledger, sold)
})
