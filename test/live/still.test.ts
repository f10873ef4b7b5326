import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { systemClock } from '../../src/lib/clock.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import { NetworkHealth } from '../../src/observability/network-health.ts'
import { startObservability } from '../../src/observability/start.ts'
import { openReader } from '../../src/store/db.ts'
import { findHead } from '../../src/store/read/head/head.ts'
import { ManualClock } from '../clocks.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { freshDatabase } from '../support/database.ts'
import { SCHEMA } from '../support/templates.ts'
import { startIndexer, startNode, waitUntil } from './stack.ts'

const FROM = 100
/** For an answer on loopback, however busy the machine is. */
const PATIENCE_MS = 30_000

/** Readiness and metrics of an index, asked over HTTP; its clock starts at the newest block and runs as fast as any. */
async function observe(url: string, maxLagSeconds: number) {
  const db = openReader({ url, schema: SCHEMA, max: 2 })
  closeAfterwards(() => db.end({ timeout: 1 }))
  const behind = Date.now() - Date.parse((await findHead(db))!.last_time)
  const now = () => Date.now() - behind
  const health = new NetworkHealth({ name: 'main', db, isIndexer: true, isLive: true, maxLagSeconds, now })
  const service = await startObservability({
    listen: { host: '127.0.0.1', port: 0 },
    metrics: createMetrics({ version: '', commit: '' }),
    networks: [{ name: 'main', db, health }],
  })
  closeAfterwards(() => service.close())
  return {
    async ready() {
      const answer = await fetch(`${service.url}/readyz`)
      const { checks } = (await answer.json()) as { checks: Record<string, { reason?: string }> }
      return { status: answer.status, reason: checks['main.head']?.reason }
    },
    async isStill() {
      const text = await (await fetch(`${service.url}/metrics`)).text()
      return /^idx_chain_still\{network="main"\} (\d)$/m.exec(text)?.[1]
    },
  }
}

test('two nodes that are both stuck: not ready, "the chain stands still", and the alert has its metric', async () => {
  const url = await freshDatabase()
  const nodes = [
    await startNode({ recording: 'test-1', startHeight: FROM }),
    await startNode({ recording: 'test-1', startHeight: FROM }),
  ]
  const indexer = startIndexer(url, nodes)
  await indexer.reached(FROM)
  const { ready, isStill } = await observe(url, 3)
  assert.deepEqual([(await ready()).status, await isStill()], [200, '0'])
  await waitUntil(async () => (await isStill()) === '1')
  const { status, reason } = await ready()
  assert.equal(status, 503)
  assert.match(String(reason), /^the chain stands still: no node has a block newer than \d+ s$/)
  assert.match(readFileSync(packagePath('ops/alerts.yml'), 'utf8'), /expr: idx_chain_still == 1$/m)

  await nodes[1]!.advance()
  await indexer.reached(FROM + 1)
  await waitUntil(async () => (await isStill()) === '0')
  await indexer.stop()
})

test('the only node is away for long and comes back: it was probed every second, and the tip is reached within two', async () => {
  const url = await freshDatabase()
  const node = await startNode({ recording: 'test-1', startHeight: FROM })
  // Time passes for the source only when told, so that its pauses can be counted on a machine of any speed.
  const clock = new ManualClock()
  const indexer = startIndexer(url, [node], { rpc: { listen: false, clock } })
  await indexer.reached(FROM)
  const resets = () => node.faults.hits.get('reset') ?? 0
  node.faults.set('reset')
  node.setHeight(FROM + 20)
  // A back-off that doubles from one second would be at half a minute by the end.
  for (let second = 1; second <= 8; second++) {
    const before = resets()
    await clock.advance(1000)
    await Promise.race([waitUntil(() => resets() > before), systemClock.sleep(PATIENCE_MS)])
    assert.ok(resets() > before, `nobody asked in second ${second}`)
  }
  node.faults.clear('reset')
  await clock.advance(1000)
  await clock.advance(1000)
  await indexer.reached(FROM + 20)
  assert.deepEqual(indexer.retries, [])
  await indexer.stop()
})
