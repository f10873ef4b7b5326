import { Type } from 'typebox'
import { findAddressId } from '../../../store/read/address/account.ts'
import { findFirstTime } from '../../../store/read/history/balances.ts'
import { listBalanceSeries, listSumSeries } from '../../../store/read/history/series.ts'
import { listAddressSeries } from '../../../store/read/stats/namespace.ts'
import { unknownAddress } from '../../http/unknown.ts'
import type { RouteGroup } from '../../route.ts'
import { Address, Period } from '../../schema/query.ts'
import { HistogramItem } from '../../schema/stats.ts'
import { bordersOf } from '../history/borders.ts'
import { ShortTimeframe } from './series.ts'

const SIGNED = ['gas_used', 'gas_wanted', 'fee', 'tx_count'] as const
const KEPT = ['balance', 'rewards', 'commissions', 'fees'] as const

const isSigned = (name: string): name is (typeof SIGNED)[number] => (SIGNED as readonly string[]).includes(name)

const CAUSE_OF = { rewards: 'reward', commissions: 'commission', fees: 'fee' } as const

export const addressStatsRoutes: RouteGroup = (app, { db, head }) => {
  app.get(
    '/address/:hash/stats/:name/:timeframe',
    {
      schema: {
        operationId: 'get-address-series',
        summary: 'Txs, gas, fees, rewards or the balance of an account over time, newest first',
        description:
          '`fee` counts what the txs cost that the account signed, `fees` what it paid, for itself or for others. `rewards` and `commissions` ' +
          'are those it withdrew. `balance` is what it had at the end of each bucket: coins, stake, and stake on its way back. The last four ' +
          'are of the denomination `denom`.',
        tags: ['address'],
        params: Type.Object({
          hash: Address,
          name: Type.Enum([...SIGNED, ...KEPT]),
          timeframe: ShortTimeframe,
        }),
        querystring: Type.Object({ denom: Type.String({ default: 'utia', maxLength: 300 }), ...Period }),
        response: { 200: Type.Array(HistogramItem) },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    async ({ params: { hash, name, timeframe }, query: { denom, ...period } }) => {
      const addressId = await findAddressId(db, hash)
      if (addressId === undefined) throw unknownAddress(hash)
      if (isSigned(name)) return listAddressSeries(db, { name, timeframe, ...period, addressId })
      const [first, last] = [await findFirstTime(db, addressId), head()?.last_time]
      if (first === undefined || last === undefined) return []
      const borders = bordersOf(timeframe, period, first, last)
      if (name === 'balance') return listBalanceSeries(db, { addressId, denom, borders })
      const points = await listSumSeries(db, { addressId, denom, borders, parts: ['spendable'], causes: [CAUSE_OF[name]] })
      return name === 'fees' ? points.map(({ time, value }) => ({ time, value: String(-BigInt(value)) })) : points
    },
  )
}
