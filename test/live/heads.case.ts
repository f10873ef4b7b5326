import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { RpcOptions } from '../../src/chain/rpc/source.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { longTest } from '../support/long-test.ts'
import { SCHEMA } from '../support/templates.ts'
import { assertSameTables, digestRecording } from './oracle.ts'
import { type Indexer, startIndexer, startNode, waitUntil } from './stack.ts'

/** Two nodes that disagree about the head: neither may hold the index still. */
const END = 158
const FROM = 20

type Logged = { event: string; [field: string]: unknown }

async function follow(nodes: ReplayNode[], rpc: Partial<RpcOptions> = {}) {
  const url = await freshDatabase()
  const logged: Logged[] = []
  const heads: number[] = []
  const indexer = startIndexer(url, nodes, {
    rpc: { listen: false, log: (event, fields) => logged.push({ event, ...fields }), ...rpc },
    announce: false,
    batchBlocks: 500,
    onHead: (head) => void heads.push(head.height),
  })
  return { url, indexer, logged, heads }
}

/** One block after the other, each indexed before the next is made. */
async function growTo(height: number, node: ReplayNode, indexer: Indexer): Promise<void> {
  while (node.height < height) {
    await node.advance()
    await indexer.reached(node.height)
  }
}

/** Tests of the default run. */
export function testHeads(): void {
  for (const [delayMs, run] of [
    [350, test],
    [800, longTest],
  ] as const) {
    void run(`a node that is stuck and fast does not hold up a current one that takes ${delayMs} ms`, async () => {
      const stuck = await startNode({ recording: 'test-1', startHeight: FROM })
      const current = await startNode({ recording: 'test-1', startHeight: FROM, faults: { slow: { delayMs } } })
      const { indexer } = await follow([stuck, current])
      await indexer.reached(FROM)
      await growTo(FROM + 3, current, indexer)
      await indexer.stop()
      assert.deepEqual(indexer.retries, [])
    })
  }

  test('the WebSocket of a slow node overrules the quick answers of a stuck one', async () => {
    const stuck = await startNode({ recording: 'test-1', startHeight: FROM })
    const current = await startNode({
      recording: 'test-1',
      startHeight: FROM,
      faults: { slow: { delayMs: 800, methods: ['status'] } },
    })
    const { indexer } = await follow([stuck, current], { listen: true, pollMs: 3_600_000 })
    await indexer.reached(FROM)
    await waitUntil(() => current.subscriptions() > 0)
    await growTo(FROM + 3, current, indexer)
    await indexer.stop()
  })

  test('a node that always claims too much neither delays the honest one beside it nor stays unnoticed', async () => {
    const liar = await startNode({ recording: 'test-1', startHeight: END - 15, faults: { 'over-claims': { blocks: 3e9 } } })
    const honest = await startNode({ recording: 'test-1', startHeight: END - 15 })
    const { indexer, logged, heads, url } = await follow([liar, honest])
    await indexer.reached(END - 15)
    while (honest.height < END) {
      await Promise.all([liar.advance(), honest.advance()])
      await indexer.reached(honest.height)
    }
    await indexer.stop()
    assert.ok(logged.some(({ code, claimed }) => code === 'head_not_served' && Number(claimed) > 3e9 - 1))
    // Its socket announces true heights; that does not excuse what its status claims.
    assert.equal(logged.filter(({ code }) => code === 'head_not_served').length, 1)
    assert.equal(heads.at(-1), END)
    assertSameTables(await digestOf(url), await digestRecording('test-1'))
  })

  test('whoever hears of the first of several commits knows that the source has more', async () => {
    const url = await freshDatabase()
    const node = await startNode({ recording: 'test-1', startHeight: FROM })
    const indexer = startIndexer(url, [node], { batchBlocks: 10 })
    await indexer.reached(FROM)
    const [listener, blocker] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })]
    for (const client of [listener, blocker]) await client.connect()
    const lags: number[] = []
    listener.on('notification', async () => {
      const { rows } = await listener.query(
        `select s.height - h.last_height as lag from "${SCHEMA}".source_head s, "${SCHEMA}".head h`,
      )
      lags.push(rows[0].lag)
    })
    await listener.query('listen astrolabe_head')
    // Where the source stands cannot be written for a moment.
    await blocker.query(`begin; lock table "${SCHEMA}".source_head in exclusive mode`)
    node.setHeight(FROM + 40)
    await waitUntil(async () => {
      const { rows } = await listener.query(
        `select 1 from pg_locks where not granted and relation = '"${SCHEMA}".source_head'::regclass`,
      )
      return rows.length > 0
    })
    await systemClock.sleep(200)
    await blocker.query('commit')
    await indexer.reached(FROM + 40)
    await waitUntil(() => lags.length > 0)
    await indexer.stop()
    for (const client of [listener, blocker]) await client.end()
    assert.ok(Math.min(...lags) >= 0, `${lags}`)
  })

  test('results that come after their block are waited for, and the node is not at fault', async () => {
    const node = await startNode({ recording: 'test-1', startHeight: FROM })
    const { indexer, logged } = await follow([node])
    await indexer.reached(FROM)
    for (let height = FROM + 1; height <= FROM + 5; height++) {
      node.faults.set('results-late', { times: 2 })
      await node.advance()
      await indexer.reached(height)
    }
    await indexer.stop()
    assert.ok((node.faults.hits.get('results-late') ?? 0) >= 5)
    assert.deepEqual(
      logged.filter(({ kind }) => kind !== 'behind'),
      [],
    )
  })
}

/** Tests of the long run. */
export function testHeadsAtLength(): void {
  test('a node halted at an upgrade beside one that continues is not asked for what it does not have', async () => {
    const halted = await startNode({ recording: 'test-1', startHeight: FROM })
    const current = await startNode({ recording: 'test-1', startHeight: FROM + 20 })
    const { indexer } = await follow([halted, current])
    await indexer.reached(FROM + 20)
    const asked = halted.requests.get('block')
    await growTo(FROM + 23, current, indexer)
    assert.equal(halted.requests.get('block'), asked)
    await indexer.stop()
  })

  test('one false status does not keep what is there from being indexed, and the node stays in use', async () => {
    const node = await startNode({ recording: 'test-1', startHeight: 50 })
    const { indexer, logged, url } = await follow([node])
    await indexer.reached(50)
    node.faults.set('over-claims', { blocks: 1000, times: 1 })
    node.setHeight(78)
    await indexer.reached(78)
    node.setHeight(END)
    await indexer.reached(END)
    await indexer.stop()
    assert.equal(node.faults.hits.get('over-claims'), 1)
    assert.deepEqual(indexer.retries, [])
    assert.ok(logged.filter(({ code }) => code === 'head_not_served').length <= 1)
    assertSameTables(await digestOf(url), await digestRecording('test-1'))
  })

  test('a single node that always claims too much is indexed as far as it serves', async () => {
    const liar = await startNode({ recording: 'test-1', startHeight: FROM, faults: { 'over-claims': { blocks: 3e9 } } })
    const { indexer } = await follow([liar])
    await indexer.reached(FROM)
    await growTo(FROM + 4, liar, indexer)
    await indexer.stop()
    assert.deepEqual(indexer.retries, [])
  })
}
