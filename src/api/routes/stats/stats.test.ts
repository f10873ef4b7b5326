import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readCsv } from '../../../../test/support/csv.ts'
import { devnetUrl, freshDatabase } from '../../../../test/support/database.ts'
import { generateChain } from '../../../../test/support/generated-chain.ts'
import { fewOf } from '../../../../test/support/long-test.ts'
import { type ServedChain, serveChain } from '../../../../test/support/served-chain.ts'
import { SCHEMA } from '../../../../test/support/templates.ts'
import { openWriterSql } from '../../../../test/support/writer-sql.ts'
import { Writer } from '../../../store/write/writer.ts'

const ACCOUNT = 'celestia1w4dvevy0zm70yss42h4k597at605fn388cmm78'
const UNKNOWN = 'celestia1r726yra3euctv92qqfxh45xztewgp2qj9w22dg'
const NAMESPACE = '00000000000000000000000000000000000000000068696261636869'

const SERIES =
  'blobs_size blobs_count tps bps rbps fee supply_change block_time tx_count events_count gas_price gas_efficiency gas_used gas_limit bytes_in_block rewards commissions'.split(
    ' ',
  )
const TIMEFRAMES = ['hour', 'day', 'week', 'month', 'year']

/** Lists with a period: empty before, after and outside of the chain. */
const PERIODIC = [
  ...SERIES.flatMap((name) => TIMEFRAMES.map((timeframe) => `/stats/series/${name}/${timeframe}`)),
  ...TIMEFRAMES.map((timeframe) => `/stats/series/fee/${timeframe}/cumulative`),
  ...TIMEFRAMES.map((timeframe) => `/stats/namespace/series/${NAMESPACE}/size/${timeframe}`),
  ...'rewards commissions flow delegations unbondings delegations_count unbondings_count cumulative_flow'
    .split(' ')
    .map((name) => `/stats/staking/series/1/${name}/day`),
  '/stats/ibc/series/channel-0/amount/hour',
  '/stats/hyperlane/series/42161/count/day',
  '/stats/hyperlane/chains/amount/month',
  '/stats/price/series/1h',
  '/rollup/1/stats/size_per_blob/day',
]

/** Answers that exist whatever the chain holds. */
const ALWAYS = [
  '/stats/tps',
  '/stats/changes_24h',
  '/stats/messages_count_24h',
  '/stats/size_groups',
  '/stats/square_size',
  '/stats/rollup_stats_24h',
  '/stats/namespace/usage?top=3',
  '/stats/namespace/shares/month?top=3',
  '/stats/staking/distribution',
  '/stats/ibc/chains',
  '/stats/hyperlane/chains',
  '/rollup/day',
  '/rollup/group?func=avg&column=stack',
  '/rollup/stats/series/hour',
  '/rollup/stats/series/day',
  '/rollup/stats/series/month',
  '/rollup/1/distribution/fee_per_blob/hour',
  '/rollup/1/distribution/size/day',
  '/validators/metrics',
  '/stats/series?timeframe=day',
  '/stats/series?timeframe=week&cumulative=true',
  '/stats/summary/block/count',
  '/stats/summary/tx/avg?column=fee',
  '/stats/summary/block_stats/max?column=time',
]

describe('statistics of a chain without blocks', () => {
  let api: ServedChain
  before(async () => {
    api = await serveChain(await freshDatabase())
  })
  after(() => api.close())

  test('every list is empty and every number 0', async () => {
    for (const path of PERIODIC) assert.deepEqual(await api.list(path), [], path)
    for (const path of ALWAYS) assert.equal((await api.get(path)).status, 200, path)
    assert.deepEqual((await api.get('/stats/tps')).body, { high: 0, low: 0, current: 0, change_last_hour_pct: 0 })
    assert.equal((await api.get('/stats/summary/tx/count')).body, '0')
    assert.equal((await api.get('/stats/summary/tx/max?column=fee')).body, '')
    assert.deepEqual((await api.get('/stats/namespace/usage')).body, [{ name: 'others', size: 0 }])
  })

  test('single things are not there', async () => {
    for (const path of ['/stats/price/current', '/stats/ibc/summary', '/validators/1/metrics'])
      assert.equal((await api.get(path)).status, 204, path)
  })
})

describe('statistics of a chain with one block', () => {
  let api: ServedChain
  before(async () => {
    const url = await freshDatabase()
    const writer = await Writer.open({ url, schema: SCHEMA, undoDepth: 100 }, new AbortController().signal)
    const [genesis] = generateChain({ seed: 1 })
    await writer.commitGenesis(genesis!, { chainId: 'generated', genesisHash: '00' })
    await writer.close()
    api = await serveChain(url)
  })
  after(() => api.close())

  test('every answer is defined', async () => {
    for (const path of [...PERIODIC, ...ALWAYS]) assert.equal((await api.get(path)).status, 200, path)
    assert.deepEqual(await api.list('/stats/series/gas_price/hour'), [{ time: '2026-01-30T21:00:00Z', value: '0' }])
    assert.deepEqual(await api.list('/stats/series/tps/hour'), [
      { time: '2026-01-30T21:00:00Z', value: '0.00000000000000000000', max: '0', min: '0' },
    ])
    assert.equal((await api.get('/validators/1/metrics')).status, 200)
  })
})

describe('statistics of the recorded chain', () => {
  let api: ServedChain
  before(async () => {
    api = await serveChain(devnetUrl)
  })
  after(() => api.close())

  test('a period that ends before it begins, or lies beyond the chain, is empty', async () => {
    for (const path of fewOf(PERIODIC, 12))
      for (const period of ['from=2000000000&to=1000000000', 'from=99999999999', 'from=253402300799', 'to=1'])
        assert.deepEqual(await api.list(`${path}?${period}`), [], `${path}?${period}`)
    for (const period of ['from=2000000000&to=1000000000', 'from=99999999999', 'to=1']) {
      assert.equal((await api.get(`/stats/summary/block/count?${period}`)).body, '0')
      assert.equal((await api.get(`/stats/summary/block_stats/sum?column=fee&${period}`)).body, '')
      assert.equal((await api.get(`/stats/summary/event/min?column=height&${period}`)).body, '')
      assert.deepEqual((await api.get(`/stats/square_size?${period}`)).body, {})
      assert.deepEqual(await api.get(`/address/${ACCOUNT}/stats/fee/day?${period}`).then(({ body }) => body), [])
    }
  })

  test('all rollups are told for any period, as flat lines too', async () => {
    type Bucket = { time: string; items: { name: string; size: number; fee: string }[] }
    const path = '/rollup/stats/series/hour'
    const all = (await api.list(path)) as unknown as Bucket[]
    assert.ok(all.length > 0 && all[0]!.items.length > 1)
    const from = all.at(-1)!.time
    assert.deepEqual(await api.list(`${path}?from=${from}`), all)
    assert.deepEqual(await api.list(`${path}?from=2026-11-01&to=2026-11-30`), all)
    assert.deepEqual(await api.list(`${path}?from=2026-11-01&to=${from}`), [])
    const refused = await api.get<{ message: string }>(`${path}?from=2025-01-01`)
    assert.deepEqual([refused.status, refused.body.message], [400, 'from must be at most 1000 buckets of a hour before the end'])
    const csv = await api.get(path, { accept: 'text/csv' })
    const [names, ...lines] = readCsv(csv.text)
    assert.deepEqual(names, ['time', 'items.name', 'items.logo', 'items.size', 'items.fee', 'items.blobs_count'])
    assert.deepEqual(
      lines.map(([time, name, , size, fee]) => [time, name, size, fee]),
      all.flatMap(({ time, items }) => items.map(({ name, size, fee }) => [time, name, String(size), fee])),
    )
  })

  test('shares of namespaces add up to all bytes of a bucket', async () => {
    type Share = { time: string; name: string; namespace_id?: string; size: number; share: string }
    const rows = (await api.list('/stats/namespace/shares/month?top=2&from=2026-01-01')) as unknown as Share[]
    assert.deepEqual(
      rows.map(({ namespace_id }) => namespace_id !== undefined),
      [true, true, false],
    )
    assert.ok(rows[0]!.size > rows[1]!.size)
    assert.equal(rows[2]!.name, 'others')
    const total = rows.reduce((sum, { size }) => sum + size, 0)
    const { body: head } = await api.get<{ total_blobs_size: number }>('/head')
    assert.equal(total, head.total_blobs_size)
    for (const { size, share } of rows) assert.equal(share, (size / total).toFixed(6))
    const every = (await api.list('/stats/namespace/shares/month?top=100')) as unknown as Share[]
    assert.equal(
      every.reduce((sum, { size }) => sum + size, 0),
      total,
    )
    assert.ok(every.every(({ name }) => name !== 'others'))
  })

  test('series asked for together are the same as one by one, running sums too', async () => {
    type Rows = Record<string, { time: string; value: string }[]>
    for (const timeframe of TIMEFRAMES) {
      const { body } = await api.get<Rows>(`/stats/series?timeframe=${timeframe}`)
      assert.deepEqual(Object.keys(body), SERIES)
      for (const name of SERIES) {
        const alone = (await api.list(`/stats/series/${name}/${timeframe}`)).map(({ time, value }) => ({ time, value }))
        assert.deepEqual(body[name], alone, `${name} per ${timeframe}`)
      }
    }
    const from = Date.parse('2026-01-30T21:00:00Z') / 1000
    for (const period of ['', `&from=${from}`]) {
      const { body } = await api.get<Rows>(`/stats/series?timeframe=hour&cumulative=true&names=fee,tps,tx_count${period}`)
      assert.deepEqual(Object.keys(body).sort(), ['fee', 'tx_count'])
      for (const [name, rows] of Object.entries(body))
        assert.deepEqual(rows, await api.list(`/stats/series/${name}/hour/cumulative?${period.slice(1)}`), `${name} ${period}`)
    }
    assert.deepEqual((await api.get('/stats/series?timeframe=day&cumulative=true&names=tps')).body, {})
  })

  test('unknown names, timeframes and columns are refused', async () => {
    for (const path of [
      '/stats/series/nope/day',
      '/stats/series?timeframe=decade',
      '/stats/series?timeframe=day&names=nope',
      '/stats/series/tps/decade',
      '/stats/series/tps/day/cumulative',
      '/stats/summary/namespace/count',
      '/stats/summary/block/sum?column=height',
      '/stats/summary/tx/sum',
      '/stats/summary/validator/max?column=id',
      '/stats/summary/tx/max?column=hasOwnProperty',
      '/stats/staking/series/0/flow/day',
      '/stats/staking/series/1/flow/year',
      '/stats/price/series/2h',
      '/rollup/group?func=sum',
      '/rollup/group?func=max&column=stack',
      '/rollup/1/distribution/size/month',
      `/address/${UNKNOWN}/stats/fee/day`,
      '/address/nobody/stats/fee/day',
    ])
      assert.equal((await api.get(path)).status, 400, path)
  })

  test('an unknown namespace, validator, channel or unverified rollup has no series', async () => {
    for (const path of [
      `/stats/namespace/series/${'ab'.repeat(28)}/size/day`,
      '/stats/staking/series/999/rewards/day',
      '/stats/ibc/series/channel-77/count/day',
      '/stats/hyperlane/series/4294967295/count/day',
      '/rollup/3/stats/size/day',
      '/rollup/3/distribution/size/day',
    ])
      assert.deepEqual(await api.list(path), [], path)
  })

  test('rollups and the blobs of none are all blobs of the day', async () => {
    const rows = (await api.list('/stats/rollup_stats_24h')) as { blobs_count: number; size: number; id?: number }[]
    const [hour] = (await api.list('/stats/series/blobs_size/day')) as { value: string }[]
    assert.equal(String(rows.reduce((sum, { size }) => sum + size, 0)), hour!.value)
    assert.equal(rows.filter(({ id }) => id === undefined).length, 1)
    assert.deepEqual(
      rows.map(({ blobs_count }) => blobs_count),
      rows.map(({ blobs_count }) => blobs_count).toSorted((a, b) => b - a),
    )
  })

  test('the day board can be sorted by every column, both ways', async () => {
    const columns = 'avg_size blobs_count total_size total_fee throughput namespace_count pfb_count mb_price'.split(' ')
    for (const column of columns) {
      const values = async (sort: string) =>
        (await api.list(`/rollup/day?sort_by=${column}&sort=${sort}`)).map((row) => Number(row[column]))
      const [up, down] = [await values('asc'), await values('desc')]
      assert.equal(up.length, 2)
      assert.deepEqual(
        up,
        up.toSorted((a, b) => a - b),
        column,
      )
      assert.deepEqual(down, up.toReversed(), column)
    }
    assert.equal((await api.list('/rollup/day?category=nft')).length, 1)
    assert.equal((await api.list('/rollup/day?tags=nothing')).length, 0)
  })

  test('size groups hold every blob of the day once', async () => {
    const groups = (await api.list('/stats/size_groups')) as { name: string; count: number; size: number; avg_size: number }[]
    assert.deepEqual(
      groups.map(({ name }) => name),
      ['<1Kb', '1-10Kb', '10-100Kb', '100Kb-1Mb', '>1Mb'],
    )
    assert.equal(
      groups.reduce((sum, { size }) => sum + size, 0),
      21919452,
    )
    for (const { count, size, avg_size } of groups) assert.equal(avg_size, count === 0 ? 0 : Math.ceil(size / count))
  })
})

describe('prices', () => {
  let api: ServedChain
  before(async () => {
    const url = await freshDatabase()
    const sql = openWriterSql(url, SCHEMA)
    await sql`
      insert into price (timeframe, time, open, high, low, close)
      select f, timestamptz '2026-01-01' + i * interval '1 minute', 1.50, 2, 1.0, 1.25 + i from generate_series(1, 120) i, unnest(array['1m', '1h']) f`
    await sql.end()
    api = await serveChain(url)
  })
  after(() => api.close())

  test('the newest candle is the current price, a series has at most a hundred', async () => {
    assert.deepEqual((await api.get('/stats/price/current')).body, {
      time: '2026-01-01T02:00:00Z',
      open: '1.5',
      high: '2',
      low: '1',
      close: '121.25',
    })
    const rows = await api.list('/stats/price/series/1h')
    assert.equal(rows.length, 100)
    assert.equal(rows[0]!.time, '2026-01-01T02:00:00Z')
    assert.deepEqual(await api.list('/stats/price/series/1d'), [])
  })
})
