import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Db, openReader } from '../src/store/db.ts'
import type { PackedBlock } from '../src/store/pack/packed-block.ts'
import { countMessages24h, listSizeGroups } from '../src/store/read/stats/recent.ts'
import { listRollupStats24h } from '../src/store/read/stats/rollup.ts'
import { listRollupDay } from '../src/store/read/stats/rollup-day.ts'
import { Writer } from '../src/store/write/writer.ts'
import { messageTypeId } from '../src/types/message-type.ts'
import { freshDatabase } from './support/database.ts'
import { generateChain, generatedNamespace } from './support/generated-chain.ts'
import { SCHEMA } from './support/templates.ts'
import { openWriterSql } from './support/writer-sql.ts'

const LIMITS = [0, 1000, 10_000, 100_000, 1_000_000, 100_000_000]

/** Two rollups that share some blobs, and one that waits for an operator. */
async function registerRollups(url: string): Promise<void> {
  const sql = openWriterSql(url, SCHEMA)
  const bytes = (hex: string) => Buffer.from(hex, 'hex')
  await sql`insert into rollup (id, name, slug, verified) values (1, 'One', 'one', true), (2, 'Two', 'two', true), (3, 'Three', 'three', false)`
  await sql`
    insert into rollup_provider (rollup_id, position, address, namespace)
    values (1, 0, null, ${bytes(generatedNamespace(1))}), (2, 0, null, ${bytes(generatedNamespace(1))}),
           (2, 1, null, ${bytes(generatedNamespace(2))}), (3, 0, null, ${bytes(generatedNamespace(3))})`
  await sql.end()
}

describe('the last 24 hours of a chain of two days', () => {
  let sql: Db
  let now: string
  before(async () => {
    const url = await freshDatabase()
    await registerRollups(url)
    const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, new AbortController().signal)
    // The head stands in the middle of an hour, and so does the beginning of its day.
    const blocks: PackedBlock[] = []
    for (const block of generateChain({ seed: 9, gapOf: () => 1190, start: '2026-02-27T03:10:00Z' })) {
      blocks.push(block)
      if (block.height === 145) break
    }
    const [genesis, ...rest] = blocks
    await writer.commitGenesis(genesis!, { chainId: 'generated', genesisHash: '00' })
    for (let at = 0; at < rest.length; at += 29) await writer.commit(rest.slice(at, at + 29))
    await writer.settled()
    await writer.close()
    sql = openReader({ url, schema: SCHEMA, max: 2 })
    const [head] = await sql<{ time: string }[]>`select time from block order by height desc limit 1`
    now = head!.time
  })
  after(() => sql.end())

  test('messages are counted to the block, not to the hour', async () => {
    const rows = await sql<{ type: number; value: number }[]>`
      select type, count(*) as value from message where time > ${now}::timestamptz - interval '1 day' group by type`
    const [hours] = await sql<{ value: number }[]>`
      select sum(count)::bigint as value from message_bucket where time > ${now}::timestamptz - interval '1 day'`
    const counts = await countMessages24h(sql, now)
    assert.deepEqual(
      new Map(counts.map(({ name, value }) => [messageTypeId(name), value])),
      new Map(rows.map(({ type, value }) => [type, value])),
    )
    const total = counts.reduce((sum, { value }) => sum + value, 0)
    assert.ok(total > hours!.value, 'the day began within an hour that has messages')
    assert.deepEqual(
      counts.map(({ value }) => value),
      counts.map(({ value }) => value).sort((a, b) => b - a),
    )
  })

  test('blobs are counted to the block, not to the hour', async () => {
    const blobs = await sql<{ size: number }[]>`
      select size from blob where time > ${now}::timestamptz - interval '1 day'`
    assert.ok(blobs.length > 0)
    const groups = await listSizeGroups(sql, now)
    assert.deepEqual(
      groups.map(({ count, size, avg_size }) => [count, size, avg_size]),
      LIMITS.slice(1).map((limit, i) => {
        const sizes = blobs.map(({ size }) => size).filter((size) => size > LIMITS[i]! && size <= limit)
        const sum = sizes.reduce((total, size) => total + size, 0)
        return [sizes.length, sum, sizes.length === 0 ? 0 : Math.ceil(sum / sizes.length)]
      }),
    )
    const [hours] = await sql<{ value: number }[]>`
      select sum(count_1 + count_2 + count_3 + count_4 + count_5)::bigint as value
      from blob_size_bucket
      where time > ${now}::timestamptz - interval '1 day'`
    assert.ok(blobs.length > hours!.value, 'the day began within an hour that has blobs')
  })

  type Sums = { blobs: number; size: number; fee: number; pfbs: number }

  /** Over the blobs of the day that are posted to some namespaces of the generated chain, or to all others. */
  const sumOf = async (namespaces: number[], { others = false } = {}): Promise<Sums> => {
    const ids = namespaces.map((i) => generatedNamespace(i).slice(2))
    const [row] = await sql<Sums[]>`
      select count(*) as blobs, sum(b.size)::bigint as size, sum(b.fee)::float8 as fee, count(distinct b.message_id) as pfbs
      from blob b
      join namespace n on n.id = b.namespace_id
      where b.time > ${now}::timestamptz - interval '1 day' and (encode(n.namespace_id, 'hex') = any(${ids}::text[])) <> ${others}`
    return row!
  }
  const isClose = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b))

  test('rollups and the blobs of none are added up to the block', async () => {
    const rows = await listRollupStats24h(sql, now)
    assert.deepEqual(rows.map(({ id }) => id).sort(), [1, 2, null])
    for (const { id, ...row } of rows) {
      const sums = await (id === null ? sumOf([1, 2], { others: true }) : sumOf(id === 1 ? [1] : [1, 2]))
      assert.deepEqual([row.blobs_count, row.size], [sums.blobs, sums.size], `rollup ${id}`)
      assert.ok(isClose(row.fee, sums.fee), `fee of rollup ${id}`)
      const hours =
        id === null
          ? await sql<{ value: number }[]>`
              select sum(blobs_count - rollup_blobs_count)::bigint as value
              from block_bucket
              where frame = 1 and time > ${now}::timestamptz - interval '1 day'`
          : await sql<{ value: number }[]>`
              select sum(blobs_count)::bigint as value
              from rollup_bucket
              where frame = 1 and rollup_id = ${id} and time > ${now}::timestamptz - interval '1 day'`
      assert.ok(row.blobs_count > hours[0]!.value, `the day began within an hour that has blobs of rollup ${id}`)
    }
  })

  test('the day board is over the same blobs', async () => {
    const rows = await listRollupDay(sql, { now, limit: 10, offset: 0, sort: 'asc', sort_by: 'blobs_count' })
    assert.deepEqual(
      rows.map(({ id }) => id),
      [1, 2],
    )
    for (const row of rows) {
      const sums = await sumOf(row.id === 1 ? [1] : [1, 2])
      assert.deepEqual(
        [row.blobs_count, row.total_size, row.pfb_count, row.namespace_count],
        [sums.blobs, sums.size, sums.pfbs, row.id],
      )
      assert.ok(isClose(Number(row.total_fee), sums.fee))
      assert.equal(row.throughput, Math.ceil(sums.size / 86_400))
      assert.ok(sums.size % sums.blobs > 0)
      assert.equal(row.avg_size, Math.floor(sums.size / sums.blobs))
    }
  })
})
