import assert from 'node:assert/strict'
import { test } from 'node:test'
import { devnetUrl } from '../support/database.ts'
import { readForged } from './branches.ts'
import { openBlocks, startApi, startNode } from './stack.ts'

const HEIGHT = 396

test('a block is fetched once for all who ask for its blobs at the same time, and kept for those who come after', async () => {
  const node = await startNode({ recording: 'devnet' })
  const [block] = await readForged('devnet', HEIGHT, HEIGHT)
  const api = await startApi(devnetUrl, { blocks: openBlocks([node], block!.block.block.header.chain_id) })
  const blobs = (await api.get(`/v1/block/${HEIGHT}/blobs?limit=4`)) as { commitment: string; namespace: { hash: string } }[]
  const ask = (path: string, i: number) => {
    const { commitment, namespace } = blobs[i % blobs.length]!
    return api.post(path, { hash: namespace.hash, height: HEIGHT, commitment })
  }
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, i) => ask(i % 2 === 0 ? '/v1/blob' : '/v1/blob/proofs', i >> 1)),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 2 * blobs.length)
  assert.deepEqual((await ask('/v1/blob', 0)).text, answers[0]!.text)
  assert.equal(node.requests.get('block'), 1)
})
