import { Type } from 'typebox'
import { readSummary } from '../../../store/read/stats/summary.ts'
import { isSummarized } from '../../../store/read/stats/summary-columns.ts'
import { BadRequest } from '../../http/errors.ts'
import { requireState } from '../../no-state.ts'
import type { RouteGroup } from '../../route.ts'
import { Period } from '../../schema/query.ts'
import { Text } from '../../schema/values.ts'

const SummaryParams = Type.Object({
  table: Type.Enum(['block', 'block_stats', 'tx', 'event', 'message', 'validator']),
  function: Type.Enum(['avg', 'sum', 'min', 'max', 'count']),
})

export const summaryRoutes: RouteGroup = (app, { db, head }) => {
  app.get(
    '/stats/summary/:table/:function',
    {
      schema: {
        operationId: 'get-summary',
        summary: 'One value over a table',
        notOnPage: 'free-form numbers for programs',
        description:
          'A text: empty when there are no rows (count: 0). `column` is needed for all functions but count. Validators can only be counted; ' +
          'their period is that of their creation.',
        tags: ['stats'],
        params: SummaryParams,
        querystring: Type.Object({ ...Period, column: Type.Optional(Type.String()) }),
        response: { 200: Text },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    ({ params, query }) => {
      if (params.table === 'validator') requireState(head())
      if (params.function !== 'count') {
        if (query.column === undefined) throw new BadRequest('column is required', 'column')
        if (!isSummarized(params.table, params.function, query.column))
          throw new BadRequest(`there is no ${params.function} of ${query.column} in ${params.table}`, 'column')
      }
      return readSummary(db, { ...params, ...query })
    },
  )
}
