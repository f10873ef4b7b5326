import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Db, openReader } from '../src/store/db.ts'
import type { PackedBlock } from '../src/store/pack/pack-block.ts'
import { countMessages24h, listSizeGroups } from '../src/store/read/stats/recent.ts'
import { Writer } from '../src/store/writer.ts'
import { messageTypeId } from '../src/types/message-type.ts'
import { freshDatabase } from './support/database.ts'
import { generateChain } from './support/generated-chain.ts'
import { SCHEMA } from './support/templates.ts'

const LIMITS = [0, 1000, 10_000, 100_000, 1_000_000, 100_000_000]

describe('the last 24 hours of a chain of two days', () => {
  let sql: Db
  let now: string
  before(async () => {
    const url = await freshDatabase()
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
})
