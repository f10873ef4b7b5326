import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createSeededRandom, type Random } from '../src/lib/random.ts'
import { type Db, openReader } from '../src/store/db.ts'
import { listBlockSeries, listCumulativeSeries } from '../src/store/read/stats/block-series.ts'
import { readTps } from '../src/store/read/stats/recent.ts'
import { listStakingSeries, readStakingDistribution } from '../src/store/read/stats/staking.ts'
import { readSummary } from '../src/store/read/stats/summary.ts'
import { SUMMARY_COLUMNS, type SummaryFunction, type SummaryTable } from '../src/store/read/stats/summary-columns.ts'
import { type Period, type Timeframe, toTime } from '../src/store/read/stats/timeframe.ts'
import { Writer } from '../src/store/write/writer.ts'
import type { CumulativeName, SeriesName } from '../src/types/block-series.ts'
import { freshDatabase } from './support/database.ts'
import { generateChain } from './support/generated-chain.ts'
import { SCHEMA } from './support/templates.ts'

const TIMEFRAMES: Timeframe[] = ['hour', 'day', 'week', 'month', 'year']

/** Reads from buckets must agree with a scan of the base tables. */
describe('statistics read from buckets', () => {
  const random = createSeededRandom(21)
  let sql: Db
  let first: number
  let last: number
  before(async () => {
    const url = await freshDatabase()
    const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, new AbortController().signal)
    const gapOf = (roll: Random) => (roll() < 0.9 ? 5 + roll() * 50 : roll() * 6 * 86_400)
    for (const block of generateChain({ seed: 4, gapOf, effectRate: 0.4, start: '2025-11-28T22:50:00Z' })) {
      if (block.height === 0) await writer.commitGenesis(block, { chainId: 'generated', genesisHash: '00' })
      else await writer.commit([block])
      if (block.height === 300) break
    }
    await writer.settled()
    await writer.close()
    sql = openReader({ url, schema: SCHEMA, max: 2 })
    const [ends] = await sql<{ first: number; last: number }[]>`
      select floor(extract(epoch from min(time)))::bigint as first, ceil(extract(epoch from max(time)))::bigint as last from block`
    first = ends!.first
    last = ends!.last
  })
  after(() => sql.end())

  /** Whole, open at one end, within an hour, beyond the chain, and upside down. */
  const anyPeriod = (): Period => {
    const at = () => Math.floor(first - 9000 + random() * (last - first + 18_000))
    const kind = random()
    if (kind < 0.1) return {}
    if (kind < 0.25) return { from: at() }
    if (kind < 0.4) return { to: at() }
    const from = at()
    if (kind < 0.6) return { from, to: from + Math.floor(random() * 4000) }
    return { from, to: at() }
  }
  const inPeriod = ({ from, to }: Period, column: string) =>
    `${from === undefined ? '' : `and ${column} >= '${toTime(from)}'`} ${to === undefined ? '' : `and ${column} < '${toTime(to)}'`}`
  const scan = async <T>(text: string): Promise<T[]> => [...(await sql.unsafe(text))] as T[]

  const summaries = Object.entries(SUMMARY_COLUMNS).flatMap(([table, columns]) => [
    { table: table as SummaryTable, fn: 'count' as SummaryFunction, column: '' },
    ...Object.entries(columns).flatMap(([column, functions]) =>
      functions.map((fn) => ({ table: table as SummaryTable, fn, column })),
    ),
  ])

  test('every summary equals one over the base rows, whatever the period', async () => {
    for (const { table, fn, column } of summaries)
      for (let i = 0; i < 6; i++) {
        const period = anyPeriod()
        const got = await readSummary(sql, { table, function: fn, column, ...period })
        const what = `${table} ${fn} ${column} ${JSON.stringify(period)}`
        if (column === 'time') assert.equal(got, await scanEnd(table, fn, period), what)
        else assert.equal(got === '' ? '' : Number(got), await scanSummary(table, fn, column, period), what)
      }
  })

  async function scanSummary(table: SummaryTable, fn: SummaryFunction, column: string, period: Period): Promise<number | ''> {
    const source = table === 'block_stats' ? 'block' : table === 'event' ? 'block' : table
    const time = table === 'validator' ? 'creation_time' : 'time'
    const value = fn === 'count' ? (table === 'event' ? 'sum(events_count + tx_events_count)' : 'count(*)') : `${fn}(${column})`
    const events = table === 'event' && fn !== 'count' ? 'and events_count + tx_events_count > 0' : ''
    const [row] = await scan<{ value: string | null }>(
      `select (${value})::text as value from ${source} where true ${inPeriod(period, time)} ${events}`,
    )
    return row!.value === null ? (fn === 'count' ? 0 : '') : Number(row!.value)
  }

  async function scanEnd(table: SummaryTable, fn: SummaryFunction, period: Period): Promise<string> {
    const source = table === 'tx' || table === 'message' ? table : 'block'
    const events = table === 'event' ? 'and events_count + tx_events_count > 0' : ''
    const [row] = await scan<{ value: string | null }>(
      `select ${fn}(time) as value from ${source} where true ${inPeriod(period, 'time')} ${events}`,
    )
    return row!.value ?? ''
  }

  const values: Record<SeriesName, string> = {
    blobs_size: 'sum(blobs_size)',
    blobs_count: 'sum(blobs_count)',
    fee: 'sum(fee)',
    supply_change: 'sum(supply_change)',
    tx_count: 'sum(tx_count)',
    events_count: 'sum(events_count)',
    gas_used: 'sum(gas_used)',
    gas_limit: 'sum(gas_limit)',
    bytes_in_block: 'sum(bytes_in_block)',
    rewards: 'sum(rewards)',
    commissions: 'sum(commissions)',
    block_time: 'avg(block_time)',
    gas_price: 'sum(fee) / nullif(sum(gas_limit), 0)',
    gas_efficiency: 'sum(gas_used) / nullif(sum(gas_limit), 0)',
    tps: 'sum(tx_count) / SECONDS',
    bps: 'sum(blobs_size) / SECONDS',
    rbps: '0 / SECONDS',
  }
  const lengths: Record<Timeframe, string> = {
    hour: '3600.0',
    day: '86400.0',
    week: '604800.0',
    month: "(count(distinct date_trunc('day', time)) * 86400.0)",
    year: "(count(distinct date_trunc('day', time)) * 86400.0)",
  }

  test('every series equals one over the blocks, for all timeframes', async () => {
    for (const [name, value] of Object.entries(values) as [SeriesName, string][])
      for (const timeframe of TIMEFRAMES) {
        const period = anyPeriod()
        const rows = await listBlockSeries(sql, { name, timeframe, ...period })
        const expected = await scan<{ time: string; value: string; max: number; min: number }>(
          `select time, value, max, min
           from (
             select date_trunc('${timeframe}', time) as time, coalesce(${value.replace('SECONDS', lengths[timeframe])}, 0)::float8 as value,
                    max(${extremeOf(name)}) as max, min(${extremeOf(name)}) as min
             from block
             group by 1
           ) bucket
           where true ${inPeriod(period, 'time')}
           order by time desc`,
        )
        const what = `${name} ${timeframe} ${JSON.stringify(period)}`
        assert.deepEqual(
          rows.map(({ time }) => time),
          expected.map(({ time }) => time),
          what,
        )
        rows.forEach((row, i) => {
          assertClose(Number(row.value), Number(expected[i]!.value), what)
          if (name === 'tps' || name === 'bps') {
            assertClose(Number(row.max), expected[i]!.max, what)
            assertClose(Number(row.min), expected[i]!.min, what)
          } else assert.equal(row.max, undefined)
        })
      }
  })

  const extremeOf = (name: SeriesName) =>
    `case when block_time > 0 then ${name === 'bps' ? 'blobs_size' : 'tx_count'}::float8 / (block_time / 1000.0::float8) else 0 end`

  test('a cumulative series starts at the beginning of the chain whatever part of it is shown', async () => {
    const names: CumulativeName[] = [
      'blobs_size',
      'blobs_count',
      'fee',
      'tx_count',
      'gas_used',
      'gas_limit',
      'bytes_in_block',
      'supply_change',
    ]
    for (const name of names)
      for (const timeframe of TIMEFRAMES) {
        const period = anyPeriod()
        const rows = await listCumulativeSeries(sql, { name, timeframe, ...period })
        const expected = await scan<{ time: string; value: string }>(
          `select time, value
           from (select date_trunc('${timeframe}', time) as time, (sum(sum(${name})) over (order by date_trunc('${timeframe}', time)))::text as value
                 from block group by 1) bucket
           where true ${inPeriod(period, 'time')}
           order by time`,
        )
        assert.deepEqual(
          rows.map(({ time, value }) => ({ time, value })),
          expected,
          `${name} ${timeframe} ${JSON.stringify(period)}`,
        )
      }
  })

  test('rewards of all buckets add up to what the validator earned, and the cumulative flow to its stake', async () => {
    const validators = await scan<{ id: number; rewards: string; stake: string }>(
      'select id, rewards, stake from validator order by id',
    )
    for (const { id, rewards, stake } of validators)
      for (const timeframe of ['hour', 'day', 'month'] as const) {
        const buckets = await listStakingSeries(sql, { validatorId: id, name: 'rewards', timeframe })
        assertClose(
          buckets.reduce((sum, { value }) => sum + Number(value), 0),
          Number(rewards),
          `rewards of ${id}`,
        )
        const { from, to } = { from: first + 86_400, to: first + 40 * 86_400 }
        assert.deepEqual(
          [...(await listStakingSeries(sql, { validatorId: id, name: 'rewards', timeframe, from, to }))],
          [...buckets].filter(({ time }) => time >= toTime(from) && time < toTime(to)),
        )
        const flow = await listStakingSeries(sql, { validatorId: id, name: 'cumulative_flow', timeframe })
        assert.equal(flow.at(-1)?.value, stake)
        assert.deepEqual(
          [...(await listStakingSeries(sql, { validatorId: id, name: 'cumulative_flow', timeframe, from }))],
          [...flow].filter(({ time }) => time >= toTime(from)),
        )
      }
  })

  test('the staking distribution ends at the present stake and its shares add up to one', async () => {
    const now = toTime(last)
    const lines = await readStakingDistribution(sql, { now })
    const rows = [...lines].flatMap(([moniker, line]) => line.map((month) => ({ moniker, ...month })))
    const months = new Map<string, typeof rows>()
    for (const row of rows) months.set(row.time, [...(months.get(row.time) ?? []), row])
    for (const month of months.values())
      assertClose(
        month.reduce((sum, { percent }) => sum + Number(percent), 0),
        1,
        'percent',
      )
    const stakes = await scan<{ moniker: string; stake: string }>('select moniker, stake from validator order by moniker')
    assert.deepEqual(
      [...months.values()].at(-1)!.map(({ moniker, value }) => ({ moniker, stake: value })),
      stakes,
    )
    assert.equal(rows[0]!.time, '2023-10-01T00:00:00Z')
  })

  test('tps counts the txs of the last 60 minutes to the microsecond', async () => {
    const blocks = await scan<{ time: string }>('select time from block order by height')
    for (const { time } of [blocks[0]!, blocks[40]!, blocks[150]!, blocks.at(-1)!]) {
      const [row] = await scan<{ current: number; before: number; high: number; low: number }>(
        `select coalesce(sum(tx_count) filter (where time > t - interval '1 hour' and time <= t), 0)::float8 as current,
                coalesce(sum(tx_count) filter (where time > t - interval '2 hours' and time <= t - interval '1 hour'), 0)::float8 as before
         from block, (select '${time}'::timestamptz as t) n`,
      )
      const tps = await readTps(sql, time)
      assertClose(tps.current, row!.current / 3600, time)
      const change = row!.before > 0 ? row!.current / row!.before - 1 : row!.current > 0 ? 1 : 0
      assertClose(tps.change_last_hour_pct, change, time)
      assert.ok(tps.high >= tps.low)
    }
  })
})

function assertClose(got: number, want: number, what: string): void {
  assert.ok(Math.abs(got - want) <= 1e-9 * Math.max(1, Math.abs(want)), `${what}: ${got} is not ${want}`)
}
