import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeSync, estimateSync } from './first-sync.ts'

test('a sync of blocks as they were measured takes what was measured', () => {
  const { trafficBytes, tableBytes, coreHours, nodeHours } = estimateSync(10_000_000, { count: 12, bytes: 420_000, ms: 30 })
  assert.equal(trafficBytes, 4.2e12)
  assert.ok(Math.abs(tableBytes / 670e9 - 1) < 0.01, String(tableBytes))
  assert.ok(Math.abs(coreHours / 42 - 1) < 0.02, String(coreHours))
  assert.ok(Math.abs(nodeHours / 83.3 - 1) < 0.01, String(nodeHours))
})

test('a sync is told in units that fit', () => {
  assert.equal(
    describeSync(1_000_000, { count: 12, bytes: 24_000, ms: 2 }),
    '1000000 heights to go, like 12 that were fetched (24 kB and 2 ms each): 24.0 GB from the nodes, 12.7 GB of tables, 35 minutes of CPU time for the indexer and PostgreSQL, 34 minutes of requests to one node, which gets up to 8 at a time',
  )
})
