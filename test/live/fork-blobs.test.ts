import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../support/database.ts'
import { emptyBranch, readForged, reorderBranch, toRaw } from './branches.ts'
import { type Api, openBlocks, startApi, startIndexer, startNode, waitUntil } from './stack.ts'

/** Last height of the recording, and the block whose blobs are asked for. */
const END = 403
const HEIGHT = 396

type Blob = { commitment: string; namespace: { hash: string } }

/** All that is served from the bytes of a block. */
async function readContents(api: Api): Promise<string[]> {
  const blobs = (await api.get(`/v1/block/${HEIGHT}/blobs?limit=100`)) as Blob[]
  assert.ok(blobs.length > 5)
  const answers: string[] = []
  for (const { commitment, namespace } of blobs) {
    const which = { hash: namespace.hash, height: HEIGHT, commitment }
    for (const path of ['/v1/blob', '/v1/blob/proofs']) {
      const { status, text } = await api.post(path, which)
      answers.push(`${path} ${commitment} ${status} ${text}`)
    }
    const contents = await api.get(`/v1/namespace_by_hash/${encodeURIComponent(namespace.hash)}/${HEIGHT}`)
    answers.push(`contents ${commitment} ${JSON.stringify(contents)}`)
  }
  return answers.sort()
}

test('contents and proofs of blobs are those of the branch that is indexed, also after a fork that reorders a block', async () => {
  const url = await freshDatabase('devnet')
  const nodes = [await startNode({ recording: 'devnet' }), await startNode({ recording: 'devnet' })]
  // Stays on the old branch: its blocks have the right heights and the wrong txs.
  const stale = await startNode({ recording: 'devnet' })
  const history = await readForged('devnet', HEIGHT, END)
  const chainId = history[0]!.block.block.header.chain_id
  const api = await startApi(url, { blocks: openBlocks([stale, ...nodes], chainId) })
  const before = await readContents(api)
  assert.deepEqual(await readContents(await startApi(url, { blocks: openBlocks(nodes, chainId) })), before)

  const indexer = startIndexer(url, nodes)
  const branch = reorderBranch(history)
  const last = emptyBranch(branch.slice(-1), 1)
  for (const node of nodes) {
    node.fork(toRaw([...branch, ...last]))
    node.setHeight(END + 1)
  }
  await indexer.reached(END + 1)
  await waitUntil(async () => (await api.get('/v1/head')).last_height === END + 1)

  const after = await readContents(api)
  assert.deepEqual(after, await readContents(await startApi(url, { blocks: openBlocks(nodes, chainId) })))
  assert.notDeepEqual(after, before, 'the fork changed no proof')
  assert.ok(after.every((answer) => !answer.startsWith('/v1') || / 200 /.test(answer)))
  await indexer.stop()
})
