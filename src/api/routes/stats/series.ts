import { Type } from 'typebox'
import {
  listBlockSeries,
  listBlockSeriesTogether,
  listCumulativeSeries,
  listCumulativeSeriesTogether,
} from '../../../store/read/stats/block-series.ts'
import { CUMULATIVE_NAMES, SERIES_NAMES } from '../../../types/block-series.ts'
import { requireState } from '../../no-state.ts'
import type { RouteGroup } from '../../route.ts'
import { CommaList, Flag, Period } from '../../schema/query.ts'
import { SeriesItem, SeriesTogether } from '../../schema/stats.ts'

export const AnyTimeframe = Type.Enum(['hour', 'day', 'week', 'month', 'year'])
/** Series of single owners have no weeks and years. */
export const ShortTimeframe = Type.Enum(['hour', 'day', 'month'])

const SeriesName = Type.Enum(SERIES_NAMES)
const SummedName = Type.Enum(CUMULATIVE_NAMES)

export const seriesRoutes: RouteGroup = (app, { db, head }) => {
  app.get(
    '/stats/series/:name/:timeframe',
    {
      schema: {
        operationId: 'get-series',
        summary: 'A value per hour, day, week, month or year, newest first',
        description:
          'Buckets start at UTC borders, weeks on Monday; from and to are compared with the start. Empty buckets are left out. ' +
          '`tps` and `bps` are txs and blob bytes per second and carry the extremes of single blocks; `rbps` counts blobs of listed ' +
          'rollups only. Months and years are divided by the days that have blocks.',
        tags: ['stats'],
        params: Type.Object({ name: SeriesName, timeframe: AnyTimeframe }),
        querystring: Type.Object(Period),
        response: { 200: Type.Array(SeriesItem) },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    ({ params, query }) => listBlockSeries(db, { ...params, ...query }),
  )

  app.get(
    '/stats/series/:name/:timeframe/cumulative',
    {
      schema: {
        operationId: 'get-cumulative-series',
        summary: 'Running sum since the beginning of the chain, oldest first',
        notOnPage: 'getSeriesTogether answers all running sums at once',
        tags: ['stats'],
        params: Type.Object({ name: SummedName, timeframe: AnyTimeframe }),
        querystring: Type.Object(Period),
        response: { 200: Type.Array(SeriesItem) },
      },
      cost: 5,
      needs: 'statistics',
    },
    ({ params, query }) => listCumulativeSeries(db, { ...params, ...query }),
  )

  // A dashboard shows them all: they are read from the same buckets at once.
  app.get(
    '/stats/series',
    {
      schema: {
        operationId: 'get-series-together',
        summary: 'Several series over the same buckets in one answer',
        description:
          'Like the series one by one, without extremes; newest first, running sums oldest first. Without `names` all of them; of ' +
          'running sums those that have one.',
        tags: ['stats'],
        querystring: Type.Object({
          timeframe: AnyTimeframe,
          names: Type.Optional(CommaList(SeriesName)),
          cumulative: Flag(false, 'running sums since the beginning of the chain'),
          ...Period,
        }),
        response: { 200: SeriesTogether },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    ({ query: { names = SERIES_NAMES, cumulative, ...query } }) => {
      if (!cumulative) return listBlockSeriesTogether(db, { ...query, names: [...new Set(names)] })
      requireState(head())
      const sums = new Set<string>(names)
      const wanted = CUMULATIVE_NAMES.filter((name) => sums.has(name))
      return wanted.length === 0 ? {} : listCumulativeSeriesTogether(db, { ...query, names: wanted })
    },
  )
}
