import { Type } from 'typebox'
import { toHex } from '../../../lib/encoding/bytes.ts'
import { listLargestNamespaces, listNamespaceSeries, listNamespaceShares } from '../../../store/read/stats/namespace.ts'
import type { RouteGroup } from '../../route.ts'
import { NamespaceShare, NamespaceUsage } from '../../schema/namespace.ts'
import { Limit, NamespaceId, Period } from '../../schema/query.ts'
import { SeriesItem } from '../../schema/stats.ts'
import { toNamespaceName } from '../../view/namespace.ts'
import { boundedPeriod } from './bounded-period.ts'
import { BEFORE_ALL } from './recent.ts'
import { AnyTimeframe, ShortTimeframe } from './series.ts'

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
    '/stats/namespace/shares/:timeframe',
    {
      schema: {
        operationId: 'list-namespace-shares',
        summary: 'Shares of the largest namespaces in all bytes of blobs, by hour, day or month, newest first',
        description:
          'Each bucket has the `top` largest of the thousand namespaces that are the largest of all time, then `others`; `share` is the part of all bytes of the bucket. Without `from`: the last day (hours), month (days) or year (months) before `to`. At most 1,000 buckets.',
        notOnPage: 'the page shows the usage of all time (listNamespaceUsage)',
        tags: ['stats'],
        params: Type.Object({ timeframe: ShortTimeframe }),
        querystring: Type.Object({ top: Limit, ...Period }),
        response: { 200: Type.Array(NamespaceShare) },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    async ({ params: { timeframe }, query: { top, ...period } }) => {
      const rows = await listNamespaceShares(db, {
        timeframe,
        top,
        ...boundedPeriod(timeframe, period, head()?.last_time ?? BEFORE_ALL),
      })
      return rows.map(({ time, version, namespace_id, size, total }) => ({
        time,
        name: namespace_id === null ? 'others' : toNamespaceName(namespace_id),
        version: version ?? undefined,
        namespace_id: namespace_id ?? undefined,
        size,
        share: (size / total).toFixed(6),
      }))
    },
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
