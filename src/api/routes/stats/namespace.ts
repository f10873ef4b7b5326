import { Type } from 'typebox'
import { toHex } from '../../../lib/encoding/bytes.ts'
import { listLargestNamespaces, listNamespaceSeries } from '../../../store/read/stats/namespace.ts'
import type { RouteGroup } from '../../route.ts'
import { NamespaceUsage } from '../../schema/namespace.ts'
import { Limit, NamespaceId, Period } from '../../schema/query.ts'
import { SeriesItem } from '../../schema/stats.ts'
import { toNamespaceName } from '../../view/namespace.ts'
import { AnyTimeframe } from './series.ts'

export const namespaceStatsRoutes: RouteGroup = (app, { db, head }) => {
  app.get(
    '/stats/namespace/series/:id/:name/:timeframe',
    {
      schema: {
        operationId: 'get-namespace-series',
        summary: 'Bytes or PayForBlobs of a namespace over time, newest first',
        tags: ['stats'],
        params: Type.Object({ id: NamespaceId, name: Type.Enum(['pfb_count', 'size']), timeframe: AnyTimeframe }),
        querystring: Type.Object(Period),
        response: { 200: Type.Array(SeriesItem) },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    ({ params: { id, ...params }, query }) => listNamespaceSeries(db, { ...params, ...query, namespaceId: id }),
  )

  app.get(
    '/stats/namespace/usage',
    {
      schema: {
        operationId: 'list-namespace-usage',
        summary: 'The largest namespaces and what all others hold',
        tags: ['stats'],
        querystring: Type.Object({ top: Limit }),
        response: { 200: Type.Array(NamespaceUsage) },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    async ({ query }) => {
      const rows = await listLargestNamespaces(db, query.top)
      const shown = rows.reduce((sum, { size }) => sum + size, 0)
      const largest = rows.map(({ version, namespace_id, size }) => {
        const id = toHex(namespace_id)
        return { name: toNamespaceName(id), version, namespace_id: id, size }
      })
      return [...largest, { name: 'others', size: Math.max(0, (head()?.total_blobs_size ?? 0) - shown) }]
    },
  )
}
