import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { openTestApi, type TestApi } from '../../src/api/testing.ts'
import { openReader, type PartitionMap } from '../../src/store/db.ts'
import { partitionTables } from '../../src/store/partitions/convert.ts'
import { detachBelow } from '../../src/store/partitions/detach.ts'
import { makePartitions, openPartitioner } from '../../src/store/partitions/make.ts'
import { findHead } from '../../src/store/read/head/head.ts'
import { findTx } from '../../src/store/read/tx/tx.ts'
import { Writer } from '../../src/store/write/writer.ts'
import { devnetUrl, freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { longTest } from '../support/long-test.ts'
import { indexRecording, SCHEMA } from '../support/templates.ts'

const HEIGHTS = 50
/** The recorded chain has 403 blocks: about a hundred partitions. */
const FEW_HEIGHTS = 4
const LAST = 403
const { signal } = new AbortController()

async function convert(url: string, heights: number) {
  const client = await openPartitioner(url, SCHEMA)
  try {
    return await partitionTables(client, { schema: SCHEMA, heights, signal })
  } finally {
    await client.end()
  }
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set search_path to ${SCHEMA}`)
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

const countPartitions = async (url: string) =>
  (await query<{ n: number }>(url, `select count(*)::integer as n from pg_inherits where inhparent = 'tx'::regclass`))[0]!.n

/** Txs that the table of hashes lacks or has too much. */
const wrongHashes = (url: string) =>
  query(
    url,
    `(select id, height, hash from tx where hash is not null except select id, height, hash from tx_hash)
     union all (select id, height, hash from tx_hash except select id, height, hash from tx)`,
  )

let oracle: Record<string, string>
before(async () => {
  oracle = await digestOf(devnetUrl)
})

/** Cutting the tables moves the version of the registry, so that the writer starts over. It is no fact of the chain. */
async function digestOfCut(url: string): Promise<Record<string, string>> {
  await query(url, 'update head set registry_version = registry_version - 1')
  return digestOf(url)
}

/** The supervisor of the indexer starts over when the tables were cut under the writer. */
async function indexRetrying(url: string): Promise<void> {
  await indexRecording(url, 'devnet', { rollups: true, batchBlocks: 3 }).catch((error) => {
    assert.equal(error.code, 'head_moved')
    return indexRetrying(url)
  })
}

const cut = new Map<number, Promise<string>>()

/** The recorded chain, indexed into partitions of so many heights; one index for all that ask for the same. */
function indexCut(heights: number): Promise<string> {
  const make = async () => {
    const url = await freshDatabase()
    await convert(url, heights)
    await indexRecording(url, 'devnet', { rollups: true })
    return url
  }
  const url = cut.get(heights) ?? make()
  cut.set(heights, url)
  return url
}

/** Indexing into partitions of so many heights gives the tables of a plain index. */
function testCut(heights: number): void {
  describe(`an index in partitions of ${heights} heights`, () => {
    let url: string
    before(async () => {
      url = await indexCut(heights)
    })

    test('holds the same rows as plain tables', async () => {
      assert.ok((await countPartitions(url)) > Math.floor(LAST / heights))
      assert.deepEqual(await digestOf(url), oracle)
      assert.deepEqual(await wrongHashes(url), [])
    })

    longTest('takes blocks back over many partitions, and indexes them again', async () => {
      const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, signal)
      await writer.revertTo(310)
      await writer.close()
      assert.deepEqual(
        await query(url, 'select max(height) as top from tx_hash'),
        await query(url, 'select max(height) as top from tx'),
      )
      assert.deepEqual(await wrongHashes(url), [])
      await indexRecording(url, 'devnet', { rollups: true })
      assert.deepEqual(await digestOf(url), oracle)
      assert.deepEqual(await wrongHashes(url), [])
    })
  })
}

/** Tests of the default run. */
export function testPartitions(): void {
  testCut(HEIGHTS)

  test('a kill while partitions are being made leaves nothing behind', async () => {
    const url = await freshDatabase('devnet')
    await convert(url, 100)
    const layout = await query(url, 'select * from partitioning')
    const attached = await countPartitions(url)
    const [client, holder] = [await openPartitioner(url, SCHEMA), await openPartitioner(url, SCHEMA)]
    client.on('error', () => {})
    // Someone analyzes the last of the tables: what comes before is done when the kill comes.
    await holder.query('begin; lock table block_txs in share update exclusive mode')
    const { pid } = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!
    const making = assert.rejects(makePartitions(client, 900))
    for (;;) {
      const [row] = await query<{ n: string }>(url, 'select count(*) as n from pg_locks where pid = $1 and not granted', [pid])
      if (row!.n === '1') break
    }
    await query(url, 'select pg_terminate_backend($1)', [pid])
    await making
    await holder.query('rollback')
    assert.deepEqual(await query(url, 'select * from partitioning'), layout)
    assert.equal(await countPartitions(url), attached)
    assert.equal((await makePartitions(holder, 900))!.made_to, 1000)
    assert.equal(await countPartitions(url), attached + 3)
    await holder.end()
  })

  describe('old partitions that are detached', () => {
    let url: string
    let api: TestApi
    before(async () => {
      url = await indexCut(HEIGHTS)
      api = await openTestApi({ url })
    })
    after(() => api.close())

    const detach = async (below: number) => {
      const client = await openPartitioner(url, SCHEMA)
      try {
        return await detachBelow(client, SCHEMA, below)
      } finally {
        await client.end()
      }
    }

    test('the remembered id of a hash is not believed when another tx has it, as after a fork', async () => {
      const partitions: PartitionMap = {}
      const db = openReader({ url, schema: SCHEMA, max: 1, partitions })
      partitions.layout = (await findHead(db))!.layout ?? undefined
      const [tx, other] = await db<{ id: number; hash: Buffer }[]>`
      select id, hash from tx where height = 150 and hash is not null order by id limit 2`
      const find = async () => (await findTx(db, tx!.hash))!.tx_id
      assert.equal(await find(), tx!.id)
      const known = partitions.known!
      assert.deepEqual([...known.values()], [tx!.id])
      for (const key of known.keys()) known.set(key, other!.id)
      assert.equal(await find(), tx!.id)
      assert.deepEqual([...known.values()], [tx!.id])
      await db.end()
    })

    test('heights that can be taken back stay', async () => {
      await assert.rejects(detach(400), { code: 'heights_in_use' })
    })

    test('leave their tables, a clear answer, and lists that begin above them', async () => {
      const txs = async (path: string) => (await api.get(path)).json() as { hash: string; height: number }[]
      const [old] = await txs('/v1/tx?height=90&limit=1')
      const kept = await api.get('/v1/tx?height=150&limit=20')
      const channels = await api.get('/v1/ibc/channel?sort=asc')
      assert.match(channels.text, /"height":80,.*"created_tx_hash":"[0-9a-f]{64}"/)
      type Paths = Record<string, { get?: { responses: Record<string, unknown> } }>
      const { paths } = JSON.parse((await api.get('/openapi.json')).text) as { paths: Paths }
      assert.deepEqual(await detach(120), ['tx_0', 'message_0', 'block_txs_0', 'tx_50', 'message_50', 'block_txs_50'])
      assert.deepEqual(await detach(120), [])
      await api.watch.confirm()
      // Every operation on an old height or tx, and no other, answers as its description says.
      for (const [path, { get }] of Object.entries(paths)) {
        const asked = path.replace('{height}', '90').replace(/^(.v1.tx.)\{hash\}/, `$1${old!.hash}`)
        if (!get || asked.includes('{')) continue
        const answer = await api.get(path === '/v1/tx' ? `${path}?height=90` : asked)
        assert.equal(answer.status === 410, '410' in get.responses, `${path}: ${answer.status} ${answer.text.slice(0, 200)}`)
        if (answer.status === 410) assert.match(answer.text, /below height 100 were detached/)
      }
      assert.equal((await api.get('/v1/block/90?stats=true')).status, 200)
      assert.equal((await api.get('/v1/tx?height=150&limit=20')).text, kept.text)
      assert.equal((await api.get('/v1/ibc/channel?sort=asc')).text, channels.text)
      for (const path of ['/v1/tx?sort=asc&limit=10', '/v1/tx?sort=asc&limit=10&msg_type=MsgPayForBlobs']) {
        const page = await txs(path)
        assert.equal(page.length, 10, path)
        assert.ok(page[0]!.height >= 100 && page[0]!.height < 103, path)
      }
      assert.deepEqual(await query(url, 'select min(height) as first from tx_50 where height >= 50'), [{ first: 50 }])
      // There is no node that could prove the state.
      const failures = api.failures.filter((error) => (error as { code?: string }).code !== 'no_state_proofs')
      assert.deepEqual(failures, [])
    })
  })
}

/** Tests of the long run. */
export function testPartitionsAtLength(): void {
  testCut(FEW_HEIGHTS)

  describe('cutting an index that is in use', () => {
    test('moves no row, and the writer continues', async () => {
      const url = await freshDatabase()
      await indexRecording(url, 'devnet', { rollups: true, until: 250 })
      const files = `select relfilenode from pg_class where oid = any($1::regclass[])`
      const before = await query(url, files, [['tx', 'message', 'block_txs']])
      const [layout] = await Promise.all([convert(url, 10), indexRetrying(url)])
      assert.deepEqual(await query(url, files, [['tx_0', 'message_0', 'block_txs_0']]), before)
      assert.ok(layout.first_end > 250 && layout.first_end < 403)
      assert.deepEqual(await digestOfCut(url), oracle)
      assert.deepEqual(await wrongHashes(url), [])
    })

    test('a run that is killed is continued by the next one', async () => {
      const url = await freshDatabase('devnet')
      for (const step of ['checking message', 'copying hashes', 'exchanging the tables']) {
        const client = await openPartitioner(url, SCHEMA)
        client.on('error', () => {})
        const { pid } = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!
        let kill: Promise<unknown> = Promise.resolve()
        const onStep = (name: string) => {
          if (name === step) kill = query(url, 'select pg_terminate_backend($1)', [pid])
        }
        await partitionTables(client, { schema: SCHEMA, heights: 50, signal, onStep }).catch(() => {})
        await kill
        await client.end().catch(() => {})
      }
      assert.equal((await convert(url, 50)).first_end, 500)
      assert.deepEqual(await digestOfCut(url), oracle)
      assert.deepEqual(await wrongHashes(url), [])
    })

    test('one that is never finished does not stop the writer', async () => {
      const url = await freshDatabase()
      await indexRecording(url, 'devnet', { rollups: true, until: 100 })
      const client = await openPartitioner(url, SCHEMA)
      const stopped = new AbortController()
      const onStep = (name: string) => name === 'checking block_txs' && stopped.abort(new Error('stopped'))
      await assert.rejects(partitionTables(client, { schema: SCHEMA, heights: 40, signal: stopped.signal, onStep }))
      await client.end()
      await assert.rejects(indexRecording(url, 'devnet', { rollups: true }), { code: 'partitioning_overtaken' })
      await indexRecording(url, 'devnet', { rollups: true })
      assert.deepEqual(await digestOf(url), oracle)
      assert.equal((await convert(url, FEW_HEIGHTS)).is_active, true)
      assert.deepEqual(await wrongHashes(url), [])
    })
  })
}
