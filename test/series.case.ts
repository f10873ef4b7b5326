import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createSeededRandom, type Random } from '../src/lib/random.ts'
import { checkSeries } from '../src/store/audit/series-checks.ts'
import { type Db, openReader } from '../src/store/db.ts'
import type { PackedBlock } from '../src/store/pack/packed-block.ts'
import { fillRollups } from '../src/store/rollups/fill.ts'
import { Writer } from '../src/store/write/writer.ts'
import { freshDatabase } from './support/database.ts'
import { digestOf } from './support/digest.ts'
import { type GeneratedChainOptions, generateChain, generatedAccount, generatedNamespace } from './support/generated-chain.ts'
import { SCHEMA } from './support/templates.ts'
import { openWriterSql } from './support/writer-sql.ts'

/** Mostly seconds, now and then minutes, rarely days: buckets of all lengths begin and end. */
const gapOf = (random: Random) => {
  const kind = random()
  return kind < 0.85 ? 1 + random() * 11 : kind < 0.97 ? random() * 1800 : random() * 9 * 86_400
}

const CHAIN: GeneratedChainOptions = { seed: 7, gapOf, effectRate: 0.5 }
const IDENTITY = { chainId: 'generated', genesisHash: '00' }
const BUCKETS = [
  'block_bucket',
  'extreme_bucket',
  'message_bucket',
  'blob_size_bucket',
  'square_bucket',
  'signature_bucket',
  'namespace_bucket',
  'address_bucket',
  'rollup_bucket',
  'rollup_namespace',
  'staking_bucket',
  'stake_month',
  'reward_mark',
  'commission_withdrawn',
  'ibc_bucket',
  'hl_bucket',
]

function takeBlocks(options: GeneratedChainOptions, to: number): PackedBlock[] {
  const blocks: PackedBlock[] = []
  for (const block of generateChain(options)) {
    blocks.push(block)
    if (block.height === to) return blocks
  }
  return blocks
}

/** Two rollups that share some blobs, and one that nobody uses. */
async function registerRollups(url: string): Promise<void> {
  const sql = openWriterSql(url, SCHEMA)
  const bytes = (hex: string) => Buffer.from(hex, 'hex')
  await sql`insert into rollup (id, name, slug, verified) values (1, 'One', 'one', true), (2, 'Two', 'two', true), (3, 'Three', 'three', true)`
  await sql`
    insert into rollup_provider (rollup_id, position, address, namespace)
    values (1, 0, null, ${bytes(generatedNamespace(1))}), (1, 1, null, ${bytes(generatedNamespace(2))}),
           (2, 0, ${bytes(generatedAccount(3))}, null), (3, 0, ${bytes('00'.repeat(20))}, null)`
  await sql.end()
}

async function writeBlocks(url: string, blocks: PackedBlock[], random: Random, undo?: { at: number; to: number }): Promise<void> {
  const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, new AbortController().signal)
  try {
    if (blocks[0]?.height === 0) await writer.commitGenesis(blocks[0], IDENTITY)
    for (let at = blocks[0]?.height === 0 ? 1 : 0; at < blocks.length; ) {
      const size = 1 + Math.floor(random() * 40)
      await writer.commit(blocks.slice(at, at + size))
      at += size
    }
    await writer.settled()
    if (undo) await writer.revertTo(undo.to)
  } finally {
    await writer.close()
  }
}

const violationsOf = async (sql: Db) => {
  const found: string[] = []
  for await (const { check, detail } of checkSeries(sql)) found.push(`${check}: ${detail}`)
  return found
}

const bucketsOf = async (url: string) => {
  const digests = await digestOf(url, { undo: false })
  return Object.fromEntries(BUCKETS.map((table) => [table, digests[table]]))
}

/** In slices of a few blobs, so that buckets come together from many. */
async function fill(client: pg.Client, ids: number[]): Promise<void> {
  await client.query('insert into rollup_fill (rollup_id) select unnest($1::integer[])', [ids])
  await fillRollups(client, SCHEMA, 7)
}

/** `length`: of the chain; `tampered`: how many tables are tampered with. */
export const testSeries = ({ length, tampered: most }: { length: number; tampered: number }): Promise<void> =>
  describe('time series', () => {
    let url: string
    let sql: Db
    before(async () => {
      url = await freshDatabase()
      await registerRollups(url)
      await writeBlocks(url, takeBlocks(CHAIN, length), createSeededRandom(1))
      sql = openReader({ url, schema: SCHEMA, max: 1, statementTimeoutMs: 60_000 })
    })
    after(() => sql.end())

    test('every bucket equals a recompute from the base tables', async () => {
      assert.deepEqual(await violationsOf(sql), [])
      for (const table of BUCKETS) {
        const [row] = await sql.unsafe<{ rows: number }[]>(`select count(*) as rows from ${table}`)
        assert.ok(row!.rows > 0, `${table} has rows`)
      }
    })

    test('one block at a time gives the same buckets as batches', async () => {
      const other = await freshDatabase()
      await registerRollups(other)
      await writeBlocks(other, takeBlocks(CHAIN, length), () => 0)
      assert.deepEqual(await bucketsOf(other), await bucketsOf(url))
    })

    test('after a fork of 50 blocks in the middle of an hour every bucket equals that of a clean run', async () => {
      const steady: GeneratedChainOptions = { seed: 11, gapOf: () => 6, effectRate: 0.5 }
      const forked: GeneratedChainOptions = { ...steady, fork: { height: 101, seed: 12 } }
      const [withFork, clean] = await Promise.all([freshDatabase(), freshDatabase()])
      await Promise.all([withFork, clean].map(registerRollups))
      await writeBlocks(withFork, takeBlocks(steady, 150), createSeededRandom(2), { at: 150, to: 100 })
      await writeBlocks(withFork, takeBlocks(forked, 180).slice(101), createSeededRandom(3))
      await writeBlocks(clean, takeBlocks(forked, 180), createSeededRandom(4))
      assert.deepEqual(await bucketsOf(withFork), await bucketsOf(clean))
    })

    test(`a bucket that was tampered with is found, in ${most} tables`, async () => {
      const tampered = await freshDatabase()
      await writeBlocks(tampered, takeBlocks(CHAIN, 150), createSeededRandom(5))
      await registerRollups(tampered)
      const client = new pg.Client({ connectionString: tampered, options: `-c search_path=${SCHEMA} -c timezone=UTC` })
      const reader = openReader({ url: tampered, schema: SCHEMA, max: 1 })
      await client.connect()
      await fill(client, [1])
      const changes: Record<string, string> = {
        block_bucket: 'tps_max = tps_max + 1',
        extreme_bucket: 'tx_fee_max = tx_fee_max + 1',
        message_bucket: 'count = count + 1',
        blob_size_bucket: 'size_2 = size_2 + 1',
        square_bucket: 'blocks = blocks + 1',
        signature_bucket: 'signed[1] = coalesce(signed[1], 0) + 1',
        namespace_bucket: 'pfb_count = pfb_count + 1',
        address_bucket: 'fee = fee + 1',
        rollup_bucket: 'fee = fee + 1',
        rollup_namespace: 'size = size + 1',
        staking_bucket: 'unbondings = unbondings + 1',
        stake_month: 'stake = stake + 1',
        reward_mark: 'rewards = rewards + 1',
        commission_withdrawn: 'amount = amount + 1',
        ibc_bucket: 'sent_count = sent_count + 1',
        hl_bucket: 'received = received + 1',
      }
      assert.deepEqual(Object.keys(changes), BUCKETS)
      try {
        assert.deepEqual(await violationsOf(reader), [])
        for (const [table, change] of Object.entries(changes).slice(0, most)) {
          await client.query(`create temp table kept as select * from ${table}`)
          await client.query(`update ${table} set ${change}`)
          const found = await violationsOf(reader)
          const named = { stake_month: 'stake_month ends', commission_withdrawn: 'reward_mark' }[table] ?? table
          assert.ok(found.length > 0 && found.every((violation) => violation.startsWith(named)), `${table}: ${found[0]}`)
          await client.query(`delete from ${table}`)
          // Hours and days of signatures that are missing are read block by block and filled later.
          if (named === table && table !== 'signature_bucket') {
            const missing = await violationsOf(reader)
            assert.ok(missing.length > 0, `${table}: missing rows are found`)
          }
          await client.query(`insert into ${table} select * from kept`)
          await client.query('drop table kept')
        }
      } finally {
        await client.end()
        await reader.end()
      }
    })

    test('buckets of a rollup that is registered later equal those kept from the beginning', async () => {
      const later = await freshDatabase()
      await writeBlocks(later, takeBlocks(CHAIN, length), createSeededRandom(6))
      await registerRollups(later)
      const client = new pg.Client({ connectionString: later, options: `-c search_path=${SCHEMA} -c timezone=UTC` })
      await client.connect()
      try {
        await fill(client, [1, 2, 3])
      } finally {
        await client.end()
      }
      assert.deepEqual(await bucketsOf(later), await bucketsOf(url))
    })
  })
