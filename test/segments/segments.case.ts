import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type pg from 'pg'
import { withKeptTxs } from '../../src/api/square/block-store.ts'
import { openTestApi, type TestApi } from '../../src/api/testing.ts'
import { openRecordingSource } from '../../src/chain/recording/source.ts'
import { Transient } from '../../src/lib/errors.ts'
import { openFolder } from '../../src/lib/object-store/folder.ts'
import type { ObjectStore } from '../../src/lib/object-store/object-store.ts'
import { packagePath } from '../../src/lib/package-path.ts'
import { rebuildRecords } from '../../src/pipeline/rebuild-segment.ts'
import { auditIndex } from '../../src/store/audit/audit.ts'
import { type Db, openReader } from '../../src/store/db.ts'
import { findBadSegments, findUncovered, hashAt, replaceSegment } from '../../src/store/segments/repair.ts'
import { openSealer } from '../../src/store/segments/run-sealer.ts'
import { removeOrphans, sealNext } from '../../src/store/segments/seal.ts'
import { SegmentReader } from '../../src/store/segments/segment-reader.ts'
import { Writer } from '../../src/store/write/writer.ts'
import { freshDatabase } from '../support/database.ts'
import { SCHEMA } from '../support/templates.ts'
import { databaseWithTxs, indexWithTxs } from './index-with-txs.ts'

const RECORDING = packagePath('data/recordings/devnet')
const HEIGHTS = 60
const { signal } = new AbortController()

/** Answers that need every kind of what segments hold, at heights in segments and above them. */
async function answersOf(api: TestApi): Promise<string[]> {
  const texts: string[] = []
  const take = async (path: string) => {
    const answer = await api.get(path)
    assert.equal(answer.status, 200, `${path}: ${answer.text}`)
    texts.push(answer.text)
  }
  for (const height of [1, 2, 60, 61, 150, 303, 304, 400]) {
    await take(`/v1/block/${height}/events?limit=100`)
    await take(`/v1/block/${height}/messages?limit=100`)
  }
  const txs = (await api.get('/v1/tx?limit=100&sort=asc&messages=true')).json() as { hash: string }[]
  texts.push(JSON.stringify(txs))
  for (const { hash } of txs.filter((tx, i) => tx.hash && i % 9 === 0)) {
    await take(`/v1/tx/${hash}/events?limit=100`)
    await take(`/v1/tx/${hash}/messages`)
  }
  await take('/v1/namespace/0000000000000000000000000000000000000065636c697073652d6d/0/messages?limit=50')
  return texts
}

/** Content and proof of some blobs. */
async function blobsOf(api: TestApi, list = '/v1/blob?limit=40&sort=asc'): Promise<string[]> {
  const blobs = (await api.get(list)).json() as {
    namespace: string
    height: number
    commitment: string
  }[]
  const texts: string[] = []
  for (const { namespace: hash, height, commitment } of blobs.filter((_, i) => i % 8 === 0))
    for (const path of ['/v1/blob', '/v1/blob/proofs']) {
      const answer = await api.post(path, { hash, height, commitment })
      assert.equal(answer.status, 200, answer.text)
      texts.push(answer.text)
    }
  return texts
}

/** `isRevisited`: heights above the segments are taken back at the end. */
export const testSegments = ({ isRevisited }: { isRevisited: boolean }): Promise<void> =>
  describe('segments', () => {
    let url: string
    let folder: string
    let store: ObjectStore
    let client: pg.Client
    let db: Db
    let plain: string[]
    let plainBlobs: string[]
    const open = () => {
      const reader = openReader({ url, schema: SCHEMA, max: 2, segments: new SegmentReader(store, 2 ** 20) })
      return reader
    }
    /** Over the segments alone: there is no node. */
    const openApi = () => openTestApi({ url, db, blocksOver: () => withKeptTxs({ read: async () => undefined }, db) })
    const segmentFiles = async () => (await readdir(join(folder, 'main')).catch(() => [] as string[])).sort()
    const seal = (over: ObjectStore = store) => sealNext(client, { store: over, prefix: 'main', heights: HEIGHTS })
    const blocksLeft = async () =>
      (await db`select count(*)::integer as n from unsealed where kind = 0 and height between 1 and ${HEIGHTS}`)[0]!.n as number

    const rowVersions = () =>
      db`select 'block' as name, height as id, xmin::text from block
       union all select 'tx', id, xmin::text from tx union all select 'message', id, xmin::text from message order by 1, 2`

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'astrolabe-segments-'))
      store = openFolder(folder)
      url = await databaseWithTxs()
      client = await openSealer(url, SCHEMA)
      db = open()
      const api = await openTestApi({ url })
      plain = await answersOf(api)
      plainBlobs = await blobsOf(api)
      await api.close()
    })
    after(async () => {
      await client.end()
      await db.end()
      await rm(folder, { recursive: true })
    })

    test('are not made while the bucket is away, and the bytes stay where they are', async () => {
      const away: ObjectStore = { ...store, put: () => Promise.reject(new Transient('bucket_unavailable', 'away')) }
      await assert.rejects(seal(away), /away/)
      assert.equal(await blocksLeft(), HEIGHTS)
      assert.deepEqual(await segmentFiles(), [])
    })

    test('that were written by a run that was killed before its commit are orphans, which the next run removes', async () => {
      const killed: ObjectStore = {
        ...store,
        put: async (key, bytes) => {
          await store.put(`${key}.other`, bytes)
          throw new Error('killed')
        },
      }
      await assert.rejects(seal(killed), /killed/)
      assert.equal((await segmentFiles()).length, 1)
      assert.equal(await blocksLeft(), HEIGHTS)
      assert.equal(await removeOrphans(client, store, 'main'), 1)
      assert.deepEqual(await segmentFiles(), [])
    })

    test('take final heights only, and every answer stays the same', async () => {
      const slow: ObjectStore = { ...store, put: (key, bytes) => store.put(key, bytes) }
      const ranges: string[] = []
      const versions = await rowVersions()
      for (let range = await seal(slow); range; range = await seal(slow)) ranges.push(`${range.first}-${range.last}`)
      // 403 heights are indexed, the last hundred can be taken back.
      assert.deepEqual(ranges, ['1-60', '61-120', '121-180', '181-240', '241-300'])
      assert.equal(await blocksLeft(), 0)
      assert.equal((await db`select count(*)::integer as n from block_txs where height <= 300`)[0]!.n, 0)
      assert.deepEqual(await rowVersions(), versions, 'no row was written again')
      assert.equal(await removeOrphans(client, store, 'main'), 0)
      const api = await openApi()
      assert.deepEqual(await answersOf(api), plain)
      assert.deepEqual(await blobsOf(api), plainBlobs)
      assert.deepEqual(api.failures, [])
      await api.close()
    })

    test('satisfy the audit', async () => {
      const found: string[] = await findUncovered(db)
      for await (const bad of findBadSegments(db, store)) found.push(bad.detail)
      for await (const { violations } of auditIndex(db)) found.push(...violations.map(({ detail }) => detail))
      assert.deepEqual(found, [])
    })

    test('that are damaged or missing are found, answered with 503, and made again from a node with the same bytes', async () => {
      const [first, second] = await segmentFiles()
      const path = join(folder, 'main', first!)
      const whole = await readFile(path)
      const spoiled = Buffer.from(whole)
      spoiled[100]! ^= 1
      await writeFile(path, spoiled)
      await rm(join(folder, 'main', second!))
      await db.end()
      db = open()
      const api = await openApi()
      for (const height of [2, 61]) {
        const answer = await api.get(`/v1/block/${height}/events`)
        assert.deepEqual([answer.status, JSON.parse(answer.text).code], [503, 'segment_unavailable'])
      }
      const source = await openRecordingSource(RECORDING)
      const { chainId } = await source.head(signal)
      const details: string[] = []
      for await (const { first_height: from, last_height: to, detail } of findBadSegments(db, store)) {
        details.push(detail)
        const range = { first: from, last: to }
        const records = await rebuildRecords({ source, chainId, hashAt: (height) => hashAt(client, height) }, range, signal)
        await replaceSegment(client, { store, prefix: 'main' }, range, records)
      }
      await source.close()
      assert.deepEqual(details, [`segment main/${first} is damaged`, `segment main/${second} is missing`])
      assert.ok((await readFile(path)).equals(whole))
      assert.deepEqual(await answersOf(api), plain)
      await api.close()
    })

    test('that cannot be opened or read as files are found and answered with 503, whose reason is logged', async () => {
      const files = await segmentFiles()
      const [folderPath, loopPath] = [join(folder, 'main', files[2]!), join(folder, 'main', files[3]!)]
      for (const path of [folderPath, loopPath]) await rename(path, `${path}.whole`)
      await mkdir(folderPath)
      // A link to itself cannot be opened by anybody, while the rights of a file do not keep out root.
      await symlink(loopPath, loopPath)
      await db.end()
      db = open()
      const api = await openApi()
      for (const height of [121, 181]) {
        const answer = await api.get(`/v1/block/${height}/events`)
        assert.deepEqual([answer.status, JSON.parse(answer.text).code], [503, 'segment_unavailable'])
      }
      await api.close()
      assert.deepEqual(
        api.failures.map((error) => /EISDIR|ELOOP/.exec((error as { cause: Error }).cause.message)?.[0]),
        ['EISDIR', 'ELOOP'],
      )
      const details: string[] = []
      for await (const { detail } of findBadSegments(db, store)) details.push(/EISDIR|ELOOP/.exec(detail)?.[0] ?? detail)
      assert.deepEqual(details, ['EISDIR', 'ELOOP'])
      for (const path of [folderPath, loopPath]) {
        await rm(path, { recursive: true })
        await rename(`${path}.whole`, path)
      }
    })

    test('without the setting that names their place are said to be unavailable', async () => {
      const api = await openTestApi({ url })
      const answer = await api.get('/v1/block/2/events')
      assert.deepEqual([answer.status, JSON.parse(answer.text).code], [503, 'segment_unavailable'])
      await api.close()
    })

    test('and rows that hold other txs than those of the block are not believed: contents and proofs come from a node', async () => {
      const newest = (api: TestApi) => blobsOf(api, '/v1/blob?limit=40')
      const before = await openTestApi({ url })
      const expected = await newest(before)
      await before.close()
      await client.query(
        "update block_txs set txs = set_byte(txs, length(txs) / 2, get_byte(txs, length(txs) / 2) # 1) where txs <> ''",
      )
      const api = await openTestApi({ url, db, blocksOver: (recorded) => withKeptTxs(recorded, db) })
      assert.deepEqual(await newest(api), expected)
      await api.close()
    })

    if (isRevisited)
      test('stay when the heights above them are taken back', async () => {
        const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, signal)
        await writer.revertTo(310)
        await writer.close()
        await indexWithTxs(url)
        const api = await openApi()
        assert.deepEqual(await answersOf(api), plain)
        await api.close()
      })
  })

export const testLaterSegments = (): Promise<void> =>
  describe('an index that gets segments later', () => {
    test('moves the bytes out of its rows, and every answer stays the same', async () => {
      const url = await freshDatabase('devnet')
      const folder = await mkdtemp(join(tmpdir(), 'astrolabe-segments-'))
      const store = openFolder(folder)
      const client = await openSealer(url, SCHEMA)
      const db = openReader({ url, schema: SCHEMA, max: 2, segments: new SegmentReader(store, 2 ** 20) })
      const before = await openTestApi({ url })
      const plain = await answersOf(before)
      await before.close()
      while (await sealNext(client, { store, prefix: 'main', heights: HEIGHTS }));
      const held = `select (select count(events) from block where height between 1 and 300)
                       + (select count(events) from tx where height between 1 and 300)
                       + (select count(value) from message where height between 1 and 300) as n`
      assert.deepEqual((await client.query<{ n: string }>(held)).rows, [{ n: '0' }])
      assert.deepEqual(await findUncovered(db), [])
      const api = await openTestApi({ url, db })
      assert.deepEqual(await answersOf(api), plain)
      await api.close()
      await client.end()
      await db.end()
      await rm(folder, { recursive: true })
    })
  })
