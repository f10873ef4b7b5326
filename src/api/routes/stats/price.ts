import { Type } from 'typebox'
import { findCurrentPrice, listPrices } from '../../../store/read/stats/price.ts'
import type { RouteGroup } from '../../route.ts'
import { Period } from '../../schema/query.ts'
import { Price } from '../../schema/stats.ts'
import { NoContent } from '../../schema/values.ts'

export const priceRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/stats/price/current',
    {
      schema: {
        operationId: 'get-price',
        summary: 'The last one-minute candle of the native token',
        tags: ['stats'],
        response: { 200: Price, 204: NoContent },
      },
      needsState: false,
      // Prices come from outside the chain and move between blocks.
      cache: 'none',
      needs: 'offchain',
    },
    () => findCurrentPrice(db),
  )

  app.get(
    '/stats/price/series/:timeframe',
    {
      schema: {
        operationId: 'get-price-series',
        summary: 'Up to a hundred candles, newest first',
        tags: ['stats'],
        params: Type.Object({ timeframe: Type.Enum(['1m', '1h', '1d']) }),
        querystring: Type.Object(Period),
        response: { 200: Type.Array(Price) },
      },
      needsState: false,
      cache: 'none',
      cost: 5,
      needs: 'offchain',
    },
    ({ params, query }) => listPrices(db, { ...params, ...query }),
  )
}
