import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AstrolabeError } from '../../src/lib/errors.ts'
import { devnetUrl, freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { longTest } from '../support/long-test.ts'
import { delayBranch, emptyBranch, readForged, renameBranch, toRaw } from './branches.ts'
import { assertSameTables, digestUndisturbed } from './oracle.ts'
import { startIndexer, startNode, waitUntil } from './stack.ts'

/** Last height of the recordings. */
const DEVNET_END = 403
const TEST_END = 158

/** Tests of the default run. */
export function testForks(): void {
  for (const [depth, run] of [
    [1, longTest],
    [10, test],
  ] as const) {
    void run(`a fork of depth ${depth} at the tip ends with the tables of the final chain`, async () => {
      const branch = toRaw(delayBranch(await readForged('test-1', TEST_END - depth, TEST_END), 2))
      const oracle = await digestUndisturbed('test-1', branch)
      const url = await freshDatabase()
      const node = await startNode({ recording: 'test-1' })
      const indexer = startIndexer(url, [node])
      await indexer.reached(TEST_END)
      node.fork(branch)
      await node.advance(2)
      await indexer.reached(TEST_END + 2)
      assert.deepEqual(indexer.rollbacks, [[TEST_END, TEST_END - depth]])
      await indexer.stop()
      assertSameTables(await digestOf(url), oracle)
    })
  }

  longTest(
    'a fork of depth 100 over delegations, a jailing, grants and votes ends with the tables of the final chain',
    async () => {
      const branch = toRaw(delayBranch(await readForged('devnet', DEVNET_END - 100, DEVNET_END), 1))
      const oracle = await digestUndisturbed('devnet', branch)
      const url = await freshDatabase('devnet')
      const node = await startNode({ recording: 'devnet' })
      node.fork(branch)
      node.setHeight(DEVNET_END + 1)
      const indexer = startIndexer(url, [node])
      await indexer.reached(DEVNET_END + 1)
      await indexer.stop()
      assert.deepEqual(indexer.rollbacks, [[DEVNET_END, DEVNET_END - 100]])
      assertSameTables(await digestOf(url), oracle)
    },
  )

  test('a node that falls back to a lower height of the same chain is no fork', async () => {
    const url = await freshDatabase()
    const node = await startNode({ recording: 'test-1', startHeight: 60 })
    const indexer = startIndexer(url, [node])
    await indexer.reached(60)
    node.setHeight(40)
    const asked = node.requests.get('status')!
    await waitUntil(() => node.requests.get('status')! >= asked + 4)
    node.setHeight(62)
    await indexer.reached(62)
    assert.deepEqual(indexer.rollbacks, [])
    await indexer.stop()
  })

  test('a fork deeper than the limit stops for the operator and deletes nothing', async () => {
    const url = await freshDatabase('devnet')
    const node = await startNode({ recording: 'devnet' })
    node.fork(toRaw(delayBranch(await readForged('devnet', DEVNET_END - 101, DEVNET_END), 1)))
    node.setHeight(DEVNET_END + 1)
    const indexer = startIndexer(url, [node])
    await assert.rejects(indexer.ended, (error: unknown) => error instanceof AstrolabeError && error.code === 'fork_too_deep')
    assertSameTables(await digestOf(url), await digestOf(devnetUrl))
  })
}

/** Tests of the long run. */
export function testForksAtLength(): void {
  test('a fork to a branch where nothing happens, and back, leaves no trace', async () => {
    const history = await readForged('devnet', DEVNET_END - 98, DEVNET_END)
    const original = [...history.slice(1), ...emptyBranch(history.slice(-1), 2)]
    const oracle = await digestUndisturbed('devnet', toRaw(original))
    const url = await freshDatabase('devnet')
    const node = await startNode({ recording: 'devnet' })
    node.fork(toRaw(emptyBranch(history, 99)))
    node.setHeight(DEVNET_END + 1)
    const indexer = startIndexer(url, [node])
    await indexer.reached(DEVNET_END + 1)
    node.fork(toRaw(original))
    node.setHeight(DEVNET_END + 2)
    await indexer.reached(DEVNET_END + 2)
    await indexer.stop()
    assert.deepEqual(indexer.rollbacks, [
      [DEVNET_END, DEVNET_END - 98],
      [DEVNET_END + 1, DEVNET_END - 98],
    ])
    assertSameTables(await digestOf(url), oracle)
  })

  test('forks while catching up end with the tables of the final chain', async () => {
    const history = await readForged('test-1', 70, TEST_END)
    const early = [...history.slice(1, 10), ...renameBranch(history.slice(10), 'early')]
    const last = [...history.slice(1, 21), ...renameBranch(delayBranch(history.slice(20), 3), 'late')]
    const oracle = await digestUndisturbed('test-1', toRaw(last))
    const url = await freshDatabase()
    const node = await startNode({ recording: 'test-1' })
    const branches = [delayBranch(history, 1), early, last].map(toRaw)
    const indexer = startIndexer(url, [node], {
      batchBlocks: 7,
      onProgress: ({ height }) => {
        if (height < 80 + 20 * (3 - branches.length)) return
        const branch = branches.shift()
        if (!branch) return
        node.fork(branch)
        node.setHeight(TEST_END + 3)
      },
    })
    await indexer.reached(TEST_END + 3)
    await indexer.stop()
    assert.equal(branches.length, 0)
    assert.ok(indexer.rollbacks.length > 0, 'no fork was seen')
    assertSameTables(await digestOf(url), oracle)
  })
}
