import { Type } from 'typebox'
import { listStakingSeries, readStakingDistribution } from '../../../store/read/stats/staking.ts'
import type { RouteGroup } from '../../route.ts'
import { EntityId, Period } from '../../schema/query.ts'
import { SeriesItem, StakingDistribution } from '../../schema/stats.ts'
import { ShortTimeframe } from './series.ts'

const StakingName = Type.Enum([
  'rewards',
  'commissions',
  'flow',
  'delegations',
  'unbondings',
  'delegations_count',
  'unbondings_count',
  'cumulative_flow',
])

export const stakingStatsRoutes: RouteGroup = (app, { db, head }) => {
  app.get(
    '/stats/staking/series/:id/:name/:timeframe',
    {
      schema: {
        operationId: 'get-staking-series',
        summary: 'What a validator earned, and stake that came and left, newest first',
        description:
          '`flow` is delegations less unbondings, `cumulative_flow` its running sum, oldest first. A redelegation leaves one validator ' +
          'and comes to another; a cancelled unbonding is taken off the unbondings.',
        tags: ['stats'],
        params: Type.Object({ id: EntityId, name: StakingName, timeframe: ShortTimeframe }),
        querystring: Type.Object(Period),
        response: { 200: Type.Array(SeriesItem) },
      },
      cost: 5,
      needs: 'statistics',
    },
    ({ params: { id, ...params }, query }) => listStakingSeries(db, { ...params, ...query, validatorId: id }),
  )

  app.get(
    '/stats/staking/distribution',
    {
      schema: {
        operationId: 'get-staking-distribution',
        summary: 'Stake and share of every validator by month, oldest first',
        tags: ['stats'],
        querystring: Type.Object(Period),
        response: { 200: StakingDistribution },
      },
      cost: 5,
      needs: 'statistics',
    },
    async ({ query }) => {
      const now = head()?.last_time
      return now === undefined ? {} : Object.fromEntries(await readStakingDistribution(db, { ...query, now }))
    },
  )
}
