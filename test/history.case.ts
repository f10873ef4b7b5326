import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseRawBlock } from '../src/chain/parse.ts'
import { openRecordingSource } from '../src/chain/recording/source.ts'
import type { RawBlock } from '../src/chain/source.ts'
import { deriveBlock } from '../src/derive/block.ts'
import { deriveGenesis } from '../src/derive/genesis.ts'
import { packagePath } from '../src/lib/package-path.ts'
import { createSeededRandom } from '../src/lib/random.ts'
import { DEMO_PROFILE, demoGenesisTime, demoPast } from '../src/simulation/generated/demo.ts'
import { ChainGenerator } from '../src/simulation/generated/generator.ts'
import { runChecks } from '../src/store/audit/check.ts'
import { historyChecks } from '../src/store/audit/history-checks.ts'
import { type Db, openReader } from '../src/store/db.ts'
import { firstId } from '../src/store/pack/id.ts'
import { packBlock } from '../src/store/pack/pack-block.ts'
import { findHistoryStart, listBalancesAt, listSupply } from '../src/store/read/history/balances.ts'
import { listStakeChanges } from '../src/store/read/history/stake.ts'
import { Writer } from '../src/store/write/writer.ts'
import { readForged, toRaw } from './live/branches.ts'
import { devnetUrl, freshDatabase } from './support/database.ts'
import { digestOf } from './support/digest.ts'
import { longTest } from './support/long-test.ts'
import { indexRecording, SCHEMA } from './support/templates.ts'
import { openWriterSql } from './support/writer-sql.ts'

/** Books of all accounts without zeros: one line per account and denomination, per denomination, and per validator. */
type Books = { accounts: string[]; supply: string[]; validators: string[] }

async function readPresent(sql: Db): Promise<Books> {
  const accounts = await sql<{ line: string }[]>`
    select concat_ws(' ', id, 'utia', spendable, delegated, unbonding) as line
    from address where (spendable, delegated, unbonding) <> (0, 0, 0)
    union all
    select concat_ws(' ', address_id, denom, amount, 0, 0) from balance where amount <> 0`
  const supply = await sql<{ line: string }[]>`select concat_ws(' ', denom, amount) as line from supply where amount <> 0`
  const validators = await sql<{ line: string }[]>`select concat_ws(' ', id, stake) as line from validator where stake <> 0`
  const lines = (rows: { line: string }[]) => rows.map(({ line }) => line).sort()
  return { accounts: lines(accounts), supply: lines(supply), validators: lines(validators) }
}

/** Books at a past height, from the history. */
async function readPast(sql: Db, height: number): Promise<Books> {
  const books: Books = { accounts: [], supply: [], validators: [] }
  for (const { id } of await sql<{ id: number }[]>`select id from address order by id`)
    for (const { currency, spendable, delegated, unbonding } of await listBalancesAt(sql, id, height))
      if (spendable !== '0' || delegated !== '0' || unbonding !== '0')
        books.accounts.push([id, currency, spendable, delegated, unbonding].join(' '))
  for (const { currency, amount } of await listSupply(sql, height)) if (amount !== '0') books.supply.push(`${currency} ${amount}`)
  for (const { id } of await sql<{ id: number }[]>`select id from validator order by id`) {
    const [last] = await listStakeChanges(sql, {
      validatorId: id,
      limit: 1,
      offset: 0,
      cursor: firstId(height + 1),
      sort: 'desc',
    })
    if (last && last.stake !== '0') books.validators.push(`${id} ${last.stake}`)
  }
  for (const lines of Object.values(books)) lines.sort()
  return books
}

/** Coins of all accounts together, in the form of the supply. */
function sumOf({ accounts }: Books): string[] {
  const sums = new Map<string, bigint>()
  for (const line of accounts) {
    const [, denom, spendable] = line.split(' ')
    sums.set(denom!, (sums.get(denom!) ?? 0n) + BigInt(spendable!))
  }
  return Array.from(sums, ([denom, amount]) => `${denom} ${amount}`).sort()
}

/** Indexes to each height in turn, then asks the whole index for all of them. */
async function compare(heights: readonly number[], genesis: unknown, raw: RawBlock[]): Promise<void> {
  const { facts, chainId } = deriveGenesis(genesis)
  const blocks = raw.map((block) => packBlock(deriveBlock(parseRawBlock(block, { chainId }))))
  const url = await freshDatabase()
  const sql = openReader({ url, schema: SCHEMA, max: 2 })
  const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 10 }, new AbortController().signal)
  try {
    await writer.commitGenesis(packBlock(facts), { chainId, genesisHash: '00' })
    const live = new Map([[0, await readPresent(sql)]])
    for (const height of heights) {
      await writer.commit(blocks.slice(writer.head!.last_height, height))
      await writer.settled()
      live.set(height, await readPresent(sql))
    }
    for (const [height, present] of live) {
      assert.deepEqual(await readPast(sql, height), present, `height ${height}`)
      assert.deepEqual(sumOf(present), present.supply, `supply at height ${height}`)
    }
    for await (const { check, violations } of runChecks(sql, historyChecks)) assert.deepEqual(violations, [], check.name)
  } finally {
    await writer.close()
    await sql.end()
  }
}

type Heights = readonly [recording: string, heights: readonly number[]]

/** Recordings with the heights that are compared, and those of a generated chain. */
export const testHistory = (recordings: readonly Heights[], generated: readonly number[]): Promise<void> =>
  describe('the history of a whole index says at a height what an index to that height says', () => {
    for (const [name, heights] of recordings)
      test(`recording ${name}`, async () => {
        const source = await openRecordingSource(packagePath('data/recordings', name))
        const genesis = JSON.parse(Buffer.from(await source.genesis(new AbortController().signal)).toString())
        await source.close()
        await compare(heights, genesis, toRaw(await readForged(name, 1, heights.at(-1)!)))
      })

    longTest('a generated chain', async () => {
      const now = Date.parse('2026-11-15T12:00:00Z')
      const times = [...demoPast(now, createSeededRandom(1))].slice(0, generated.at(-1))
      const generator = new ChainGenerator({
        chainId: 'astrolabe-generated-1',
        genesisTime: demoGenesisTime(now),
        profile: DEMO_PROFILE,
      })
      const blocks = toRaw(times.map((time) => generator.next(time)))
      await compare(generated, JSON.parse(Buffer.from(generator.genesis).toString()), blocks)
    })
  })

/** Tests of the default run. */
export function testCauses(): void {
  test('causes agree with what other tables say of the same chain', async () => {
    const sql = openReader({ url: devnetUrl, schema: SCHEMA, max: 1 })
    const sumOfCause = async (part: string, cause: string) => {
      const [row] = await sql<{ sum: string }[]>`
      select coalesce(sum(c.amount), 0) as sum
      from balance_change c
      join balance_change_type t on t.id = c.type_id
      join address a on a.id = c.address_id and a.name is null
      where t.part = ${part} and t.cause = ${cause} and t.denom = 'utia' and c.id >= ${firstId(1)}`
      return row!.sum
    }
    const one = async (query: Promise<readonly { sum: string }[]>) => (await query)[0]!.sum
    try {
      assert.equal(await sumOfCause('spendable', 'fee'), await one(sql`select -sum(fee) as sum from tx`))
      assert.equal(
        await sumOfCause('spendable', 'reward'),
        await one(sql`select -sum(amount) as sum from staking_log where type = 'rewards'`),
      )
      assert.equal(
        await sumOfCause('spendable', 'commission'),
        await one(sql`select -sum(amount) as sum from staking_log where type = 'commissions'`),
      )
      assert.equal(await sumOfCause('spendable', 'unbonded'), String(-BigInt(await sumOfCause('unbonding', 'unbonded'))))
      assert.equal(await sumOfCause('spendable', 'delegation'), String(-BigInt(await sumOfCause('delegated', 'delegation'))))
      assert.equal(await sumOfCause('spendable', 'transfer'), '0')
    } finally {
      await sql.end()
    }
  })

  longTest(
    'an index that was made without history keeps it from the next block on, and a rollback to there leaves no trace',
    async () => {
      const url = await freshDatabase()
      await indexRecording(url, 'devnet', { until: 80 })
      const old = openWriterSql(url, SCHEMA)
      // State of tables that an older release leaves behind.
      await old`truncate balance_change, balance_change_type, stake_change, history_span`
      await old.end()
      const sql = openReader({ url, schema: SCHEMA, max: 2 })
      try {
        const before = await readPresent(sql)
        const digest = await digestOf(url, { undo: false })
        await indexRecording(url, 'devnet', { until: 100 })
        assert.equal(await findHistoryStart(sql), 80)
        const { accounts, supply } = await readPast(sql, 80)
        assert.deepEqual([accounts, supply], [before.accounts, before.supply])
        for await (const { check, violations } of runChecks(sql, historyChecks)) assert.deepEqual(violations, [], check.name)
        const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, new AbortController().signal)
        await writer.revertTo(80)
        await writer.close()
        assert.deepEqual(await digestOf(url, { undo: false }), digest)
      } finally {
        await sql.end()
      }
    },
  )
}
