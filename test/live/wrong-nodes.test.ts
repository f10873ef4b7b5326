import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRecordingSource } from '../../src/chain/recording/source.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { runCli } from '../support/program.ts'
import { readForged, toRaw } from './branches.ts'
import { assertSameTables } from './oracle.ts'
import { startIndexer, startNode } from './stack.ts'

/** Nodes of another chain, or of another start of the chain, beside one that is right: an index that knows its chain continues. */

const RECORDING = 'test-1'
const ONCE = { follow: false, verifyCommits: true }

/** An index of the first 60 heights. */
async function indexBeginning(): Promise<string> {
  const url = await freshDatabase()
  await startIndexer(url, [await startNode({ recording: RECORDING, startHeight: 60 })], ONCE).ended
  return url
}

async function digestOf100(): Promise<Awaited<ReturnType<typeof digestOf>>> {
  const url = await freshDatabase()
  await startIndexer(url, [await startNode({ recording: RECORDING, startHeight: 100 })], ONCE).ended
  return digestOf(url)
}

test('without a chain id in the settings the database decides, whichever node answers first', async () => {
  const url = await indexBeginning()
  const stranger = await startNode({ recording: 'devnet', startHeight: 300 })
  const right = await startNode({ recording: RECORDING, startHeight: 100, faults: { slow: { delayMs: 200 } } })
  const args = ['index', '--once', '--database', url, '--rpc', stranger.url, '--rpc', right.url, '--log-level', 'silent']
  const { code, text } = await runCli(args).ended
  assert.equal(code, 0, text)
  assertSameTables(await digestOf(url), await digestOf100())
})

test('a node with another genesis does not end a restart when another node has the right one', async () => {
  const url = await indexBeginning()
  const recorded = await openRecordingSource(packagePath('data/recordings', RECORDING))
  const document = JSON.parse(Buffer.from(await recorded.genesis(new AbortController().signal)).toString())
  const stranger = await startNode({
    chainId: document.chain_id,
    genesis: Buffer.from(JSON.stringify({ ...document, genesis_time: '2001-01-01T00:00:00Z' })),
    blocks: toRaw(await readForged(RECORDING, 1, 101)),
    startHeight: 100,
  })
  await assert.rejects(startIndexer(url, [stranger], ONCE).ended, { code: 'wrong_genesis' })
  const right = await startNode({ recording: RECORDING, startHeight: 100 })
  await startIndexer(url, [stranger, right], ONCE).ended
  await startIndexer(url, [right, stranger], ONCE).ended
  assertSameTables(await digestOf(url), await digestOf100())
})
