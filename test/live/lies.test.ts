import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { RawBlock } from '../../src/chain/source.ts'
import { AstrolabeError, type NodeFault } from '../../src/lib/errors.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { longTest } from '../support/long-test.ts'
import { readForged, toRaw } from './branches.ts'
import { assertSameTables, type Digest } from './oracle.ts'
import { startIndexer, startNode, waitUntil } from './stack.ts'

/** Votes for the last recorded block were not recorded, so all stops at a height before it. */
const END = 120
let oracle: Digest

before(async () => {
  const url = await freshDatabase()
  await startIndexer(url, [await startNode({ recording: 'test-1', startHeight: END })], { follow: false, verifyCommits: true })
    .ended
  oracle = await digestOf(url)
})

/** The first block after `height` whose txs have results. */
async function findBusy(after: number): Promise<number> {
  const blocks = await readForged('test-1', after + 1, END)
  return blocks.find(({ results }) => (results.txs_results ?? []).length > 0)!.height
}

for (const restart of [false, true]) {
  test(`false results at the tip are taken back when the next header comes${restart ? ', after a restart too' : ''}`, async () => {
    const url = await freshDatabase()
    const faults: NodeFault[] = []
    const busy = await findBusy(80)
    const options = { verifyCommits: true, onFault: (fault: NodeFault) => faults.push(fault) }
    const liar = await startNode({ recording: 'test-1', startHeight: busy, faults: { 'tampered-results': { from: busy } } })
    const honest = await startNode({ recording: 'test-1', startHeight: busy - 1 })
    let indexer = startIndexer(url, [liar, honest], options)
    await indexer.reached(busy)
    if (restart) {
      await indexer.stop()
      indexer = startIndexer(url, [liar, honest], options)
    }
    honest.setHeight(busy + 1)
    await indexer.reached(busy + 1)
    assert.deepEqual(indexer.rollbacks[0], [busy, busy - 1])
    assert.deepEqual([faults[0]!.code, faults[0]!.facts.height], ['results_hash', busy])
    // A restart forgets who told of the height; it is read again, and whoever repeats it is put aside.
    if (!restart) assert.equal(faults[0]!.facts.origin, new URL(liar.url).host)
    honest.setHeight(END)
    await indexer.reached(END)
    await indexer.stop()
    assertSameTables(await digestOf(url), oracle)
  })
}

longTest('txs that were changed at any height of the tip are refused', async () => {
  const url = await freshDatabase()
  const busy = await findBusy(80)
  const liar = await startNode({ recording: 'test-1', startHeight: busy, faults: { 'tampered-tx': { from: busy } } })
  const honest = await startNode({ recording: 'test-1', startHeight: busy - 1 })
  const faults: NodeFault[] = []
  const indexer = startIndexer(url, [liar, honest], { verifyCommits: true, onFault: (fault) => faults.push(fault) })
  await waitUntil(() => faults.length > 0)
  assert.deepEqual([faults[0]!.code, faults[0]!.facts.height], ['data_hash', busy])
  honest.setHeight(END)
  await indexer.reached(END)
  await indexer.stop()
  assertSameTables(await digestOf(url), oracle)
})

/** Results are not sealed as a whole: an event that takes more than an account has passes every hash. */
async function overdraw(height: number): Promise<RawBlock[]> {
  const [first, ...rest] = await readForged('test-1', height, 158)
  const events = first!.results.txs_results![0]!.events!
  const spent = events.find(({ type }) => type === 'coin_spent')!
  spent.attributes!.find(({ key }) => key === 'amount')!.value = `9${'0'.repeat(20)}utia`
  return toRaw([first!, ...rest])
}

longTest('a head that is claimed too high does not keep the txs at the tip from being checked', async () => {
  const url = await freshDatabase()
  const busy = await findBusy(80)
  const liar = await startNode({ recording: 'test-1', startHeight: busy - 1 })
  const faults: NodeFault[] = []
  const indexer = startIndexer(url, [liar], { verifyCommits: true, onFault: (fault) => faults.push(fault) })
  await indexer.reached(busy - 1)
  liar.faults.set('over-claims', { blocks: 1000 })
  liar.faults.set('tampered-tx', { from: busy })
  liar.setHeight(busy)
  let isWritten = false
  indexer.reached(busy).then(
    () => (isWritten = true),
    () => {},
  )
  await waitUntil(() => faults.length > 0 || isWritten)
  assert.deepEqual([faults[0]?.code, faults[0]?.facts.height], ['data_hash', busy])
  // It was the only node.
  assert.match((await indexer.stands()).message, /no node/)
})

longTest('the last blocks of a first run are checked too when it ends below the head that was claimed', async () => {
  const url = await freshDatabase()
  const busy = await findBusy(80)
  const liar = await startNode({
    recording: 'test-1',
    startHeight: busy + 5,
    faults: { 'over-claims': { blocks: 1000 }, 'tampered-tx': { from: busy, to: busy } },
  })
  const honest = await startNode({ recording: 'test-1', startHeight: 1 })
  const faults: NodeFault[] = []
  const indexer = startIndexer(url, [liar, honest], { verifyCommits: true, onFault: (fault) => faults.push(fault) })
  const asked = () => honest.requests.get('status') ?? 0
  let enough = Number.POSITIVE_INFINITY
  indexer.reached(busy + 5).then(
    () => (enough = asked() + 20),
    () => {},
  )
  await waitUntil(() => faults.length > 0 || asked() > enough)
  assert.deepEqual([faults[0]?.code, faults[0]?.facts.height], ['data_hash', busy])
  honest.setHeight(END)
  await indexer.reached(END)
  await indexer.stop()
  assertSameTables(await digestOf(url), oracle)
})

test('events that overdraw an account are first a fault of the node, and the index stands still only when every node tells the same', async () => {
  const busy = await findBusy(80)
  const lie = await overdraw(busy)
  const startLying = async (height: number) => {
    const node = await startNode({ recording: 'test-1', startHeight: height })
    node.fork(lie)
    node.setHeight(height)
    return node
  }
  const url = await freshDatabase()
  const faults: NodeFault[] = []
  const honest = await startNode({ recording: 'test-1', startHeight: busy - 1 })
  const liar = await startLying(END)
  const indexer = startIndexer(url, [liar, honest], { verifyCommits: true, onFault: (fault) => faults.push(fault) })
  await waitUntil(() => faults.length > 0)
  honest.setHeight(END)
  await indexer.reached(END)
  await indexer.stop()
  assert.deepEqual([faults[0]!.code, faults[0]!.facts.height], ['events_contradict', busy])
  assertSameTables(await digestOf(url), oracle)

  const nodes = [await startLying(END), await startLying(END)]
  const standing = startIndexer(await freshDatabase(), nodes, { verifyCommits: true })
  const error = await standing.stands()
  assert.ok(error instanceof AstrolabeError)
  assert.equal(error.code, 'no_node_left')
  for (const node of nodes) assert.ok(error.message.includes(new URL(node.url).host), error.message)
  assert.match(error.message, new RegExp(`the events of height ${busy} cannot be`))
  await standing.stop()
})
