import { Type } from 'typebox'
import { findIbcTransfer } from '../../../store/read/ibc/transfer.ts'
import { findDomains } from '../../../store/read/offchain-documents.ts'
import {
  findBusiestChannel,
  findLargestIbcTransfer,
  listHyperlaneDomains,
  listHyperlaneSeries,
  listHyperlaneTotals,
  listIbcChains,
  listIbcSeries,
} from '../../../store/read/stats/transfer.ts'
import type { RouteGroup } from '../../route.ts'
import { Count, Limit, Offset, Period } from '../../schema/query.ts'
import { HistogramItem, HlDomainStats, IbcChainStats, IbcSummaryStats } from '../../schema/stats.ts'
import { NoContent } from '../../schema/values.ts'
import { toChainMetadata } from '../../view/chain-metadata.ts'
import { findRelayers, toIbcTransfer } from '../../view/ibc-transfer.ts'
import { ShortTimeframe } from './series.ts'

const Measure = Type.Enum(['count', 'amount'])
const Page = Type.Object({ limit: Limit, offset: Offset })

export const transferStatsRoutes: RouteGroup = (app, { db, head }) => {
  app.get(
    '/stats/ibc/series/:id/:name/:timeframe',
    {
      schema: {
        operationId: 'get-ibc-series',
        summary: 'Transfers over a channel, newest first; amounts in utia',
        tags: ['stats'],
        params: Type.Object({ id: Type.String(), name: Measure, timeframe: ShortTimeframe }),
        querystring: Type.Object(Period),
        response: { 200: Type.Array(HistogramItem) },
      },
      cost: 5,
      needs: 'statistics',
    },
    ({ params: { id, ...params }, query }) => listIbcSeries(db, { ...params, ...query, channelId: id }),
  )

  app.get(
    '/stats/ibc/chains',
    {
      schema: {
        operationId: 'list-ibc-chains',
        summary: 'Chains by what was sent to and received from them, in utia',
        tags: ['stats'],
        querystring: Page,
        response: { 200: Type.Array(IbcChainStats) },
      },
      cost: 5,
      needs: 'statistics',
    },
    ({ query }) => listIbcChains(db, query),
  )

  app.get(
    '/stats/ibc/summary',
    {
      schema: {
        operationId: 'get-ibc-summary',
        summary: 'Largest transfer of the last 24 hours and busiest channel of the last month',
        tags: ['stats'],
        response: { 200: IbcSummaryStats, 204: NoContent },
      },
      cost: 5,
      needs: 'statistics',
    },
    async () => {
      const now = head()?.last_time
      if (now === undefined) return undefined
      const [largest, busiest] = await Promise.all([findLargestIbcTransfer(db, now), findBusiestChannel(db, now)])
      const row = largest === undefined ? undefined : await findIbcTransfer(db, largest)
      if (!row || !busiest) return undefined
      return { largest_transfer: toIbcTransfer(row, await findRelayers(db, [row])), busiest_channel: busiest }
    },
  )

  app.get(
    '/stats/hyperlane/series/:id/:name/:timeframe',
    {
      schema: {
        operationId: 'get-hyperlane-series',
        summary: 'Transfers from and to a domain, newest first; amounts in utia',
        tags: ['stats'],
        params: Type.Object({ id: Type.Integer({ ...Count, minimum: 1 }), name: Measure, timeframe: ShortTimeframe }),
        querystring: Type.Object(Period),
        response: { 200: Type.Array(HistogramItem) },
      },
      cost: 5,
      needs: 'statistics',
    },
    ({ params: { id, ...params }, query }) => listHyperlaneSeries(db, { ...params, ...query, domain: id }),
  )

  app.get(
    '/stats/hyperlane/chains/:name/:timeframe',
    {
      schema: {
        operationId: 'get-hyperlane-totals',
        summary: 'Transfers from and to all domains, newest first; amounts in utia',
        tags: ['stats'],
        params: Type.Object({ name: Measure, timeframe: ShortTimeframe }),
        querystring: Type.Object(Period),
        response: { 200: Type.Array(HistogramItem) },
      },
      cost: 5,
      needs: 'statistics',
    },
    ({ params, query }) => listHyperlaneTotals(db, { ...params, ...query }),
  )

  app.get(
    '/stats/hyperlane/chains',
    {
      schema: {
        operationId: 'list-hyperlane-chains',
        summary: 'Domains by what was sent to and received from them, in utia',
        tags: ['stats'],
        querystring: Page,
        response: { 200: Type.Array(HlDomainStats) },
      },
      cost: 5,
      needs: 'statistics',
    },
    async ({ query }) => {
      const rows = await listHyperlaneDomains(db, query)
      const domains = await findDomains(
        db,
        rows.map((row) => row.domain_id),
      )
      return rows.map((row) => ({ ...row, chain_metadata: toChainMetadata(row.domain_id, domains) }))
    },
  )
}
