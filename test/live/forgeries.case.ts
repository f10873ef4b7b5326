import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { RpcEvent } from '../../src/chain/wire.ts'
import type { NodeFault } from '../../src/lib/errors.ts'
import type { Dispute } from '../../src/pipeline/verify/compare-events.ts'
import type { ProvenState } from '../../src/pipeline/verify/state-prover.ts'
import type { ForgedBlock } from '../../src/simulation/node/forge.ts'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { openReader } from '../../src/store/db.ts'
import { findVerified } from '../../src/store/read/head/verified.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { longTest } from '../support/long-test.ts'
import { SCHEMA } from '../support/templates.ts'
import { assertSameTables, type Digest } from './oracle.ts'
import { makeProvableChain, type ProvableChain, tellLies } from './provable-chain.ts'
import { startApi, startIndexer, waitUntil } from './stack.ts'

/** What a node may tell beside the truth. Nothing in the header seals events; the square's side is told beside the header. */
const FORGERIES = {
  'events dropped': (blocks, isFalse) => tellLies(blocks, 'a movement of coins left out', isFalse),
  'events added': (blocks, isFalse) => tellLies(blocks, 'a transfer invented', isFalse),
  'amounts raised in pairs': (blocks, isFalse) => tellLies(blocks, 'amounts raised in pairs', isFalse),
  'a forged side of the square': (blocks, isFalse) =>
    forge(blocks, isFalse, ({ block }) => (block.block.data.square_size = '128')),
  'forged txs': (blocks, isFalse) =>
    forge(blocks, isFalse, ({ block }) => {
      const txs = block.block.data.txs ?? []
      if (txs[0]) txs[0] = changeEnd(txs[0])
    }),
} satisfies Record<string, (blocks: readonly ForgedBlock[], isFalse: (height: number) => boolean) => ForgedBlock[]>

export type Forgery = keyof typeof FORGERIES
export const ALL_FORGERIES = Object.keys(FORGERIES) as Forgery[]

function forge(
  blocks: readonly ForgedBlock[],
  isFalse: (height: number) => boolean,
  change: (block: ForgedBlock) => void,
): ForgedBlock[] {
  return blocks.map((block) => {
    if (!isFalse(block.height)) return block
    const forged = structuredClone(block)
    change(forged)
    return forged
  })
}

/** Another signature: the tx can still be decoded, and its messages and events are the same. */
function changeEnd(tx: string): string {
  const bytes = Buffer.from(tx, 'base64')
  bytes[bytes.length - 1]! ^= 1
  return bytes.toString('base64')
}

const isFalseFrom = (at: number, extent: 'one height' | 'every height') => (height: number) =>
  extent === 'one height' ? height === at : height >= at

export type Size = {
  /** how far below the head the forged height is read while catching up */
  depth: number
  /** heights below the forged one */
  before: number
  forgeries: readonly Forgery[]
  extents: readonly ('one height' | 'every height')[]
  places: readonly ('while catching up' | 'at the tip')[]
  /** where events are told in another order */
  reordered: readonly ('at the tip' | 'while catching up')[]
}

const OPTIONS = { verifyCommits: true, proveState: 8, dataRoots: 'background' as const, batchBlocks: 50 }

/** Every forgery while catching up and at the tip, alone and beside an honest node. */
export function testForgeries({ depth, before: below, forgeries, extents, places, reordered }: Size): void {
  const end = below + depth
  let chain: ProvableChain
  let oracle: Digest
  /** where the first tx stands at or above a height: an empty block has none to forge */
  const busyFrom = (height: number) =>
    chain.blocks.find((block) => block.height >= height && (block.block.block.data.txs ?? []).length > 0)!.height

  before(async () => {
    chain = makeProvableChain(end + 1)
    const url = await freshDatabase()
    await startIndexer(url, [await chain.start(chain.blocks, { startHeight: end })], { ...OPTIONS, follow: false }).ended
    oracle = await digestOf(url)
  })

  const startLiar = (forgery: Forgery, extent: Size['extents'][number], at: number, startHeight: number): Promise<ReplayNode> => {
    return chain.start(FORGERIES[forgery](chain.blocks, isFalseFrom(at, extent)), { startHeight })
  }

  async function watch(url: string) {
    const db = openReader({ url, schema: SCHEMA, max: 1 })
    closeAfterwards(() => db.end({ timeout: 1 }))
    const api = await startApi(url)
    let isOver = false
    const failures: number[] = []
    const reading = (async () => {
      while (!isOver) {
        const answer = await fetch(`${api.url}/v1/head`)
        await answer.arrayBuffer()
        if (answer.status >= 500) failures.push(answer.status)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    })()
    return {
      verified: async () => (await findVerified(db))?.height ?? 0,
      async end() {
        isOver = true
        await reading
        assert.deepEqual(failures, [], 'reads stopped')
        await api.stop()
      },
    }
  }

  for (const forgery of forgeries)
    for (const extent of extents)
      for (const place of places) {
        const startOf = (at: number) => (place === 'at the tip' ? at : end)

        test(`${forgery}, ${extent}, ${place}, beside an honest node: tables as if undisturbed, the liar is named`, async () => {
          const url = await freshDatabase()
          const at = busyFrom(below)
          const faults: NodeFault[] = []
          const liar = await startLiar(forgery, extent, at, startOf(at))
          const honest = await chain.start(chain.blocks, { startHeight: at - 1 })
          const indexer = startIndexer(url, [liar, honest], { ...OPTIONS, onFault: (fault) => faults.push(fault) })
          const reads = await watch(url)
          const name = new URL(liar.url).host
          await waitUntil(() => faults.length + indexer.standstills.length > 0 || place === 'at the tip')
          if (place === 'at the tip' && faults.length === 0)
            await Promise.race([indexer.reached(at), waitUntil(() => faults.length > 0)])
          honest.setHeight(end)
          await indexer.reached(end)
          await waitUntil(async () => (await reads.verified()) === end)
          await indexer.stop()
          await reads.end()
          // Where nobody else has the height yet, the index stands still and says whose word it has.
          const isNamed =
            faults.some(({ facts }) => facts.origin === name) || indexer.standstills.some(({ message }) => message.includes(name))
          assert.ok(isNamed, JSON.stringify(faults.map(({ code, facts }) => [code, facts])))
          assert.ok(faults.every(({ facts }) => facts.origin === name || facts.origin === ''))
          assertSameTables(await digestOf(url), oracle)
        })

        test(`${forgery}, ${extent}, ${place}, alone: nothing false is told to be proven or verified`, async () => {
          const url = await freshDatabase()
          const at = busyFrom(below)
          const proven: ProvenState[] = []
          const liar = await startLiar(forgery, extent, at, startOf(at))
          const indexer = startIndexer(url, [liar], { ...OPTIONS, onProven: (state) => proven.push(state) })
          const reads = await watch(url)
          if (place === 'at the tip') {
            await Promise.race([indexer.reached(at), indexer.stands()])
            liar.setHeight(end)
          }
          const error = await indexer.stands()
          assert.ok(error.message.includes(new URL(liar.url).host), error.message)
          await indexer.stop()
          assert.ok((await reads.verified()) < at || !/tx/.test(forgery))
          await reads.end()
          if (forgery !== 'forged txs' && forgery !== 'a forged side of the square')
            assert.deepEqual(
              proven.filter(({ height }) => height >= at),
              [],
            )
          await liar.close()
          const healing = startIndexer(url, [await chain.start(chain.blocks, { startHeight: end })], OPTIONS)
          // False txs that were written before are found in the background.
          await waitUntil(async () => (await reads.verified()) === end)
          await healing.stop()
          assertSameTables(await digestOf(url), oracle)
        })
      }

  for (const extent of extents) {
    const startReordering = (at: number, startHeight: number) =>
      chain.start(
        forge(chain.blocks, isFalseFrom(at, extent), ({ results }) => {
          results.finalize_block_events = swapTransfers(results.finalize_block_events ?? [])
        }),
        { startHeight },
      )

    if (reordered.includes('at the tip')) {
      longTest(
        `events in another order, ${extent}, at the tip, beside an honest node: both are named, the index continues, its state is proven`,
        async () => {
          const url = await freshDatabase()
          const at = busyFrom(below)
          const disputes: Dispute[] = []
          const proven: ProvenState[] = []
          const nodes = [await startReordering(at, at), await chain.start(chain.blocks, { startHeight: at })]
          const indexer = startIndexer(url, nodes, {
            ...OPTIONS,
            onDispute: (dispute) => disputes.push(dispute),
            onProven: (state) => proven.push(state),
          })
          for (const height of [at, at + 1, at + 3]) {
            for (const node of nodes) node.setHeight(height)
            await indexer.reached(height)
          }
          await waitUntil(() => disputes.length > 0 && proven.some(({ height }) => height >= at))
          await indexer.stop()
          assert.deepEqual([indexer.standstills, indexer.rollbacks], [[], []])
          assert.equal(disputes[0]!.height, at)
          const named = [disputes[0]!.origin, ...disputes[0]!.others].sort()
          assert.deepEqual(named, nodes.map(({ url: node }) => new URL(node).host).sort())
        },
      )

      test(`events in another order, ${extent}, at the tip, beside two honest nodes: tables as if undisturbed, the liar is named`, async () => {
        const url = await freshDatabase()
        const at = busyFrom(below)
        const faults: NodeFault[] = []
        const liar = await startReordering(at, at)
        const honest = [
          await chain.start(chain.blocks, { startHeight: at - 1 }),
          await chain.start(chain.blocks, { startHeight: at - 1 }),
        ]
        const indexer = startIndexer(url, [liar, ...honest], { ...OPTIONS, onFault: (fault) => faults.push(fault) })
        await indexer.reached(at)
        for (const node of honest) node.setHeight(at + 1)
        await waitUntil(() => faults.length > 0)
        for (const node of honest) node.setHeight(end)
        await indexer.reached(end)
        await indexer.stop()
        assert.deepEqual(
          faults.map(({ code, facts }) => [code, facts.height, facts.origin]),
          [['events_outvoted', at, new URL(liar.url).host]],
        )
        assertSameTables(await digestOf(url), oracle)
      })
    }

    if (!reordered.includes('while catching up')) continue
    test(`events in another order, ${extent}, while catching up, beside two honest nodes: the index ends up with proven state`, async () => {
      const url = await freshDatabase()
      const at = busyFrom(below)
      const disputes: Dispute[] = []
      const proven: ProvenState[] = []
      const liar = await startReordering(at, end)
      const honest = [
        await chain.start(chain.blocks, { startHeight: end }),
        await chain.start(chain.blocks, { startHeight: end }),
      ]
      const indexer = startIndexer(url, [liar, ...honest], {
        ...OPTIONS,
        onDispute: (dispute) => disputes.push(dispute),
        onProven: (state) => proven.push(state),
      })
      await indexer.reached(end)
      await indexer.stop()
      assert.deepEqual(indexer.standstills, [])
      assert.ok(proven.some(({ height }) => height >= end - 1))
      const name = new URL(liar.url).host
      // Those of the last heights are always compared, the others are sampled.
      if (extent === 'every height') assert.ok(disputes.length > 0)
      assert.ok(disputes.every(({ origin, others }) => origin === name || others.includes(name)))
    })

    test(`events in another order, ${extent}, alone: nobody can tell, and what they lead to is proven`, async () => {
      const url = await freshDatabase()
      const proven: ProvenState[] = []
      const at = busyFrom(below)
      const liar = await startReordering(at, end)
      const indexer = startIndexer(url, [liar], { ...OPTIONS, onProven: (state) => proven.push(state) })
      await indexer.reached(end)
      await indexer.stop()
      assert.ok(proven.some(({ height }) => height >= at))
    })
  }
}

/** Two movements of coins of the block change places: every sum stays. */
function swapTransfers(events: readonly RpcEvent[]): RpcEvent[] {
  const starts = events.flatMap(({ type }, i) => (type === 'coin_spent' ? [i] : []))
  const [first, second] = starts
  assert.ok(first !== undefined && second !== undefined, 'the block moves coins once only')
  const swapped = [...events]
  for (let i = 0; i < 3; i++) [swapped[first + i], swapped[second + i]] = [swapped[second + i]!, swapped[first + i]!]
  return swapped
}
