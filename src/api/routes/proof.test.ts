import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SHARE_SIZE } from '../../decode/square/share-counts.ts'
import { openTestApi, type TestApi } from '../testing.ts'

/** Heights that no other test proves anything of: trees are kept for as long as the process lives. */
const [TOGETHER, IN_TURN] = [377, 378]

type Proof = { square_size: number; rows: unknown[] }

describe('proofs of one block', () => {
  let api: TestApi
  const works: number[] = []
  before(async () => {
    api = await openTestApi({ onAnswer: (_request, bytes) => works.push(bytes) })
  })
  after(() => api.close())

  /** Bytes of shares hashed for each proof, beyond those of the rows that it shows. */
  async function beyondRows(ask: () => Promise<Proof[]>): Promise<number[]> {
    works.length = 0
    const own = (await ask()).map(({ square_size, rows }) => square_size * rows.length * SHARE_SIZE)
    return works.map((bytes) => Math.max(0, bytes - Math.max(...own))).sort((a, b) => b - a)
  }

  async function pathsOf(height: number): Promise<string[]> {
    const txs = (await api.get(`/v1/tx?height=${height}&limit=4`)).json() as { hash: string }[]
    assert.ok(txs.length > 2, `height ${height} has ${txs.length} txs`)
    return txs.map(({ hash }) => `/v1/tx/${hash}/proof`)
  }
  const prove = async (path: string): Promise<Proof> => (await api.get(path)).json()

  test('that are asked for at the same time share one computation of its square', async () => {
    const paths = await pathsOf(TOGETHER)
    const beyond = await beyondRows(() => Promise.all(paths.map(prove)))
    assert.deepEqual(
      beyond.map((bytes) => bytes > 0),
      paths.map((_, i) => i === 0),
    )
  })

  test('cost the rows that they show, once its square was computed', async () => {
    const [first, ...others] = await pathsOf(IN_TURN)
    const [whole] = await beyondRows(async () => [await prove(first!)])
    assert.ok(whole! > 0)
    for (const path of [first!, ...others]) assert.deepEqual(await beyondRows(async () => [await prove(path)]), [0])
  })
})
