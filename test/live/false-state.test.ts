import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { NodeFault } from '../../src/lib/errors.ts'
import type { ProvenState } from '../../src/pipeline/verify/state-prover.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { longTest } from '../support/long-test.ts'
import { assertSameTables, type Digest } from './oracle.ts'
import { LIES, type Lie, makeProvableChain, tellLies } from './provable-chain.ts'
import { startIndexer, waitUntil } from './stack.ts'

const LENGTH = 61
/** The votes for a block are in the next one. */
const END = LENGTH - 1
const FALSE_AT = 30
const chain = makeProvableChain(LENGTH)
let oracle: Digest

const OPTIONS = { verifyCommits: true, proveState: 8 }

before(async () => {
  const url = await freshDatabase()
  const proven: ProvenState[] = []
  const node = await chain.start(chain.blocks, { startHeight: END })
  await startIndexer(url, [node], { ...OPTIONS, batchBlocks: 20, follow: false, onProven: (state) => proven.push(state) }).ended
  assert.ok(proven.filter(({ height }) => height < END - 1).length >= 2, 'batches were not proven before they were written')
  oracle = await digestOf(url)
})

/** Each has a way to be told at the tip and below it; every run tries one way of each. */
for (const [i, lie] of (Object.keys(LIES) as Lie[]).entries()) {
  const [atTip, below] = i % 2 === 0 ? [test, longTest] : [longTest, test]
  void atTip(`${lie} at the tip is refuted by the next header, taken back and read from another node`, async () => {
    const url = await freshDatabase()
    const faults: NodeFault[] = []
    const liar = await chain.start(
      tellLies(chain.blocks, lie, (height) => height === FALSE_AT),
      { startHeight: FALSE_AT },
    )
    const honest = await chain.start(chain.blocks, { startHeight: FALSE_AT - 1 })
    const indexer = startIndexer(url, [liar, honest], { ...OPTIONS, onFault: (fault) => faults.push(fault) })
    await indexer.reached(FALSE_AT)
    honest.setHeight(END)
    await waitUntil(() => faults.length > 0)
    await indexer.reached(END)
    await indexer.stop()
    assert.deepEqual([faults[0]!.code, faults[0]!.facts.origin], ['events_refuted', new URL(liar.url).host])
    assertSameTables(await digestOf(url), oracle)
  })

  void below(
    `${lie} below the tip is refuted before it is written, but for a last block that has no header above it yet`,
    async () => {
      const url = await freshDatabase()
      const faults: NodeFault[] = []
      const liar = await chain.start(
        tellLies(chain.blocks, lie, (height) => height >= FALSE_AT),
        { startHeight: END },
      )
      // All that the honest node has is true, so that the rest is read from the other one.
      const honest = await chain.start(chain.blocks, { startHeight: FALSE_AT - 1 })
      const indexer = startIndexer(url, [liar, honest], { ...OPTIONS, onFault: (fault) => faults.push(fault) })
      await waitUntil(() => faults.length + indexer.standstills.length > 0)
      honest.setHeight(END)
      await indexer.reached(END)
      await indexer.stop()
      assert.deepEqual([...new Set(faults.map(({ facts }) => facts.origin))], [new URL(liar.url).host])
      assert.ok(
        indexer.rollbacks.every(([from, to]) => from - to === 1),
        JSON.stringify(indexer.rollbacks),
      )
      assertSameTables(await digestOf(url), oracle)
    },
  )
}

test('a lie of the only node is not written, nothing false is told to be proven, and the index heals with the node', async () => {
  const url = await freshDatabase()
  const proven: ProvenState[] = []
  const liar = await chain.start(
    tellLies(chain.blocks, 'a transfer invented', (height) => height === FALSE_AT),
    { startHeight: END },
  )
  const indexer = startIndexer(url, [liar], { ...OPTIONS, onProven: (state) => proven.push(state) })
  const error = await indexer.stands()
  assert.match(error.message, /the chain has/)
  assert.deepEqual(
    proven.filter(({ height }) => height >= FALSE_AT),
    [],
  )
  await liar.close()
  await indexer.stop()
  const second = startIndexer(url, [await chain.start(chain.blocks, { startHeight: END })], OPTIONS)
  await second.reached(END)
  await second.stop()
  assertSameTables(await digestOf(url), oracle)
})
