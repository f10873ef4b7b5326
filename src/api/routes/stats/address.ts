import { Type } from 'typebox'
import { findAddressId } from '../../../store/read/address/account.ts'
import { listAddressSeries } from '../../../store/read/stats/address.ts'
import { unknownAddress } from '../../http/unknown.ts'
import type { RouteGroup } from '../../route.ts'
import { Address, Period } from '../../schema/query.ts'
import { HistogramItem } from '../../schema/stats.ts'
import { ShortTimeframe } from './series.ts'

export const addressStatsRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/address/:hash/stats/:name/:timeframe',
    {
      schema: {
        operationId: 'get-address-series',
        summary: 'Txs, gas or fees of an account over time, newest first',
        tags: ['address'],
        params: Type.Object({
          hash: Address,
          name: Type.Enum(['gas_used', 'gas_wanted', 'fee', 'tx_count']),
          timeframe: ShortTimeframe,
        }),
        querystring: Type.Object(Period),
        response: { 200: Type.Array(HistogramItem) },
      },
      cost: 5,
      needs: 'statistics',
    },
    async ({ params: { hash, ...params }, query }) => {
      const addressId = await findAddressId(db, hash)
      if (addressId === undefined) throw unknownAddress(hash)
      return listAddressSeries(db, { ...params, ...query, addressId })
    },
  )
}
