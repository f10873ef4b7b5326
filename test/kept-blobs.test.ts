import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Unavailable } from '../src/api/http/errors.ts'
import { withBlobFolder } from '../src/api/square/block-store.ts'
import { openTestApi, type TestApi } from '../src/api/testing.ts'
import { openRecordingSource } from '../src/chain/recording/source.ts'
import type { RawBlock } from '../src/chain/source.ts'
import { packagePath } from '../src/lib/package-path.ts'
import { PreparePool } from '../src/pipeline/prepare-pool.ts'
import type { KeptBlobs } from '../src/store/blob-files/keep-blobs.ts'

type Blob = { height: number; commitment: string; namespace: string; size: number }

/** The indexer's threads go over the recorded chain. */
async function keepRecording(blobFolder: string, to = Number.POSITIVE_INFINITY): Promise<KeptBlobs[]> {
  const kept: KeptBlobs[] = []
  const source = await openRecordingSource(packagePath('data/recordings/devnet'))
  const pool = new PreparePool(1, { blobFolder, onKept: (more) => kept.push(more) })
  const signal = new AbortController().signal
  // Threads of the pool do not keep a process alive.
  const alive = setInterval(() => {}, 60_000)
  try {
    const { chainId, height: last } = await source.head(signal)
    const height = Math.min(last, to)
    const blocks: RawBlock[] = []
    for (let at = 1; at <= height; at++) blocks.push((await source.readBlock(at, signal))!)
    assert.equal((await pool.decode(blocks, chainId, { until: 0, from: 0, share: 0 })).length, height)
  } finally {
    clearInterval(alive)
    await pool.close()
    await source.close()
  }
  return kept
}

describe('a folder of kept blobs', () => {
  let folder: string
  let gone: TestApi
  let reachable: TestApi
  let blobs: Blob[]
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'astrolabe-blobs-'))
    await keepRecording(folder)
    gone = await openTestApi({
      blocksOver: () => {
        const node = { txs: () => Promise.reject(new Unavailable('block_source_unavailable', 'the node is gone', 5)) }
        return withBlobFolder(node, folder)
      },
    })
    reachable = await openTestApi({ blocksOver: (recorded) => withBlobFolder(recorded, folder) })
    blobs = (await gone.get('/v1/blob?limit=100')).json()
  })
  after(async () => {
    await gone.close()
    await reachable.close()
    await rm(folder, { recursive: true })
  })

  const ask = (api: TestApi, { namespace, height, commitment }: Blob) =>
    api.post('/v1/blob', { hash: namespace, height, commitment })
  const pathOf = ({ height, commitment }: Blob) =>
    join(folder, String(Math.floor(height / 100)).padStart(9, '0'), Buffer.from(commitment, 'base64').toString('hex'))

  test('has every blob of the chain and nothing half written', async () => {
    const names = (await Promise.all((await readdir(folder)).map((name) => readdir(join(folder, name))))).flat()
    assert.ok(names.every((name) => /^[0-9a-f]{64}$/.test(name)))
    for (const blob of blobs) assert.ok(existsSync(pathOf(blob)), blob.commitment)
  })

  test('answers when the node is gone, with what the node would have given', async () => {
    const fromChain = await openTestApi()
    try {
      for (const blob of [blobs[0]!, blobs[50]!, blobs.at(-1)!]) {
        const answer = await ask(gone, blob)
        assert.equal(answer.status, 200)
        assert.equal(answer.text, (await ask(fromChain, blob)).text)
        const path = `/v1/namespace_by_hash/${encodeURIComponent(blob.namespace)}/${blob.height}`
        assert.equal((await gone.get(path)).text, (await fromChain.get(path)).text)
      }
    } finally {
      await fromChain.close()
    }
  })

  test('is not believed when a file is damaged, cut off or missing: the node is asked', async () => {
    const damage: ((path: string) => Promise<void>)[] = [
      async (path) => {
        const bytes = await readFile(path)
        bytes[bytes.length - 1]! ^= 1
        await writeFile(path, bytes)
      },
      async (path) => {
        const bytes = await readFile(path)
        bytes[5]! ^= 1
        await writeFile(path, bytes)
      },
      (path) => truncate(path, 40),
      (path) => truncate(path, 0),
      (path) => rm(path),
    ]
    for (const [i, spoil] of damage.entries()) {
      const blob = blobs[i + 1]!
      const whole = (await ask(gone, blob)).text
      await spoil(pathOf(blob))
      assert.equal((await ask(gone, blob)).status, 503, `damage ${i}`)
      const answer = await ask(reachable, blob)
      assert.deepEqual([answer.status, answer.text], [200, whole], `damage ${i}`)
    }
  })

  test('may be deleted while it is served', async () => {
    await rm(folder, { recursive: true })
    assert.equal((await ask(reachable, blobs[30]!)).status, 200)
    assert.equal((await ask(gone, blobs[30]!)).status, 503)
    await keepRecording(folder, 60)
    const [early] = (await gone.get('/v1/blob?limit=1&sort=asc')).json() as Blob[]
    assert.equal((await ask(gone, early!)).status, 200)
  })

  test('that cannot be written does not stop decoding', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    const kept = await keepRecording(join(file, 'main'), 60)
    assert.match(kept.at(-1)?.error ?? '', /ENOTDIR/)
  })
})
