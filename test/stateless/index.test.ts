import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { packagePath } from '../../src/lib/package-path.ts'
import { loadRollups } from '../../src/store/write/edit-rollups.ts'
import type { Json } from '../../src/types/effects.ts'
import { type Api, openBlocks, startApi, startIndexer, startNode } from '../live/stack.ts'
import { devnetUrl, freshDatabase } from '../support/database.ts'
import { SCHEMA } from '../support/templates.ts'

/** A node that was pruned up to here; the index begins one block higher, and nobody recorded the votes for the last block. */
const EARLIEST = 350
const FROM = EARLIEST + 1
const LAST = 402

let whole: Api
let stateless: Api

before(async () => {
  const node = await startNode({ recording: 'devnet', startHeight: LAST, faults: { pruned: { blocks: EARLIEST } } })
  const url = await freshDatabase()
  await loadRollups(url, SCHEMA, packagePath('data/recordings/devnet/rollups.json'))
  let unverified = 0
  await startIndexer(url, [node], { follow: false, verifyCommits: true, from: FROM, onUnverified: () => unverified++ }).ended
  assert.equal(unverified, 0)
  const blocks = openBlocks([node], 'astrolabe-devnet-1')
  ;[whole, stateless] = [await startApi(devnetUrl, { blocks }), await startApi(url, { blocks })]
})

/** What differs: numbers given in the order of first appearance, descriptions of validators, and what is counted from the first block on. */
const OWN = new Set(['id', 'moniker', 'size', 'blobs_count', 'pfb_count', 'first_height'])

function withoutOwn(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutOwn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, OWN.has(key) ? null : withoutOwn(inner)]))
}

async function assertSame(path: string): Promise<Json> {
  const [expected, found] = [await whole.get(path), await stateless.get(path)]
  assert.deepEqual(withoutOwn(found), withoutOwn(expected), path)
  return found
}

test('every block, its txs, messages, events and blobs are those of the whole index', async () => {
  let txs = 0
  let blobs = 0
  for (let height = FROM; height <= LAST; height++) {
    for (const part of ['', '/stats', '/events?limit=100', '/messages?limit=100', '/blobs?limit=100', '/ods'])
      await assertSame(`/v1/block/${height}${part}${part === '' ? '?stats=true' : ''}`)
    const listed = (await assertSame(`/v1/tx?height=${height}&limit=100&messages=true`)) as { hash: string }[]
    for (const { hash } of listed.slice(0, 2))
      for (const part of ['', '/events', '/messages', '/blobs']) await assertSame(`/v1/tx/${hash}${part}`)
    txs += listed.length
    blobs += (await stateless.get(`/v1/block/${height}/blobs?limit=100`)).length
  }
  assert.ok(txs > 50 && blobs > 20, `${txs} txs, ${blobs} blobs`)
})
