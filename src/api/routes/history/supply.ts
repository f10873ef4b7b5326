import { Type } from 'typebox'
import { SUPPLY_ID } from '../../../store/families/balance-log.ts'
import { findFirstTime, listSupply } from '../../../store/read/history/balances.ts'
import { listChanges } from '../../../store/read/history/changes.ts'
import { listBalanceSeries } from '../../../store/read/history/series.ts'
import type { RouteGroup } from '../../route.ts'
import { Supply, SupplyChange } from '../../schema/history.ts'
import { Limit, Offset, Period, SortDesc } from '../../schema/query.ts'
import { HistogramItem } from '../../schema/stats.ts'
import { NoContent } from '../../schema/values.ts'
import { ShortTimeframe } from '../stats/series.ts'
import { ChangeList, DEEPEST_CHANGE } from './account.ts'
import { bordersOf } from './borders.ts'
import { AsOf, findAskedHeight } from './past.ts'

/** The supply of every denomination through time. */
export const supplyRoutes: RouteGroup = (app, { db, head }) => {
  app.get(
    '/supply',
    {
      schema: {
        operationId: 'list-supply',
        summary: 'The supply of every denomination, now or as it was',
        tags: ['supply'],
        querystring: Type.Object({ limit: Limit, offset: Offset, ...AsOf }),
        response: { 200: Type.Array(Supply), 204: NoContent },
      },
    },
    async ({ query: { limit, offset, ...asked } }) => {
      const supply = await listSupply(db, await findAskedHeight(db, asked, head()?.last_height))
      return supply.slice(offset, offset + limit)
    },
  )

  app.get(
    '/supply/history',
    {
      schema: {
        operationId: 'list-supply-history',
        summary: 'Coins that were made or destroyed, newest first',
        notOnPage: 'the chart of the supply tells it',
        tags: ['supply'],
        querystring: Type.Object({ ...ChangeList, sort: SortDesc }),
        response: { 200: Type.Array(SupplyChange) },
      },
      cursorOf: (row) => row.id,
      deepestOffset: DEEPEST_CHANGE,
      cost: 2,
    },
    async ({ query: { cause: causes, ...query } }) => {
      const rows = await listChanges(db, { ...query, addressId: SUPPLY_ID, causes })
      return rows.map(({ denom, balance, part: _, tx_hash: __, ...row }) => ({ ...row, currency: denom, supply: balance }))
    },
  )

  app.get(
    '/supply/stats/:timeframe',
    {
      schema: {
        operationId: 'get-supply-series',
        summary: 'The supply of a denomination at the end of each hour, day or month, newest first',
        tags: ['supply'],
        params: Type.Object({ timeframe: ShortTimeframe }),
        querystring: Type.Object({ denom: Type.String({ default: 'utia', maxLength: 300 }), ...Period }),
        response: { 200: Type.Array(HistogramItem) },
      },
      cost: 5,
      needs: 'statistics',
    },
    async ({ params: { timeframe }, query: { denom, ...period } }) => {
      const [first, last] = [await findFirstTime(db), head()?.last_time]
      if (first === undefined || last === undefined) return []
      return listBalanceSeries(db, { addressId: SUPPLY_ID, denom, borders: bordersOf(timeframe, period, first, last) })
    },
  )
}
