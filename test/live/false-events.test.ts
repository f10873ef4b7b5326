import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { RpcEvent } from '../../src/chain/wire.ts'
import type { NodeFault } from '../../src/lib/errors.ts'
import type { ForgedBlock } from '../../src/simulation/node/forge.ts'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { CHAIN_ID } from '../builders.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { longTest } from '../support/long-test.ts'
import { toRaw } from './branches.ts'
import { assertSameTables, type Digest } from './oracle.ts'
import { aGift, aPayment, lieAt, makePayingChain } from './paying-chain.ts'
import { makeGenesis } from './signed-chain.ts'
import { startApi, startIndexer, startNode } from './stack.ts'

/** The votes for a block are in the next one, so the last one is only there to carry them. */
const LENGTH = 32
const END = LENGTH - 1
/** Dora is given what she spends at the next height. */
const GIVEN_AT = 20
const chain = makePayingChain(LENGTH, (height) => {
  if (height === GIVEN_AT) return [aGift('alice', 'dora', 1_000_000n)]
  if (height === GIVEN_AT + 1) return [aPayment('dora', 'bob', 900_000n)]
  return height % 3 === 0 ? [aPayment('bob', 'alice', 1000n)] : []
})
let oracle: Digest

const start = (blocks: ForgedBlock[], startHeight = END): Promise<ReplayNode> =>
  startNode({ chainId: CHAIN_ID, genesis: makeGenesis(), blocks: toRaw(blocks), startHeight })

before(async () => {
  const url = await freshDatabase()
  await startIndexer(url, [await start(chain)], { follow: false, verifyCommits: true }).ended
  oracle = await digestOf(url)
})

const isOfGift = ({ attributes }: RpcEvent) =>
  (attributes ?? []).some(({ key, value }) => key === 'amount' && value === '1000000utia')
/** The gift is not told: every hash fits, and dora has nothing to spend. */
const withoutGift = lieAt(
  chain,
  (height) => height === GIVEN_AT,
  (events) => events.filter((event) => !isOfGift(event)),
)

for (const restart of [false, true]) {
  void (restart ? longTest : test)(
    `a block whose events were left out is taken back when the next one cannot be${restart ? ', after a restart too' : ''}`,
    async () => {
      const url = await freshDatabase()
      const faults: NodeFault[] = []
      const options = { verifyCommits: true, onFault: (fault: NodeFault) => faults.push(fault) }
      const liar = await start(withoutGift, GIVEN_AT)
      const honest = await start(chain, GIVEN_AT - 1)
      let indexer = startIndexer(url, [liar, honest], options)
      await indexer.reached(GIVEN_AT)
      if (restart) {
        await indexer.stop()
        indexer = startIndexer(url, [liar, honest], options)
      }
      honest.setHeight(END)
      await indexer.reached(END)
      await indexer.stop()
      assert.ok(
        indexer.rollbacks.some(([, to]) => to === GIVEN_AT - 1),
        JSON.stringify(indexer.rollbacks),
      )
      assert.deepEqual(
        faults.map(({ facts }) => facts.origin).filter((origin) => origin === new URL(honest.url).host),
        [],
      )
      assertSameTables(await digestOf(url), oracle)
    },
  )
}

test('an index whose only node lied stands still, is served meanwhile, and heals when a node tells the truth', async () => {
  const url = await freshDatabase()
  const node = await start(withoutGift)
  const indexer = startIndexer(url, [node], { verifyCommits: true })
  const error = await indexer.stands()
  assert.match(error.message, new RegExp(`block ${GIVEN_AT + 1} leaves`))
  assert.ok(error.message.includes(new URL(node.url).host), error.message)
  const api = await startApi(url)
  assert.ok((await api.get('/v1/head')).last_height < GIVEN_AT + 1)
  // The node is repaired; nobody restarts the index.
  node.fork(toRaw(chain.slice(GIVEN_AT - 1)))
  node.setHeight(END)
  await indexer.reached(END)
  await indexer.stop()
  assertSameTables(await digestOf(url), oracle)
})

longTest('an index that took false events before a restart heals by itself', async () => {
  const url = await freshDatabase()
  const liar = await start(withoutGift, GIVEN_AT)
  const first = startIndexer(url, [liar], { verifyCommits: true })
  await first.reached(GIVEN_AT)
  await first.stop()
  await liar.close()
  const second = startIndexer(url, [await start(chain)], { verifyCommits: true })
  await second.reached(END)
  await second.stop()
  assertSameTables(await digestOf(url), oracle)
})
