import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { readBlocksFrom } from '../../src/api/square/block-store.ts'
import { createRpcSource } from '../../src/chain/rpc/source.ts'
import { createSeededRandom } from '../../src/lib/random.ts'
import type { FaultName } from '../../src/simulation/node/faults.ts'
import type { ReplayNode } from '../../src/simulation/node/node.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { serverUrl } from '../support/database.ts'
import { DEVNET, databaseUrl } from '../support/templates.ts'
import { type Api, SEED, startApi, startNode } from './stack.ts'

const CHAIN_ID = 'astrolabe-devnet-1'
const HEIGHTS = [60, 160, 396]

type Row = { commitment: string; namespace: { hash: string }; height: number }

/** The key surface over an index whose blocks are read from these nodes. */
async function openApi(nodes: readonly ReplayNode[]) {
  const source = createRpcSource({ urls: nodes.map(({ url }) => url), random: createSeededRandom(SEED) })
  closeAfterwards(() => source.close())
  const api = await startApi(databaseUrl(serverUrl, DEVNET), { blocks: readBlocksFrom(source, () => CHAIN_ID, 60_000) })
  const quarantined = () => source.nodes().flatMap(({ label, quarantined: reason }) => (reason === undefined ? [] : [label]))
  return { api, quarantined }
}

/** All that is served from the bytes of some blocks: contents, both kinds of proofs of blobs, proofs of txs. */
async function readAll(api: Api): Promise<string[]> {
  const answers: string[] = []
  const take = async (name: string, response: Promise<{ status: number; text: string }>) => {
    const { status, text } = await response
    answers.push(`${name} ${status} ${status === 200 ? hash('sha1', text) : JSON.parse(text).code}`)
  }
  const get = async (path: string) => {
    const response = await fetch(`${api.url}${path}`)
    return { status: response.status, text: await response.text() }
  }
  for (const height of HEIGHTS) {
    const blobs = (await api.get(`/v1/block/${height}/blobs?limit=3`)) as Row[]
    assert.ok(blobs.length > 0, `height ${height} has blobs`)
    for (const { commitment, namespace } of blobs) {
      const which = { hash: namespace.hash, height, commitment }
      await take('proofs', api.post('/v1/blob/proofs', which))
      await take('content', api.post('/v1/blob', which))
      const query = new URLSearchParams({ hash: namespace.hash, height: String(height), commitment })
      await take('proof', get(`/v1/blob/proof?${query}`))
      await take('contents', get(`/v1/namespace_by_hash/${encodeURIComponent(namespace.hash)}/${height}`))
    }
    const [tx] = (await api.get(`/v1/tx?height=${height}&limit=1`)) as { hash: string }[]
    await take('tx', get(`/v1/tx/${tx!.hash}/proof`))
  }
  return answers
}

describe('a node that gives false bytes of blocks', () => {
  let expected: string[]
  before(async () => {
    const { api } = await openApi([await startNode({ recording: 'devnet' })])
    expected = await readAll(api)
    assert.deepEqual(
      expected.filter((answer) => !/ 200 /.test(answer)),
      [],
    )
  })

  for (const fault of ['tampered-blob', 'tampered-tx'] satisfies FaultName[]) {
    test(`is put aside for ${fault}, and every answer is that of the honest one beside it`, async () => {
      const liar = await startNode({ recording: 'devnet', faults: { [fault]: {} } })
      const honest = await startNode({ recording: 'devnet' })
      const { api, quarantined } = await openApi([liar, honest])
      assert.deepEqual(await readAll(api), expected)
      assert.deepEqual(quarantined(), [new URL(liar.url).host])
      assert.deepEqual(await readAll(api), expected, 'what is kept is right as well')
    })
  }

  test('alone is not believed: the answer is 503, also when it is asked again', async () => {
    const { api, quarantined } = await openApi([await startNode({ recording: 'devnet', faults: { 'tampered-blob': {} } })])
    for (let turn = 0; turn < 2; turn++)
      assert.deepEqual(
        (await readAll(api)).map((answer) => answer.split(' ').slice(1).join(' ')),
        expected.map(() => '503 block_source_unavailable'),
      )
    assert.equal(quarantined().length, 1)
  })

  test('is asked once for all that is read of a block', async () => {
    const node = await startNode({ recording: 'devnet' })
    const { api } = await openApi([node])
    await readAll(api)
    assert.equal(node.requests.get('block'), HEIGHTS.length)
  })
})
