import { type Static, Type } from 'typebox'
import {
  groupRollups,
  listAllRollupSeries,
  listRollupDistribution,
  listRollupSeries,
  type RollupPointRow,
} from '../../../store/read/stats/rollup.ts'
import { listRollupDay, type RollupDayRow } from '../../../store/read/stats/rollup-day.ts'
import type { RouteGroup } from '../../route.ts'
import { RollupCategory, RollupType } from '../../schema/enums.ts'
import { CommaList, EntityId, Limit, Offset, Period, SortDesc } from '../../schema/query.ts'
import { RollupAllSeriesResponse, RollupGroupedStats, RollupWithDayStats } from '../../schema/rollup.ts'
import { DistributionItem, HistogramItem } from '../../schema/stats.ts'
import { toRollup } from '../../view/rollup.ts'
import { boundedPeriod } from './bounded-period.ts'
import { BEFORE_ALL } from './recent.ts'
import { ShortTimeframe } from './series.ts'

const Words = Type.Optional(CommaList(Type.String()))

const DayBoard = Type.Object({
  limit: Limit,
  offset: Offset,
  sort: SortDesc,
  sort_by: Type.Enum(
    ['avg_size', 'blobs_count', 'total_size', 'total_fee', 'throughput', 'namespace_count', 'pfb_count', 'mb_price'],
    { default: 'throughput' },
  ),
  stack: Words,
  provider: Words,
  category: Type.Optional(CommaList(RollupCategory)),
  tags: Words,
  type: Type.Optional(CommaList(RollupType)),
})

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const toDayStats = (row: RollupDayRow): Static<typeof RollupWithDayStats> => {
  const { tags: _tags, links: _links, ...rollup } = toRollup(row)
  return {
    ...rollup,
    avg_size: row.avg_size,
    blobs_count: row.blobs_count,
    total_size: row.total_size,
    throughput: row.throughput,
    namespace_count: row.namespace_count,
    pfb_count: row.pfb_count,
    total_fee: row.total_fee,
    mb_price: row.mb_price,
    fee_per_pfb: row.fee_per_pfb,
    blobs_per_pfb: row.blobs_per_pfb,
  }
}

/** Rows come bucket by bucket. */
function groupByTime(rows: RollupPointRow[]): Static<typeof RollupAllSeriesResponse>[] {
  const buckets: Static<typeof RollupAllSeriesResponse>[] = []
  for (const { time, name, logo, size, fee, blobs_count } of rows) {
    if (buckets.at(-1)?.time !== time) buckets.push({ time, items: [] })
    buckets.at(-1)!.items.push({ name: name || undefined, logo: logo || undefined, size, fee, blobs_count })
  }
  return buckets
}

export const rollupStatsRoutes: RouteGroup = (app, { db, head }) => {
  const now = () => head()?.last_time ?? BEFORE_ALL

  app.get(
    '/rollup/day',
    {
      schema: {
        operationId: 'list-rollup-day',
        summary: 'Rollups of the last 24 hours',
        tags: ['rollup'],
        querystring: DayBoard,
        response: { 200: Type.Array(RollupWithDayStats) },
      },
      needsState: false,
      cost: 5,
    },
    async ({ query }) => (await listRollupDay(db, { ...query, now: now() })).map(toDayStats),
  )

  app.get(
    '/rollup/group',
    {
      schema: {
        operationId: 'group-rollups',
        summary: 'Totals of rollups by a column, largest group first',
        tags: ['rollup'],
        querystring: Type.Object({
          func: Type.Enum(['sum', 'avg']),
          column: Type.Enum(['stack', 'type', 'category', 'vm', 'provider']),
        }),
        response: { 200: Type.Array(RollupGroupedStats) },
      },
      needsState: false,
      cost: 5,
    },
    ({ query }) => groupRollups(db, query),
  )

  app.get(
    '/rollup/stats/series/:timeframe',
    {
      schema: {
        operationId: 'get-all-rollup-series',
        summary: 'All rollups by hour, day or month, newest first',
        description:
          'Without `from`: the last day (hours), month (days) or year (months) before `to`. At most 1,000 buckets. As CSV every rollup of a bucket is its own line.',
        tags: ['rollup'],
        params: Type.Object({ timeframe: ShortTimeframe }),
        querystring: Type.Object(Period),
        response: { 200: Type.Array(RollupAllSeriesResponse) },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    async ({ params, query }) => {
      if (query.from !== undefined) boundedPeriod(params.timeframe, query, now())
      return groupByTime(await listAllRollupSeries(db, { ...params, ...query, now: now() }))
    },
  )

  app.get(
    '/rollup/:id/stats/:name/:timeframe',
    {
      schema: {
        operationId: 'get-rollup-series',
        summary: 'Blobs of a rollup over time, newest first',
        tags: ['rollup'],
        params: Type.Object({
          id: EntityId,
          name: Type.Enum(['blobs_count', 'size', 'size_per_blob', 'fee']),
          timeframe: ShortTimeframe,
        }),
        querystring: Type.Object(Period),
        response: { 200: Type.Array(HistogramItem) },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    ({ params, query }) => listRollupSeries(db, { ...params, ...query }),
  )

  app.get(
    '/rollup/:id/distribution/:name/:timeframe',
    {
      schema: {
        operationId: 'get-rollup-distribution',
        summary: 'Mean of a rollup by weekday (three months) or hour of the day (one month)',
        tags: ['rollup'],
        params: Type.Object({
          id: EntityId,
          name: Type.Enum(['blobs_count', 'size', 'size_per_blob', 'fee_per_blob']),
          timeframe: Type.Enum(['hour', 'day']),
        }),
        response: { 200: Type.Array(DistributionItem) },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    async ({ params }) => {
      const rows = await listRollupDistribution(db, { ...params, now: now() })
      return rows.map(({ part, value }) => ({ name: params.timeframe === 'day' ? WEEKDAYS[part - 1]! : String(part), value }))
    },
  )
}
