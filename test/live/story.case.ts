import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openRecordingSource } from '../../src/chain/recording/source.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { createSeededRandom } from '../../src/lib/random.ts'
import type { ForgedBlock } from '../../src/simulation/node/forge.ts'
import { createFastClock } from '../clocks.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { delayBranch, readForged, renameBranch, toRaw } from './branches.ts'
import { followBranches } from './follow.ts'
import { assertSameTables } from './oracle.ts'
import { SEED, startApi, startIndexer, startNode } from './stack.ts'
import { WsClient } from './ws-client.ts'

const RECORDING = 'test-1'
const CHAIN_ID = 'astrolabe-test-1'
const STEPS = 14

/**
 * A seeded life of a small chain: it grows, forks, its node fails, the writer's connections are cut and the indexer is started again,
 * while a client follows. In the end the tables are those of the final chain, and the client has seen that chain and nothing against
 * the rules.
 */
async function liveThrough(seed: number): Promise<string[]> {
  const random = createSeededRandom(seed)
  const pick = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const genesis = await (await openRecordingSource(packagePath('data/recordings', RECORDING))).genesis(
    new AbortController().signal,
  )
  let chain: ForgedBlock[] = await readForged(RECORDING, 1, 158)
  const node = await startNode({
    chainId: CHAIN_ID,
    genesis,
    blocks: toRaw(chain),
    startHeight: 25,
    seed,
    faults: {
      'http-503': { probability: 0.03 },
      reset: { probability: 0.02 },
      truncated: { probability: 0.02 },
      'missing-results': { probability: 0.02 },
      'head-backwards': { probability: 0.05, blocks: 3 },
    },
  })
  const url = await freshDatabase()
  const options = { batchBlocks: pick(1, 20), rpc: { clock: createFastClock(20), timeoutMs: 500, pollMs: 1000 } }
  let indexer = startIndexer(url, [node], options)
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const story: string[] = []
  await indexer.reached(25)
  const api = await startApi(url)
  const client = await WsClient.open(api.wsUrl)
  client.subscribe('head')
  await client.subscribed('blocks', { from_height: 0 })

  const fork = () => {
    const depth = pick(1, Math.min(40, node.height - 2))
    const at = node.height - depth
    const history = chain.slice(at - 1)
    const branch = random() < 0.5 ? renameBranch(history.slice(1), `${seed} ${story.length}`) : delayBranch(history, pick(1, 3))
    chain = [...chain.slice(0, at), ...branch]
    node.fork(toRaw(branch))
    story.push(`forked ${depth} deep at ${node.height}`)
  }
  const cut = () =>
    admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name ~ '^astrolabe (write|load|lock|read) ' and pid <> pg_backend_pid()`,
    )

  for (let step = 0; step < STEPS; step++) {
    const dice = random()
    if (dice < 0.35) fork()
    else if (dice < 0.5) {
      await cut()
      story.push('cut all connections')
    } else if (dice < 0.6) {
      await indexer.stop()
      indexer = startIndexer(url, [node], options)
      story.push('started the indexer again')
    }
    await node.advance(pick(1, 8))
    story.push(`height ${node.height}`)
    if (random() < 0.7) await indexer.reached(node.height)
  }
  node.faults.clear()
  await node.advance()
  const { height } = node
  await indexer.reached(height)
  await client.find(({ channel, body }) => channel === 'blocks' && body.hash === chain[height - 1]!.block.block_id.hash)
  await indexer.stop()

  const seen = followBranches(client.notices)
  for (const forged of chain.slice(0, height)) assert.equal(seen.get(forged.height), forged.block.block_id.hash)
  await client.close()
  await api.stop()
  await admin.end()
  const oracle = await startNode({ chainId: CHAIN_ID, genesis, blocks: toRaw(chain), startHeight: height })
  const quiet = await freshDatabase()
  await startIndexer(quiet, [oracle], { follow: false, announce: false }).ended
  assertSameTables(await digestOf(url), await digestOf(quiet))
  await Promise.all([node.close(), oracle.close()])
  return story
}

/** Tells what happened, for the one who looks into a bad seed. */
export function testStories(count: number): void {
  for (let seed = SEED; seed < SEED + count; seed++)
    test(`forks, failing nodes, cut connections and restarts end in the final chain, for tables and client (seed ${seed})`, async (t) => {
      for (const line of await liveThrough(seed)) t.diagnostic(line)
    })
}
