// Indexes and serves through a Patroni cluster of three nodes and loses the primary three times meanwhile: one server names all nodes, a
// second one knows only the two addresses of HAProxy. Needs Debian's patroni, etcd-server, haproxy and postgresql. Options: --async (without
// synchronous replication), --golden DIR (compare.mjs and truth.mjs of the reference answers).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { built } from '../../scripts/built.mjs'
import { root } from '../../scripts/stamp.mjs'
import { findMissing, startPatroni } from './patroni-cluster.mjs'
import { compareAnswers, configOf, listDiffering, startServing } from './programs.mjs'
import { runTrial, skip } from './trial.mjs'

const { values: options } = parseArgs({ options: { async: { type: 'boolean', default: false }, golden: { type: 'string' } } })
const LOSSES = 3
/** Long enough that the chain is not over before the last loss. */
const BLOCK_MS = 600
const RECORDING = join(root, 'data/recordings/devnet')
const { to: LAST } = JSON.parse(readFileSync(join(RECORDING, 'manifest.json'), 'utf8'))

const { digestTables } = await built('test/support/dump-tables.js')

await runTrial('patroni', tryPatroni)

async function tryPatroni({ folder, programs, check, pause, afterwards, signal }) {
  const missing = findMissing()
  if (missing.length > 0) skip(`${missing.join(', ')} not found (Debian: apt-get install patroni etcd-server haproxy postgresql)`)
  const { start } = programs
  const environment = (url) => ({
    PATH: process.env.PATH,
    DATABASE_URL: url,
    KEY_PEPPER: 'a pepper for the cluster that is tried',
    ASTROLABE_DATA: join(folder, 'data'),
    // The keys of the recorded validators did not sign the last block for a replay node.
    INDEX_VERIFY_COMMITS: 'false',
    OBSERVABILITY_PORT: '0',
  })

  const once = (args, url) => programs.once(args, environment(url))

  async function query(url, sql) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }

  async function digest(url) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return await digestTables(client, 'net_main')
    } finally {
      await client.end()
    }
  }

  /** Asks without a pause and notes what a caller notices. */
  function watchApi(base) {
    const seen = { head: 0, heads: [], failures: [], backwards: [], isOver: false }
    const ask = async () => {
      while (!seen.isOver && !signal.aborted) {
        const at = Date.now()
        const answer = await fetch(`${base}/v1/block?limit=1&sort=desc`, { signal: AbortSignal.timeout(5000) }).catch(
          () => undefined,
        )
        const [block] = answer?.ok ? await answer.json() : []
        if (!block) seen.failures.push(at)
        else {
          if (block.height < seen.head) seen.backwards.push({ from: seen.head, to: block.height })
          if (block.height > seen.head) seen.heads.push({ at: Date.now(), height: block.height })
          seen.head = block.height
        }
        await sleep(50)
      }
    }
    seen.running = ask()
    return seen
  }

  /** Interruption that a caller saw after a loss. */
  function pauseOf({ heads, failures: all }, { at, height, failures }) {
    const resumed = heads.find((head) => head.height > height + 2).at
    const failed = all.slice(failures)
    const silence = failed.length === 0 ? 0 : (failed.at(-1) - failed[0]) / 1000
    return `new blocks after ${((resumed - at) / 1000).toFixed(1)} s, ${failed.length} answers failed over ${silence.toFixed(1)} s`
  }

  const until = async (test) => {
    while (!(await test())) {
      programs.refuseEnded()
      await pause(100)
    }
  }

  const cluster = await startPatroni(folder, { isSynchronous: !options.async })
  afterwards(() => cluster.stop())
  await cluster.untilWhole()
  console.log(
    `three nodes, ${options.async ? 'asynchronous' : 'synchronous'} replication, leader ${(await cluster.leader()).name}`,
  )
  const config = join(folder, 'config.json')
  const replay = start(['replay', RECORDING, '--port', '0', '--interval', String(BLOCK_MS)], environment(cluster.url))
  const [, node] = await replay.says(/ on (http\S+),/)
  writeFileSync(config, JSON.stringify(configOf({ rpc: [node] })))
  await once(['rollups', 'load', join(RECORDING, 'rollups.json'), '--config', config], cluster.url)
  const index = start(['index', '--config', config], environment(cluster.url))
  await until(
    async () => (await query(cluster.urlOf(await cluster.leader()), 'select 1 from net_main.head').catch(() => [])).length > 0,
  )
  const api = await startServing(programs, config, { ...environment(cluster.url), DATABASE_READ_URL: cluster.url })
  const { primary: writable, replica: readable } = cluster.proxied
  const apiBehindProxy = await startServing(programs, config, { ...environment(writable), DATABASE_READ_URL: readable })
  const seen = watchApi(api)
  const seenBehindProxy = watchApi(apiBehindProxy)
  await until(() => seen.head > 0 && seenBehindProxy.head > 0)
  for (let loss = 1; loss <= LOSSES; loss++) {
    await cluster.untilWhole()
    const leader = await cluster.leader()
    const height = seen.head
    const failures = [seen, seenBehindProxy].map((one) => one.failures.length)
    const at = Date.now()
    cluster.lose(leader)
    await until(() => seen.head > height + 2 && seenBehindProxy.head > height + 2)
    await until(async () => ![undefined, leader].includes(await cluster.leader()))
    const next = await cluster.leader()
    console.log(`loss ${loss}: ${leader.name} at height ${height}, ${next?.name} leads`)
    console.log(`  by the nodes' addresses: ${pauseOf(seen, { at, height, failures: failures[0] })}`)
    console.log(`  through HAProxy: ${pauseOf(seenBehindProxy, { at, height, failures: failures[1] })}`)
    cluster.restart(leader)
  }
  // The recording has no votes for its last block, so a replaying node does not serve it: it is indexed from the recording.
  await until(() => seen.head === LAST - 1)
  index.child.kill('SIGTERM')
  check('the indexer ran through', (await index.ended) === 0)
  const plain = join(folder, 'plain.json')
  writeFileSync(plain, JSON.stringify(configOf({ recording: RECORDING })))
  await once(['index', '--once', '--config', plain], cluster.url)
  await until(() => seen.head === LAST && seenBehindProxy.head === LAST)
  for (const [name, one] of [
    ["by the nodes' addresses", seen],
    ['through HAProxy', seenBehindProxy],
  ]) {
    one.isOver = true
    await one.running
    check(`all blocks are there, ${name}`, one.head === LAST, String(one.head))
    check(`the head never went back, ${name}`, one.backwards.length === 0, JSON.stringify(one.backwards))
  }
  const primary = cluster.urlOf(await cluster.leader())
  await query(primary, 'create database undisturbed')
  const other = primary.replace('/postgres?', '/undisturbed?').replace(/\/postgres$/, '/undisturbed')
  await once(['rollups', 'load', join(RECORDING, 'rollups.json'), '--config', plain], other)
  await once(['index', '--once', '--config', plain], other)
  const expected = await digest(other)
  const differing = listDiffering(expected, await digest(primary))
  check(`each of ${expected.length} tables equals that of an undisturbed index`, differing.length === 0, differing.join(', '))
  if (options.golden !== undefined) {
    for await (const { name, isRight, summary } of compareAnswers(programs, options.golden, api, RECORDING))
      check(`${name} through a replica of the cluster`, isRight, summary)
    for await (const { name, isRight, summary } of compareAnswers(programs, options.golden, apiBehindProxy, RECORDING))
      check(`${name} through HAProxy`, isRight, summary)
  }
}
