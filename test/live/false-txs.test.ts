import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { NodeFault } from '../../src/lib/errors.ts'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { openReader } from '../../src/store/db.ts'
import { findVerified } from '../../src/store/read/head/verified.ts'
import { CHAIN_ID } from '../builders.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { longTest } from '../support/long-test.ts'
import { SCHEMA } from '../support/templates.ts'
import { toRaw } from './branches.ts'
import { assertSameTables, type Digest } from './oracle.ts'
import { aPayment, makePayingChain } from './paying-chain.ts'
import { makeGenesis } from './signed-chain.ts'
import { startApi, startIndexer, startNode, waitUntil } from './stack.ts'

/** The votes for a block are in the next one. */
const LENGTH = 136
const END = LENGTH - 1
/** Further below the head than heights are taken back one by one. */
const FALSE_AT = 25
const chain = makePayingChain(LENGTH, (height) => (height % 3 === 0 ? [aPayment('bob', 'alice', 1000n)] : []))
let oracle: Digest

const start = (startHeight = END): Promise<ReplayNode> =>
  startNode({ chainId: CHAIN_ID, genesis: makeGenesis(), blocks: toRaw(chain), startHeight })

const OPTIONS = { verifyCommits: true, dataRoots: 'background' as const }

before(async () => {
  const url = await freshDatabase()
  await startIndexer(url, [await start()], { ...OPTIONS, follow: false }).ended
  oracle = await digestOf(url)
})

function verifiedOf(url: string) {
  const db = openReader({ url, schema: SCHEMA, max: 1 })
  closeAfterwards(() => db.end({ timeout: 1 }))
  return () => findVerified(db)
}

async function startLiar(from: number, to: number): Promise<ReplayNode> {
  const liar = await start()
  liar.faults.set('tampered-tx', { from, to })
  return liar
}

test('every height of an index that catches up is verified afterwards, over a restart too', async () => {
  const url = await freshDatabase()
  const verified = verifiedOf(url)
  const node = await start(END - 100)
  const first = startIndexer(url, [node], OPTIONS)
  await first.reached(END - 100)
  await first.stop()
  node.setHeight(END)
  const second = startIndexer(url, [node], OPTIONS)
  await second.reached(END)
  await waitUntil(async () => (await verified())?.height === END)
  const api = await startApi(url)
  const answer = await fetch(`${api.url}/v1/head`)
  assert.equal(answer.headers.get('x-verified-height'), String(END))
  await second.stop()
  assertSameTables(await digestOf(url), oracle)
})

for (const [name, from, to, run] of [
  ['one height', FALSE_AT, FALSE_AT, test],
  ['every height', 1, END, longTest],
] as const) {
  void run(
    `false txs of ${name} far below the head are found in the background, taken back and read from another node`,
    async () => {
      const url = await freshDatabase()
      const faults: NodeFault[] = []
      const verified = verifiedOf(url)
      // All that the honest node has at first lies below: the liar alone has the rest.
      const [liar, honest] = [await startLiar(Math.max(from, 12), to), await start(11)]
      const indexer = startIndexer(url, [liar, honest], { ...OPTIONS, onFault: (fault) => faults.push(fault) })
      await waitUntil(() => faults.length + indexer.standstills.length > 0)
      honest.setHeight(END)
      await indexer.reached(END)
      await waitUntil(async () => (await verified())?.height === END)
      await indexer.stop()
      assert.ok(faults.every(({ code }) => code === 'data_hash'))
      assert.ok(faults.some(({ facts }) => facts.origin === new URL(liar.url).host))
      assertSameTables(await digestOf(url), oracle)
    },
  )
}

test('false txs of the only node are never told to be verified, and the index heals with a true one', async () => {
  const url = await freshDatabase()
  const verified = verifiedOf(url)
  const liar = await startLiar(FALSE_AT, FALSE_AT)
  const indexer = startIndexer(url, [liar], OPTIONS)
  await indexer.stands()
  assert.ok((await verified())!.height < FALSE_AT)
  await indexer.stop()
  const second = startIndexer(url, [await start()], OPTIONS)
  await second.reached(END)
  await waitUntil(async () => (await verified())?.height === END)
  await second.stop()
  assertSameTables(await digestOf(url), oracle)
})
