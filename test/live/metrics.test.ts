import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRpcSource } from '../../src/chain/rpc/source.ts'
import { indexNetwork } from '../../src/cli/wiring/indexer.ts'
import { loadConfig } from '../../src/config/load.ts'
import { OperatorError } from '../../src/lib/errors.ts'
import { IndexerObserver } from '../../src/observability/indexer-observer.ts'
import { createLog } from '../../src/observability/log.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import { createNodeObserver } from '../../src/observability/observers.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { freshDatabase } from '../support/database.ts'
import { longTest } from '../support/long-test.ts'
import { SCHEMA } from '../support/templates.ts'
import { openWriterSql } from '../support/writer-sql.ts'
import { startNode, waitUntil } from './stack.ts'

/** The heights after it have txs. */
/** The next height is one whose data root is rebuilt. */
const START = 99

/** An indexer as `index` runs it, over a node of the recording, with what it counts. */
async function startObserved(sampleMinutes: number, given?: string) {
  const url = given ?? (await freshDatabase())
  const node = await startNode({ recording: 'test-1', startHeight: START })
  const metrics = createMetrics({ version: '', commit: '' })
  const lines: Record<string, unknown>[] = []
  const log = createLog('warn', { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) })
  const config = loadConfig({
    env: {},
    overrides: {
      networks: [{ name: 'main', kind: 'main', rpc: [node.url] }],
      indexing: { threads: 1, batch_blocks: 50, sample_minutes: sampleMinutes },
    },
  })
  const [network] = config.networks
  const source = createRpcSource({ urls: [node.url], pollMs: 100, onRequest: createNodeObserver(metrics, 'main') })
  const stopping = new AbortController()
  const observer = new IndexerObserver(metrics, 'main')
  const options = { url, follow: true, observer }
  const running = indexNetwork(config, network!, source, options, { log, signal: stopping.signal })
  running.catch(() => {})
  const stop = async () => {
    stopping.abort(new OperatorError('over', 'the test is over'))
    await running.catch(() => {})
    await source.close()
  }
  closeAfterwards(stop)
  const scrape = async (): Promise<Map<string, number>> =>
    new Map(
      (await metrics.registry.metrics()).split('\n').map((line) => [line.replace(/ [^ ]+$/, ''), Number(line.split(' ').at(-1))]),
    )
  const isAt = async (height: number) => (await scrape()).get('idx_head_height{network="main"}') === height
  const reached = (height: number) => Promise.race([running, waitUntil(() => isAt(height))])
  return { url, node, lines, scrape, reached, stop }
}

test('an indexer counts what it asks nodes for, the time of its stages and the size of its blocks', async () => {
  const { node, scrape, reached } = await startObserved(0)
  await reached(START)
  const before = await scrape()
  for (const stage of ['fetch', 'decode', 'apply', 'commit'])
    assert.ok(before.get(`idx_stage_duration_seconds_count{network="main",stage="${stage}"}`)! > 0, stage)
  assert.equal(before.get('idx_block_bytes_count{network="main"}'), START)
  assert.equal(before.get('idx_blocks_committed_total{network="main"}'), START)
  assert.ok(before.get('idx_block_bytes_sum{network="main"}')! > 100_000)
  const host = new URL(node.url).host
  const asked = (outcome: string, method: string, of = before) =>
    of.get(`idx_node_requests_total{network="main",node="${host}",method="${method}",outcome="${outcome}"}`) ?? 0
  for (const method of ['status', 'genesis', 'block']) {
    const took = before.get(`idx_node_request_duration_seconds_count{network="main",node="${host}",method="${method}"}`)!
    assert.ok(took >= asked('ok', method) && asked('ok', method) > 0, method)
  }
  // A fault that is found after the answer: counted under its code.
  node.faults.set('tampered-tx')
  node.setHeight(START + 1)
  await waitUntil(async () => asked('data_hash', 'block', await scrape()) === 1)
})

longTest('an indexer that starts again and finds nothing new is live and the writer', async () => {
  const first = await startObserved(0)
  await first.reached(START)
  await first.stop()
  assert.equal((await first.scrape()).get('idx_writer_lock_held{network="main"}'), 1)
  const { scrape } = await startObserved(0, first.url)
  await waitUntil(async () => (await scrape()).get('idx_status{network="main"}') === 3)
  const samples = await scrape()
  assert.equal(samples.get('idx_writer_lock_held{network="main"}'), 1)
  assert.equal(samples.get('idx_blocks_committed_total{network="main"}'), undefined)
})

longTest('a running indexer looks at itself from time to time, and tells what does not add up', async () => {
  const { url, lines, scrape, reached } = await startObserved(0.002)
  await reached(START)
  const sql = openWriterSql(url, SCHEMA)
  closeAfterwards(() => sql.end())
  const counted = (samples: Map<string, number>, name: string) =>
    samples.get(`idx_invariant_violations_total{network="main",name="${name}"}`) ?? 0
  assert.equal(counted(await scrape(), 'balances sum up to the supply'), 0)
  await sql`update address set spendable = spendable + 1 where id = 1`
  await sql`update block set tx_count = tx_count + 1 where height = ${START - 10}`
  await waitUntil(async () => {
    const samples = await scrape()
    return counted(samples, 'balances sum up to the supply') > 0 && counted(samples, 'txs of a block') > 0
  })
  const told = lines.find(({ check }) => check === 'txs of a block')!
  assert.equal(told.msg, 'invariant violated')
  assert.match(String((told.details as string[])[0]), new RegExp(`^block ${START - 10}: `))
})
