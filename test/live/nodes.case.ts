import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { AstrolabeError } from '../../src/lib/errors.ts'
import type { FaultName, FaultOptions } from '../../src/simulation/node/faults.ts'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { createFastClock } from '../clocks.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { longTest } from '../support/long-test.ts'
import { readForged, toRaw } from './branches.ts'
import { assertSameTables, type Digest, digestRecording } from './oracle.ts'
import { type IndexerOptions, SEED, startIndexer, startNode, waitUntil } from './stack.ts'

/** Faults of nodes over the whole pipeline: whatever nodes do, the tables end up the same. */
const END = 158
let oracle: Digest

before(async () => {
  oracle = await digestRecording('test-1')
})

/** Pauses pass faster than told, so that back-off does not take minutes; sockets and timeouts are real. */
const fast: IndexerOptions = { rpc: { clock: createFastClock(50), timeoutMs: 400, listen: false, pollMs: 1000 }, announce: false }

const startShaky = (faults: Partial<Record<FaultName, FaultOptions>>) => startNode({ recording: 'test-1', faults })

async function indexAll(nodes: ReplayNode[]): Promise<Digest> {
  const url = await freshDatabase()
  const indexer = startIndexer(url, nodes, { ...fast, follow: false })
  await indexer.ended
  return digestOf(url)
}

const calls = { methods: ['block', 'block_results', 'status'] }

const testLiar = (faults: readonly FaultName[]): Promise<void> =>
  test(`of two nodes one with ${faults.join(', ')} changes nothing (seed ${SEED})`, async () => {
    for (const fault of faults) {
      const liar = await startShaky({ [fault]: { probability: 0.3 } })
      assertSameTables(await indexAll([liar, await startNode({ recording: 'test-1' })]), oracle)
      assert.ok(liar.faults.hits.get(fault), `${fault} never hit`)
    }
  })

/** Tests of the default run. */
export function testNodes(): void {
  void testLiar(['tampered-results'])

  test(`timeouts, slow answers, resets and refusals only take time (seed ${SEED})`, async () => {
    const node = await startShaky({
      'http-500': { probability: 0.08, ...calls },
      'http-429': { probability: 0.05, retryAfterSeconds: 1, ...calls },
      'http-503': { probability: 0.08, ...calls },
      reset: { probability: 0.08, ...calls },
      silence: { probability: 0.05, times: 3, ...calls },
      slow: { probability: 0.05, times: 3, delayMs: 5000, ...calls },
    })
    assertSameTables(await indexAll([node]), oracle)
    for (const fault of ['http-500', 'http-503', 'reset'] as const) assert.ok(node.faults.hits.get(fault), `${fault} never hit`)
  })

  longTest(`garbage is never written (seed ${SEED})`, async () => {
    const node = await startShaky({
      truncated: { probability: 0.04, ...calls },
      html: { probability: 0.04, ...calls },
      empty: { probability: 0.04, ...calls },
      'wrong-type': { probability: 0.01, ...calls },
      'rpc-error': { probability: 0.02, ...calls },
      'wrong-id': { probability: 0.01, ...calls },
      'missing-member': { probability: 0.04, ...calls },
      'wrong-height': { probability: 0.01, ...calls },
      'null-results': { probability: 0.02, ...calls },
      'missing-results': { probability: 0.02, ...calls },
      'deep-nesting': { probability: 0.01, times: 3, ...calls },
    })
    assertSameTables(await indexAll([node]), oracle)
  })

  test('a node of another chain at the start or in the middle stops the run, and nothing else is written or deleted', async () => {
    const url = await freshDatabase()
    const foreign = await startShaky({ 'wrong-chain-id': {} })
    const first = startIndexer(url, [foreign], { ...fast, rpc: { ...fast.rpc, chainId: 'astrolabe-test-1' } })
    await assert.rejects(first.ended, (error: unknown) => error instanceof AstrolabeError && error.code === 'no_node_left')
    const turning = await startShaky({ 'wrong-chain-id': { from: 90 } })
    const turned = startIndexer(url, [turning], fast)
    assert.match((await turned.stands()).message, /no node/)
    await turned.stop()
    const honest = await startNode({ recording: 'test-1' })
    await startIndexer(url, [honest], { ...fast, follow: false }).ended
    assertSameTables(await digestOf(url), oracle)
    // Another network behind the same address, after a restart of ours.
    const other = await startNode({ recording: 'test-2' })
    await assert.rejects(
      startIndexer(url, [other], fast).ended,
      (error: unknown) => error instanceof AstrolabeError && error.code === 'wrong_chain',
    )
    assertSameTables(await digestOf(url), oracle)
  })

  longTest('the same chain id with another genesis is refused', async () => {
    const url = await freshDatabase()
    await startIndexer(url, [await startNode({ recording: 'test-1' })], { ...fast, follow: false }).ended
    const blocks = toRaw(await readForged('test-1', 1, 20))
    const genesis = Buffer.from(JSON.stringify({ chain_id: 'astrolabe-test-1', app_state: {} }))
    const reset = await startNode({ chainId: 'astrolabe-test-1', genesis, blocks })
    await assert.rejects(
      startIndexer(url, [reset], fast).ended,
      (error: unknown) => error instanceof AstrolabeError && error.code === 'wrong_genesis',
    )
    assertSameTables(await digestOf(url), oracle)
  })

  longTest(`a head that jumps back and forth, also while catching up, leaves no gap (seed ${SEED})`, async () => {
    const url = await freshDatabase()
    const node = await startNode({
      recording: 'test-1',
      startHeight: 30,
      faults: {
        'head-backwards': { probability: 0.3, blocks: 9 },
        'catching-up': { probability: 0.2, blocks: 4 },
        lagging: { probability: 0.1, blocks: 3 },
      },
    })
    const indexer = startIndexer(url, [node], fast)
    for (let height = 30; height < END; height += 16) {
      await indexer.reached(height)
      node.setHeight(height + 5)
      node.setHeight(height)
      node.setHeight(Math.min(END, height + 16))
    }
    await indexer.reached(END)
    await indexer.stop()
    assert.deepEqual(indexer.rollbacks, [])
    assertSameTables(await digestOf(url), oracle)
  })

  longTest(
    'a subscription that is open and silent, or breaks all the time, delays blocks by less than two block times',
    async () => {
      const blockMs = 1000
      const url = await freshDatabase()
      const node = await startNode({ recording: 'test-1', startHeight: 100, faults: { 'socket-silent': {} } })
      const indexer = startIndexer(url, [node], { rpc: { pollMs: blockMs }, announce: false })
      await indexer.reached(100)
      for (let height = 101; height <= 106; height++) {
        if (height === 104) {
          await node.die()
          await node.revive()
        }
        const startedAt = performance.now()
        await node.advance()
        await indexer.reached(height)
        const delay = performance.now() - startedAt
        assert.ok(delay < 2 * blockMs, `height ${height} took ${Math.round(delay)} ms`)
      }
      assert.ok((node.faults.hits.get('socket-silent') ?? 0) > 0)
      await indexer.stop()
    },
  )

  longTest('a dead node is not asked more than a few times a second', async () => {
    const url = await freshDatabase()
    const node = await startNode({ recording: 'test-1', startHeight: 20 })
    const clock = createFastClock(20)
    const indexer = startIndexer(url, [node], { ...fast, rpc: { ...fast.rpc, clock } })
    await indexer.reached(20)
    node.faults.set('http-503')
    node.setHeight(END)
    const [startedAt, before] = [clock.now(), node.requests.get('http')!]
    await clock.sleep(40_000)
    const perSecond = (node.requests.get('http')! - before) / ((clock.now() - startedAt) / 1000)
    assert.ok(perSecond < 5, `${perSecond} requests a second`)
    node.faults.clear()
    await indexer.reached(END)
    await indexer.stop()
  })
}

/** Tests of the long run. */
export function testNodesAtLength(): void {
  void testLiar(['tampered-header', 'null-results', 'missing-results'])

  test('changed txs are found at the tip, and at every height when all data roots are checked', async () => {
    for (const { from, ...checks } of [{ from: END - 9 }, { from: 50, dataRoots: 'all' }] as const) {
      const url = await freshDatabase()
      const liar = await startShaky({ 'tampered-tx': { from } })
      // Has the heights in question only after the other one was asked for one of them.
      const honest = await startNode({ recording: 'test-1', startHeight: from - 1 })
      const indexer = startIndexer(url, [liar, honest], { ...fast, ...checks })
      await waitUntil(() => liar.faults.hits.has('tampered-tx'))
      honest.setHeight(END)
      await indexer.reached(END)
      await indexer.stop()
      assertSameTables(await digestOf(url), oracle)
    }
  })

  test('of two nodes one may lag and one may lie', async () => {
    const lagging = await startShaky({ lagging: { blocks: 60 } })
    const lying = await startShaky({ 'tampered-header': { from: 50 } })
    assertSameTables(await indexAll([lagging, lying, await startNode({ recording: 'test-1' })]), oracle)
  })
}
