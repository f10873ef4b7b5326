import { Type } from 'typebox'
import { findValidatorMetrics, readTopMetrics } from '../../../store/read/stats/validator-metrics.ts'
import type { RouteGroup } from '../../route.ts'
import { EntityId } from '../../schema/query.ts'
import { Metrics, TopNMetrics } from '../../schema/validator.ts'
import { NoContent } from '../../schema/values.ts'
import { BEFORE_ALL } from './recent.ts'

export const validatorStatsRoutes: RouteGroup = (app, { db, head }) => {
  const at = () => ({ now: head()?.last_time ?? BEFORE_ALL, head: head()?.last_height ?? 0 })

  app.get(
    '/validators/metrics',
    {
      schema: {
        operationId: 'get-top-validator-metrics',
        summary: 'Mean scores of the validators with most stake',
        notOnPage: 'means of the scores that every validator shows',
        tags: ['validator'],
        querystring: Type.Object({ count: Type.Integer({ ...EntityId, default: 25, description: 'how many validators' }) }),
        response: { 200: TopNMetrics },
      },
      cost: 5,
    },
    ({ query }) => readTopMetrics(db, { ...query, ...at() }),
  )

  app.get(
    '/validators/:id/metrics',
    {
      schema: {
        operationId: 'get-validator-metrics',
        summary: 'Scores of a validator, 0 to 1',
        description: '`block_missed_count` keeps its historic name: it is the number of signed heights among the last 1000.',
        tags: ['validator'],
        params: Type.Object({ id: EntityId }),
        response: { 200: Metrics, 204: NoContent },
      },
      cost: 5,
    },
    ({ params }) => findValidatorMetrics(db, { ...params, ...at() }),
  )
}
