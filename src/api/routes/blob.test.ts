import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parseRawBlock } from '../../chain/parse.ts'
import { openRecordingSource } from '../../chain/recording/source.ts'
import { buildSquare } from '../../decode/square/build-square.ts'
import { computeAxisRoots } from '../../decode/square/data-root.ts'
import { layoutSquare } from '../../decode/square/layout.ts'
import { verifyShareRange } from '../../decode/square/proof.ts'
import { SHARE_SIZE } from '../../decode/square/share-counts.ts'
import { toSquareTx } from '../../decode/square/square-tx.ts'
import { decodeAddress, encodeAddress } from '../../lib/encoding/bech32.ts'
import { packagePath } from '../../lib/package-path.ts'
import { openTestApi, type TestApi } from '../testing.ts'

type Blob = {
  id: number
  height: number
  size: number
  commitment: string
  namespace: string
  share_version: number
  content_type: string
  time: string
  signer: { hash: string }
  celestials: object
}
type Content = { namespace: string; data: string; share_version: number; commitment: string; content_type: string }

describe('blobs of the recorded chain', () => {
  let api: TestApi
  let all: Blob[]
  const list = async (path: string): Promise<Blob[]> => (await api.get(path)).json()
  const ids = (rows: Blob[]) => rows.map(({ id }) => id)
  before(async () => {
    api = await openTestApi()
    all = []
    for (let path: string | undefined = '/v1/blob?limit=100&sort=asc'; path; ) {
      const answer = await api.get(path)
      all.push(...(answer.json() as Blob[]))
      path = answer.headers.link?.match(/<(.+)>/)?.[1]
    }
  })
  after(() => api.close())

  test('the cursor walks over every blob once', () => {
    assert.deepEqual(
      ids(all),
      [...new Set(ids(all))].sort((a, b) => a - b),
    )
    assert.equal(
      all.reduce((sum, { size }) => sum + size, 0),
      api.watch.head!.total_blobs_size,
    )
  })

  const query = (parts: Record<string, string | number>) => `/v1/blob?${new URLSearchParams(parts as Record<string, string>)}`

  test('filters by namespace, signer and both give the same as by hand', async () => {
    const [one, two] = [all[40]!, all[300]!]
    const cases: [Record<string, string>, (blob: Blob) => boolean][] = [
      [{ namespaces: one.namespace }, (b) => b.namespace === one.namespace],
      [
        { namespaces: `${one.namespace},${two.namespace}` },
        (b) => b.namespace === one.namespace || b.namespace === two.namespace,
      ],
      [{ namespaces: Buffer.from(one.namespace, 'base64').toString('base64url') }, (b) => b.namespace === one.namespace],
      [{ namespaces: Buffer.from(one.namespace, 'base64').toString('hex') }, (b) => b.namespace === one.namespace],
      [{ signers: one.signer.hash }, (b) => b.signer.hash === one.signer.hash],
      [{ signers: `${one.signer.hash},${two.signer.hash}` }, (b) => [one, two].some((x) => x.signer.hash === b.signer.hash)],
      [
        { signers: one.signer.hash, namespaces: one.namespace },
        (b) => b.namespace === one.namespace && b.signer.hash === one.signer.hash,
      ],
      [{ commitment: Buffer.from(one.commitment, 'base64').toString('base64url') }, (b) => b.commitment === one.commitment],
      [
        { commitment: one.commitment, signers: one.signer.hash },
        (b) => b.commitment === one.commitment && b.signer.hash === one.signer.hash,
      ],
    ]
    for (const [parts, holds] of cases) {
      const wanted = all.filter(holds)
      assert.ok(wanted.length > 0)
      const what = JSON.stringify(parts)
      assert.deepEqual(ids(await list(query({ ...parts, sort: 'asc', limit: 7 }))), ids(wanted.slice(0, 7)), what)
      assert.deepEqual(ids(await list(query({ ...parts, limit: 7, offset: 1 }))), ids([...wanted].reverse().slice(1, 8)), what)
      const bySize = [...wanted].sort((a, b) => b.size - a.size || b.id - a.id)
      assert.deepEqual(ids(await list(query({ ...parts, sort_by: 'size', limit: 7, offset: 2 }))), ids(bySize.slice(2, 9)), what)
    }
  })

  test('a namespace or signer that is named twice, in whatever form, gives its blobs once', async () => {
    const one = all[40]!
    const wanted = (holds: (blob: Blob) => boolean) => ids(all.filter(holds).slice(0, 7))
    const operator = encodeAddress('celestiavaloper', decodeAddress(one.signer.hash)!.hex)
    const hex = Buffer.from(one.namespace, 'base64').toString('hex')
    assert.deepEqual(
      ids(await list(query({ signers: `${one.signer.hash},${operator}`, sort: 'asc', limit: 7 }))),
      wanted(({ signer }) => signer.hash === one.signer.hash),
    )
    assert.deepEqual(
      ids(await list(query({ namespaces: `${one.namespace},${hex}`, sort: 'asc', limit: 7 }))),
      wanted(({ namespace }) => namespace === one.namespace),
    )
  })

  test('an unknown namespace is 204, unknown signers have no blobs', async () => {
    const unknown = Buffer.alloc(29, 9).toString('base64')
    assert.equal((await api.get(query({ namespaces: unknown }))).status, 204)
    assert.equal((await api.get(query({ namespaces: `${all[0]!.namespace},${unknown}` }))).status, 204)
    const signer = 'celestia1r726yra3euctv92qqfxh45xztewgp2qj9w22dg'
    assert.deepEqual(await list(query({ signers: signer })), [])
    assert.deepEqual(await list(query({ signers: signer, namespaces: all[0]!.namespace })), [])
    assert.equal((await list(query({ signers: `${signer},${all[0]!.signer.hash}` }))).length, 10)
    assert.deepEqual(await list(query({ commitment: 'AAAA' })), [])
  })

  test('a small cursor is the running number that clients of the reference hold', async () => {
    assert.deepEqual(ids(await list('/v1/blob?cursor=6&limit=5&sort=asc')), ids(all.slice(6, 11)))
    assert.deepEqual(ids(await list('/v1/blob?cursor=6&limit=9')), ids(all.slice(0, 5).reverse()))
    assert.deepEqual(await list('/v1/blob?cursor=16000000&sort=asc'), [])
  })

  test('a period includes its start and not its end, and has a latest year', async () => {
    const seconds = (blob: Blob) => Date.parse(blob.time) / 1000
    const [from, to] = [Math.ceil(seconds(all[100]!)), Math.ceil(seconds(all[400]!))]
    const within = all.filter((blob) => seconds(blob) >= from && seconds(blob) < to)
    assert.deepEqual(ids(await list(query({ from, to, limit: 100, sort: 'asc' }))), ids(within.slice(0, 100)))
    const bySize = [...within].sort((a, b) => b.size - a.size || b.id - a.id)
    assert.deepEqual(ids(await list(query({ from, to, sort_by: 'size' }))), ids(bySize.slice(0, 10)))
    assert.equal((await api.get(query({ from: 16725214801 }))).status, 400)
  })

  test('the content of a blob hashes to its commitment and comes in its own words', async () => {
    for (const blob of [all[0]!, all[1234]!, all.find(({ share_version }) => share_version === 1)!, all.at(-1)!]) {
      const body = { hash: blob.namespace, height: blob.height, commitment: blob.commitment }
      const content = (await api.post('/v1/blob', body)).json() as Content
      assert.equal(Buffer.from(content.data, 'base64').length, blob.size)
      for (const key of ['namespace', 'commitment', 'share_version', 'content_type'] as const)
        assert.equal(content[key], blob[key], key)

      const { content_type: _, ...bare } = content
      const path = `/v1/namespace_by_hash/${encodeURIComponent(blob.namespace)}/${blob.height}`
      const ofBlock = (await api.get(path)).json() as object[]
      assert.ok(ofBlock.some((one) => JSON.stringify(one) === JSON.stringify(bare)))
      assert.ok(ofBlock.every((one) => !('content_type' in one)))

      const meta = (await api.post('/v1/blob/metadata', body)).json() as {
        id: number
        namespace: { hash: string }
        tx: object
        signer: object
      }
      assert.deepEqual([meta.id, meta.namespace.hash], [blob.id, blob.namespace])
      assert.ok(meta.tx && meta.signer)
    }
  })

  test('inclusion proofs verify against the row roots of the block', async () => {
    const source = await openRecordingSource(packagePath('data/recordings/devnet'))
    for (const blob of [all[7]!, all[2000]!, [...all].sort((a, b) => b.size - a.size)[0]!]) {
      const raw = await source.readBlock(blob.height, AbortSignal.timeout(5000))
      const { txs, versionApp } = parseRawBlock(raw!, { chainId: 'astrolabe-devnet-1' })
      const shaped = txs.map((tx) => toSquareTx(tx, versionApp))
      const square = buildSquare(shaped)
      const position = (await api.get(`/v1/block/${blob.height}/blobs?limit=100&sort=asc`)).json() as Blob[]
      const index = position.findIndex(({ id }) => id === blob.id)
      const order = shaped.flatMap((tx, at) => tx.blobs.map((_, i) => [at, i] as const))
      const placed = layoutSquare(shaped).blobs.find(({ tx, index: i }) => tx === order[index]![0] && i === order[index]![1])!

      const answer = await api.post('/v1/blob/proofs', { hash: blob.namespace, height: blob.height, commitment: blob.commitment })
      const proofs = (answer.json() as { start: number; end: number; nodes: string[] }[]).map(({ nodes, ...range }) => ({
        ...range,
        nodes: nodes.map((node) => Buffer.from(node, 'base64')),
      }))
      const rows = Math.floor(placed.start / square.size)
      const roots = computeAxisRoots({ ...square, bytes: square.bytes.slice() })
      const claim = {
        namespace: Buffer.from(blob.namespace, 'base64'),
        shares: square.bytes.subarray(placed.start * SHARE_SIZE, (placed.start + placed.shares) * SHARE_SIZE),
        proofs,
        rowRoots: roots.rows.slice(rows, rows + proofs.length),
        size: square.size,
      }
      assert.ok(verifyShareRange(claim))
      assert.ok(!verifyShareRange({ ...claim, shares: Buffer.from(claim.shares).fill(1, 100, 101) }))
    }
    await source.close()
  })

  test('a blob that is not there is a bad request, its metadata 204', async () => {
    const { namespace, commitment, height } = all[0]!
    const strange = [
      { hash: namespace, height: height + 1, commitment },
      { hash: namespace, height: 9_999_999, commitment },
      { hash: Buffer.alloc(29, 3).toString('base64'), height, commitment },
      { hash: namespace, height, commitment: Buffer.alloc(32).toString('base64') },
    ]
    for (const body of strange) {
      for (const path of ['/v1/blob', '/v1/blob/proofs']) {
        const answer = await api.post(path, body)
        assert.equal(answer.status, 400)
        assert.match(answer.text, /blob: not found/)
      }
      assert.equal((await api.post('/v1/blob/metadata', body)).status, 204)
    }
    assert.equal((await api.get(`/v1/namespace_by_hash/${encodeURIComponent(namespace)}/1`)).status, 400)
  })

  test('the light form always has celestials', () => {
    for (const { celestials } of all) assert.deepEqual(celestials, {})
  })
})
