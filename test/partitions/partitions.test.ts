import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { partitionTables } from '../../src/store/partitions/convert.ts'
import { openPartitioner } from '../../src/store/partitions/make.ts'
import { Writer } from '../../src/store/writer.ts'
import { devnetUrl, freshDatabase } from '../support/database.ts'
import { digestOf } from '../support/digest.ts'
import { indexRecording, SCHEMA } from '../support/templates.ts'

/** The recorded chain has 403 blocks: about a hundred partitions. */
const HEIGHTS = 4
const { signal } = new AbortController()

async function convert(url: string, heights = HEIGHTS) {
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

describe('an index in a hundred partitions', () => {
  let url: string
  before(async () => {
    url = await freshDatabase()
    await convert(url)
    await indexRecording(url, 'devnet', { rollups: true })
  })

  test('holds the same rows as plain tables', async () => {
    assert.ok((await countPartitions(url)) > 100)
    assert.deepEqual(await digestOf(url), oracle)
    assert.deepEqual(await wrongHashes(url), [])
  })

  test('takes blocks back over many partitions, and indexes them again', async () => {
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
