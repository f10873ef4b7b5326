import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { FaultName, FaultOptions } from '../../src/simulation/node/faults.ts'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { signBlocks } from '../../src/simulation/node/sign.ts'
import { CHAIN_ID } from '../builders.ts'
import { toRaw } from '../live/branches.ts'
import { assertSameTables } from '../live/oracle.ts'
import { JOINED_AT, LENGTH, makeBlocks, makeGenesis, makeSignedChain, validatorsAt } from '../live/signed-chain.ts'
import { startApi, startIndexer, startNode } from '../live/stack.ts'
import { WsClient } from '../live/ws-client.ts'
import { bareDatabase, query, restore, snapshot } from '../snapshot/published.ts'
import { writeConfig } from '../support/config-file.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { longTest } from '../support/long-test.ts'
import { makeFolder, runCli } from '../support/program.ts'
import { SCHEMA } from '../support/templates.ts'

/** The set that signs this block is not the one that signs the next: carol joins between them. */
const FROM = JOINED_AT + 1
/** The votes for a block are in the next one, so the last one is only there to carry them. */
const END = LENGTH - 1
const chain = makeSignedChain()

type Faults = Partial<Record<FaultName, FaultOptions>>

const startSigned = (faults: Faults = {}, blocks = toRaw(chain), startHeight = END) =>
  startNode({ chainId: CHAIN_ID, genesis: makeGenesis(), blocks, startHeight, faults })

const pruned = (earliest: number): Faults => ({ pruned: { blocks: earliest } })

function begin(url: string, nodes: { url: string }[], from: number) {
  const told = { unverified: 0, faults: [] as unknown[] }
  const indexer = startIndexer(url, nodes, {
    verifyCommits: true,
    from,
    onUnverified: () => told.unverified++,
    rpc: { log: (event, { code }) => event === 'node fault' && told.faults.push(code) },
  })
  return { indexer, told }
}

/** A network of the command line, which shares a database with others. */
function astrolabe(args: string[], url: string, network: object): Promise<{ code: number | null; text: string }> {
  const config = writeConfig(makeFolder(), { networks: [{ rpc: [node.url], ...network }] })
  return runCli([...args, '--config', config, '--database', url, '--data', makeFolder()]).ended
}

let node: ReplayNode
let url: string
/** Made from a node that has nothing below the block before the first. */
before(async () => {
  node = await startSigned(pruned(FROM - 1))
  url = await freshDatabase()
  const { indexer, told } = begin(url, [node], FROM)
  await indexer.reached(END)
  await indexer.stop()
  assert.deepEqual(told, { unverified: 0, faults: [] })
})

test('the first validators are learned in the middle of a change, and verified with', async () => {
  const [range] = await query(url, `select min(height) as first, max(height) as last from ${SCHEMA}.block`)
  assert.deepEqual(range, { first: FROM, last: END })
  const [liar, honest] = [await startSigned({ ...pruned(FROM - 1), 'tampered-validators': {} }), node]
  const other = await freshDatabase()
  const { indexer, told } = begin(other, [liar, honest], FROM)
  await indexer.reached(END)
  await indexer.stop()
  assert.ok(told.unverified === 0 && told.faults.includes('validators_hash'), JSON.stringify(told))
  assertSameTables(await digestOf(other), await digestOf(url))
})

test('a block that the learned validators have not signed is refused', async () => {
  const branch = makeBlocks(FROM + 1, { appHash: 'AB'.repeat(32) })
  signBlocks(branch, { validators: validatorsAt, signers: () => [] }, chain[FROM - 1])
  const forged = await startSigned({}, toRaw([...chain.slice(0, FROM), ...branch]))
  const { indexer } = begin(await freshDatabase(), [forged], FROM)
  await assert.rejects(indexer.ended, { code: 'no_node_left' })
})

test('a fork from the first block on is followed: nothing but the start is left of the old branch', async () => {
  const other = await freshDatabase()
  const moving = await startSigned({}, toRaw(chain), FROM + 2)
  const { indexer } = begin(other, [moving], FROM)
  await indexer.reached(FROM + 2)
  const client = await WsClient.open((await startApi(other)).wsUrl)
  await client.subscribed('head')
  const branch = makeBlocks(FROM, { appHash: 'AB'.repeat(32) })
  signBlocks(branch, { validators: validatorsAt }, chain[FROM - 2])
  moving.fork(toRaw(branch))
  moving.setHeight(END)
  await indexer.reached(END)
  await indexer.stop()
  assert.deepEqual(indexer.rollbacks, [[FROM + 2, FROM - 1]])
  const { body } = await client.find(({ body: { last_height } }) => last_height === END)
  assert.deepEqual([body.no_state_before, body.total_tx], [FROM, undefined])
  await client.close()
  const straight = await freshDatabase()
  const again = begin(straight, [await startSigned({}, toRaw([...chain.slice(0, FROM - 1), ...branch]))], FROM)
  await again.indexer.reached(END)
  await again.indexer.stop()
  const { undo: _, head: __, ...expected } = await digestOf(straight)
  const { undo: ___, head: ____, ...found } = await digestOf(other)
  assertSameTables(found, expected)
})

test('a start that no node has, that nodes disagree on, or that is not the one of the index is refused', async () => {
  const lacking = begin(await freshDatabase(), [await startSigned(pruned(FROM))], FROM)
  await assert.rejects(lacking.indexer.ended, { code: 'start_not_served' })

  const branch = makeBlocks(FROM - 3, { appHash: 'AB'.repeat(32) })
  signBlocks(branch, { validators: validatorsAt }, chain[FROM - 5])
  const other = await startSigned({}, toRaw([...chain.slice(0, FROM - 4), ...branch]))
  const disputed = begin(await freshDatabase(), [node, other], FROM)
  await assert.rejects(disputed.indexer.ended, { code: 'start_disputed' })

  const moved = begin(url, [node], FROM + 1)
  await assert.rejects(moved.indexer.ended, /from_height is 12, but this index begins at height 11/)
})

test('doctor, status and audit say that there is no state; what cannot be exported is refused', async () => {
  const checked = await astrolabe(['doctor'], url, { from_height: FROM })
  assert.match(checked.text, new RegExp(`ok +index of main: begins at height ${FROM} without state`))
  assert.match((await astrolabe(['status'], url, {})).text, new RegExp(`main begins at height ${FROM} without the state`))
  const audited = await astrolabe(['audit'], url, {})
  assert.equal(audited.code, 0, audited.text)
  assert.match(audited.text, /skip I7 balances sum up to the supply: this index began without state/)
  const exported = await astrolabe(['export', makeFolder(), '--datasets', 'balances'], url, {})
  assert.match(exported.text, /this index began without the state of the chain: it has no dataset balances/)
})

longTest('doctor names the setting to whoever has a pruned node', async () => {
  const { code, text } = await astrolabe(['doctor'], url, { name: 'other' })
  assert.equal(code, 1)
  assert.match(
    text,
    new RegExp(`it begins at height ${FROM - 1} and block 1 is needed: .* set networks\\[\\]\\.from_height above`),
  )
})

longTest('doctor takes a start whose header below has no results, and refuses one above the head', async () => {
  const { url: bare } = await startSigned({ ...pruned(FROM - 1), 'results-not-kept': { to: FROM - 1 } })
  const usable = await astrolabe(['doctor'], url, { name: 'other', rpc: [bare], from_height: FROM })
  assert.match(usable.text, /ok +source of other/)
  const beyond = await astrolabe(['doctor'], url, { name: 'other', rpc: [bare], from_height: END + 50 })
  assert.equal(beyond.code, 1)
  assert.match(beyond.text, new RegExp(`from_height is ${END + 50}, and it ends at height ${END}`))
})

longTest('rollback takes the last heights back as far as it can, and the indexer reads them again', async () => {
  const copy = await freshDatabase()
  const { indexer } = begin(copy, [node], FROM)
  await indexer.reached(END)
  await indexer.stop()
  const network = { from_height: FROM }
  const tooDeep = await astrolabe(['rollback', '--to', '1'], copy, network)
  assert.equal(tooDeep.code, 1)
  assert.match(
    tooDeep.text,
    new RegExp(`can be taken back to ${FROM - 1}, not to 1, and to the beginning with --to 0; nothing was changed`),
  )
  const { code, text } = await astrolabe(['rollback', '--to', String(END - 5)], copy, network)
  assert.equal(code, 0, text)
  assert.match(text, new RegExp(`heights ${END - 4} to ${END} were taken back`))
  const again = begin(copy, [node], FROM)
  await again.indexer.reached(END)
  await again.indexer.stop()
  assertSameTables(await digestOf(copy), await digestOf(url))
})

test('rollback --to 0 takes everything back, and the indexer begins again', async () => {
  const copy = await freshDatabase()
  const { indexer } = begin(copy, [node], FROM)
  await indexer.reached(END)
  await indexer.stop()
  const { code, text } = await astrolabe(['rollback', '--to', '0'], copy, { from_height: FROM })
  assert.equal(code, 0, text)
  assert.match(text, new RegExp(`all heights up to ${END} were taken back`))
  const again = begin(copy, [node], FROM)
  await again.indexer.reached(END)
  await again.indexer.stop()
  assertSameTables(await digestOf(copy), await digestOf(url))
})

longTest('a snapshot of it is restored elsewhere and continued, without the setting', async () => {
  const half = await freshDatabase()
  const { indexer } = begin(half, [await startSigned(pruned(FROM - 1), toRaw(chain), END - 10)], FROM)
  await indexer.reached(END - 10)
  await indexer.stop()
  const folder = join(makeFolder(), 'snapshot')
  assert.equal((await snapshot(half, folder)).code, 0)
  const copy = await bareDatabase()
  const restored = await restore(copy, folder, [node], { options: ['--min-nodes', '1'] })
  assert.equal(restored.code, 0, restored.text)
  const { code, text } = await astrolabe(['index', '--until', String(END)], copy, {})
  assert.equal(code, 0, text)
  const { source_head: _, ...expected } = await digestOf(url)
  const { source_head: __, ...found } = await digestOf(copy)
  assertSameTables(found, expected)
})
