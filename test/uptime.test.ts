import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createSeededRandom } from '../src/lib/random.ts'
import { fillSignatures } from '../src/store/audit/fill-signatures.ts'
import { type Db, openReader } from '../src/store/db.ts'
import { type Dataset, type Row, readDataset } from '../src/store/export/dataset.ts'
import { signatures, uptimeHours } from '../src/store/export/staking.ts'
import { readUptime } from '../src/store/read/uptime.ts'
import { Writer } from '../src/store/write/writer.ts'
import { freshDatabase } from './support/database.ts'
import { generateChain } from './support/generated-chain.ts'
import { SCHEMA } from './support/templates.ts'
import { openWriterSql } from './support/writer-sql.ts'

/** Some days: blocks come every few minutes, and now and then the chain stands still for hours. */
const LENGTH = 700
const START = Date.parse('2026-01-30T21:10:00Z') / 1000
const BASE = { chainId: 'generated', genesisHash: '00' }

describe('uptime of validators over any period', () => {
  let url: string
  let db: Db
  let end = 0
  /** by signed height */
  const blocks: { time: number; signers: Set<number> }[] = []
  before(async () => {
    url = await freshDatabase()
    const chain = generateChain({
      seed: 5,
      gapOf: (random) => (random() < 0.98 ? 200 + random() * 400 : random() * 5 * 3600),
      txsPerBlock: 0,
    })
    const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, new AbortController().signal)
    await writer.commitGenesis(chain.next().value!, BASE)
    for (let height = 1; height <= LENGTH; height += 50)
      await writer.commit(Array.from({ length: Math.min(50, LENGTH - height + 1) }, () => chain.next().value!))
    await writer.settled()
    await writer.close()
    db = openReader({ url, schema: SCHEMA, max: 1, statementTimeoutMs: 60_000 })
    const rows = await db<{ height: number; time: number; signed: number[] }[]>`
      select b.height, extract(epoch from b.time)::double precision as time,
             array(select v.id from validator v where v.id < octet_length(b.signers) * 8 and get_bit(b.signers, v.id::bigint) = 1) as signed
      from block b order by b.height`
    for (const [i, { time }] of rows.entries())
      if (i > 0 && i < rows.length - 1) blocks[i] = { time, signers: new Set(rows[i + 1]!.signed) }
    end = Math.ceil(rows.at(-1)!.time)
  })
  after(() => db.end())

  /** Block by block, with the set of each height as the chain changes it. */
  async function recount(from: number, to: number) {
    const counts = new Map<number, { expected: number; signed: number }>()
    let heights = 0
    for (const [height, block] of blocks.entries()) {
      if (!block || block.time < from || block.time >= to) continue
      heights++
      for (const id of [1, 2, 3, 4]) {
        const isMember = id !== 4 || height <= 2 || (height - 2) % 40 < 20
        const count = counts.get(id) ?? { expected: 0, signed: 0 }
        if (isMember) count.expected++
        if (block.signers.has(id)) count.signed++
        if (count.expected > 0) counts.set(id, count)
      }
    }
    return { heights, counts: [...counts].sort(([a], [b]) => a - b) }
  }

  const told = async (from: number, to: number) => {
    const uptime = await readUptime(db, { from, to })
    return {
      heights: uptime ? uptime.last_height - uptime.first_height + 1 : 0,
      counts: (uptime?.validators ?? []).map(({ id, expected, signed }) => [id, { expected, signed }]),
    }
  }

  const periods = (count: number) => {
    const random = createSeededRandom(9)
    const moment = () => START + Math.floor(random() * (end - START + 100))
    return Array.from({ length: count }, () => [moment(), moment()].sort((a, b) => a - b) as [number, number])
  }

  test('is that of a count block by block: whole days, parts of an hour, and nothing', async () => {
    const day = Date.parse('2026-01-31T00:00:00Z') / 1000
    for (const [from, to] of [
      [START, end + 10],
      [day, day + 86_400],
      [day, day + 3600],
      [end + 5, end + 9],
      ...periods(40),
    ] as const)
      assert.deepEqual(await told(from, to), await recount(from, to), `${from} to ${to}`)
    const all = await readUptime(db, {})
    assert.equal(all!.validators.length, 4)
    assert.ok(all!.validators.every(({ expected, signed }) => signed < expected && signed > expected / 2))
  })

  test('the datasets have the same counts', async () => {
    const rowsOf = async (dataset: Dataset) => {
      const found: Row[] = []
      for (const [from, to] of [
        [0, 299],
        [300, LENGTH],
      ] as const)
        for await (const piece of readDataset(db, dataset, { from, to })) found.push(...piece)
      return found
    }
    const sums = new Map<number, [number, number, number]>()
    for (const { validator_id: id, expected, signed, missed } of (await rowsOf(uptimeHours)) as Record<string, number>[]) {
      const [e, s, m] = sums.get(id!) ?? [0, 0, 0]
      sums.set(id!, [e + expected!, s + signed!, m + missed!])
    }
    // The hour of the last block has not ended.
    const lastHour = Math.floor(blocks.at(-1)!.time / 3600) * 3600
    const whole = blocks.findLastIndex((block, height) => block && (blocks[height + 1]?.time ?? end) < lastHour)
    const expected = new Map<number, [number, number, number]>()
    for (const { signed_height: height, signed, missed } of await rowsOf(signatures)) {
      if ((height as number) > whole) continue
      const lists = [signed, missed].map((list) => JSON.parse(list as string) as number[])
      for (const [i, list] of lists.entries())
        for (const id of list) {
          const [e, s, m] = expected.get(id) ?? [0, 0, 0]
          expected.set(id, [e + 1, i === 0 ? s + 1 : s, i === 1 ? m + 1 : m])
        }
    }
    assert.deepEqual([...sums].sort(), [...expected].sort())
    const counted = await recount(START, blocks[whole]!.time + 1)
    assert.deepEqual(
      counted.counts,
      [...sums].sort().map(([id, [e, s]]) => [id, { expected: e, signed: s }]),
    )
  })

  test('buckets that an older version did not keep are read block by block until they are filled', async () => {
    const sql = openWriterSql(url, SCHEMA)
    const before = await sql`select frame, time, signed from signature_bucket order by 1, 2`
    await sql`delete from signature_bucket where time < ${new Date((START + end) * 500)}`
    for (const [from, to] of periods(10)) assert.deepEqual(await told(from, to), await recount(from, to))
    await fillSignatures(url, SCHEMA)
    assert.deepEqual(await sql`select frame, time, signed from signature_bucket order by 1, 2`, before)
    for (const [from, to] of periods(10)) assert.deepEqual(await told(from, to), await recount(from, to))
    await sql.end()
  })
})
