import { Type } from 'typebox'
import { listVestingPeriods } from '../../store/read/vesting.ts'
import type { RouteGroup } from '../route.ts'
import { EntityId, Limit, Offset } from '../schema/query.ts'
import { VestingPeriod } from '../schema/vesting.ts'

export const vestingRoutes: RouteGroup = (app, { db }) => {
  app.get(
    '/vesting/:id/periods',
    {
      schema: {
        operationId: 'list-vesting-periods',
        summary: 'Periods of a periodic vesting, last one first',
        notOnPage: 'a vesting shows its start, end and amount',
        tags: ['vesting'],
        params: Type.Object({ id: EntityId }),
        querystring: Type.Object({ limit: Limit, offset: Offset }),
        response: { 200: Type.Array(VestingPeriod) },
      },
    },
    ({ params, query }) => listVestingPeriods(db, { ...query, id: params.id }),
  )
}
