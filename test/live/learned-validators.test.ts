import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import pg from 'pg'
import type { FaultName, FaultOptions } from '../../src/simulation/node/faults.ts'
import { signBlocks } from '../../src/simulation/node/sign.ts'
import { CHAIN_ID } from '../builders.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { SCHEMA } from '../support/templates.ts'
import { toRaw } from './branches.ts'
import { assertSameTables, type Digest } from './oracle.ts'
import { LENGTH, makeBlocks, makeGenesis, makeSignedChain, validatorsAt } from './signed-chain.ts'
import { startIndexer, startNode } from './stack.ts'

/** The votes for a block are in the next one, so the last one is only there to carry them. */
const END = LENGTH - 1
/** In the middle of a change: the two sets that follow it are not the same. */
const OLD_HEAD = 10
const chain = makeSignedChain()
let oracle: Digest

const startSigned = (startHeight: number, faults: Partial<Record<FaultName, FaultOptions>> = {}) =>
  startNode({ chainId: CHAIN_ID, genesis: makeGenesis(), blocks: toRaw(chain), startHeight, faults })

/** As an index that was made before it kept its validators. */
async function makeOldIndex(): Promise<string> {
  const url = await freshDatabase()
  await startIndexer(url, [await startSigned(OLD_HEAD)], { follow: false, verifyCommits: true }).ended
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`delete from "${SCHEMA}".consensus_validator`)
  await client.end()
  return url
}

function follow(url: string, nodes: { url: string }[]) {
  const told = { unverified: 0, faults: [] as unknown[] }
  const indexer = startIndexer(url, nodes, {
    verifyCommits: true,
    onUnverified: () => told.unverified++,
    rpc: { log: (event, { code }) => event === 'node fault' && told.faults.push(code) },
  })
  return { indexer, told }
}

/** The record that takes back the height below which nothing was known has more in it. */
async function tablesOf(url: string): Promise<Digest> {
  const { undo: _, ...tables } = await digestOf(url)
  return tables
}

before(async () => {
  const url = await freshDatabase()
  await startIndexer(url, [await startSigned(END)], { follow: false, verifyCommits: true }).ended
  oracle = await tablesOf(url)
})

test('an index without validators learns them from a node that tells the truth, and verifies from there on', async () => {
  const url = await makeOldIndex()
  const [liar, honest] = [await startSigned(END, { 'tampered-validators': {} }), await startSigned(END)]
  const { indexer, told } = follow(url, [liar, honest])
  await indexer.reached(END)
  await indexer.stop()
  assert.deepEqual(told, { unverified: 0, faults: ['validators_hash'] })
  assertSameTables(await tablesOf(url), oracle)
})

test('a forged block is refused right after the validators were learned', async () => {
  const url = await makeOldIndex()
  const branch = makeBlocks(OLD_HEAD + 2, { appHash: 'AB'.repeat(32) })
  signBlocks(branch, { validators: validatorsAt, signers: () => [] }, chain[OLD_HEAD])
  const node = await startSigned(OLD_HEAD + 1)
  const { indexer, told } = follow(url, [node])
  await indexer.reached(OLD_HEAD + 1)
  node.fork(toRaw(branch))
  node.setHeight(OLD_HEAD + 3)
  assert.match((await indexer.stands()).message, /no node/)
  assert.deepEqual(told, { unverified: 0, faults: ['commit_power'] })
})

test('a fork below the height where they were learned is followed, and they are learned again', async () => {
  const url = await makeOldIndex()
  const branch = makeBlocks(OLD_HEAD - 1, { appHash: 'AB'.repeat(32) })
  signBlocks(branch, { validators: validatorsAt }, chain[OLD_HEAD - 3])
  const node = await startSigned(OLD_HEAD + 2)
  const { indexer, told } = follow(url, [node])
  await indexer.reached(OLD_HEAD + 2)
  node.fork(toRaw(branch))
  node.setHeight(END)
  await indexer.reached(END)
  await indexer.stop()
  assert.deepEqual(indexer.rollbacks, [[OLD_HEAD + 2, OLD_HEAD - 2]])
  assert.deepEqual(told, { unverified: 0, faults: [] })
})

test('where no node can tell the validators the index continues by hashes, and says so', async () => {
  const url = await makeOldIndex()
  const { indexer, told } = follow(url, [await startSigned(END, { 'rpc-error': { methods: ['validators'] } })])
  await indexer.reached(END)
  await indexer.stop()
  assert.deepEqual(told, { unverified: 1, faults: [] })
})
