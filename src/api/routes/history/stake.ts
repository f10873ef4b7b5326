import { Type } from 'typebox'
import { findFirstStake, listStakeChanges, listStakeSeries } from '../../../store/read/history/stake.ts'
import type { RouteGroup } from '../../route.ts'
import { StakeChange } from '../../schema/history.ts'
import { EntityId, Paging, Period, SortDesc } from '../../schema/query.ts'
import { HistogramItem } from '../../schema/stats.ts'
import { ShortTimeframe } from '../stats/series.ts'
import { DEEPEST_CHANGE } from './account.ts'
import { bordersOf } from './borders.ts'

/** The stake of a validator through time. */
export const stakeHistoryRoutes: RouteGroup = (app, { db, head }) => {
  app.get(
    '/validators/:id/stake/history',
    {
      schema: {
        operationId: 'list-validator-stake-history',
        summary: 'Every block that changed the stake of a validator, newest first',
        tags: ['validator'],
        params: Type.Object({ id: EntityId }),
        querystring: Type.Object({ ...Paging, sort: SortDesc }),
        response: { 200: Type.Array(StakeChange) },
      },
      cursorOf: (row) => row.id,
      deepestOffset: DEEPEST_CHANGE,
      cost: 2,
    },
    ({ params, query }) => listStakeChanges(db, { ...query, validatorId: params.id }),
  )

  app.get(
    '/validators/:id/stake/stats/:timeframe',
    {
      schema: {
        operationId: 'get-validator-stake-series',
        summary: 'The stake of a validator at the end of each hour, day or month, newest first',
        tags: ['validator'],
        params: Type.Object({ id: EntityId, timeframe: ShortTimeframe }),
        querystring: Type.Object(Period),
        response: { 200: Type.Array(HistogramItem) },
      },
      cost: 5,
      needs: 'statistics',
    },
    async ({ params: { id, timeframe }, query }) => {
      const [first, last] = [await findFirstStake(db, id), head()?.last_time]
      if (first === undefined || last === undefined) return []
      return listStakeSeries(db, id, bordersOf(timeframe, query, first, last))
    },
  )
}
