import { type Static, Type } from 'typebox'
import { countMessages24h, listSizeGroups, listSquareSizes, readChanges24h, readTps } from '../../../store/read/stats/recent.ts'
import { listRollupStats24h, type RollupStats24hRow } from '../../../store/read/stats/rollup.ts'
import { requireHours } from '../../no-state.ts'
import type { RouteGroup } from '../../route.ts'
import { Period } from '../../schema/query.ts'
import { RollupStats24h } from '../../schema/rollup.ts'
import { Change24hBlockStats, CountItem, SizeGroup, SquareSizeResponse, TPS } from '../../schema/stats.ts'

/** Before the first block every window is empty: any time does. */
export const BEFORE_ALL = '1970-01-01T00:00:00Z'

const toRollupStats = ({ id, name, logo, size, fee, blobs_count }: RollupStats24hRow): Static<typeof RollupStats24h> => ({
  id: id ?? undefined,
  name: name ?? undefined,
  logo: logo || undefined,
  size,
  fee,
  blobs_count,
})

export const recentRoutes: RouteGroup = (app, { db, head }) => {
  const now = () => head()?.last_time ?? BEFORE_ALL

  app.get(
    '/stats/tps',
    {
      schema: {
        operationId: 'get-tps',
        summary: 'Txs per second: now, and the best and worst hour of a week',
        description:
          'Now is the last block. `current` covers its last 60 minutes; `high` and `low` are whole hours before the running one.',
        tags: ['stats'],
        response: { 200: TPS },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    async () => {
      await requireHours(db, head(), 2)
      return readTps(db, now())
    },
  )

  app.get(
    '/stats/changes_24h',
    {
      schema: {
        operationId: 'get-changes-24h',
        summary: 'Last 24 hours against the 24 before, as fractions',
        tags: ['stats'],
        response: { 200: Change24hBlockStats },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    async () => {
      await requireHours(db, head(), 48)
      return readChanges24h(db, now())
    },
  )

  app.get(
    '/stats/messages_count_24h',
    {
      schema: {
        operationId: 'count-messages-24h',
        summary: 'Messages of the last 24 hours by type, most first',
        tags: ['stats'],
        response: { 200: Type.Array(CountItem) },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    () => countMessages24h(db, now()),
  )

  app.get(
    '/stats/size_groups',
    {
      schema: {
        operationId: 'list-size-groups',
        summary: 'Blobs of the last 24 hours by size',
        tags: ['stats'],
        response: { 200: Type.Array(SizeGroup) },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    () => listSizeGroups(db, now()),
  )

  app.get(
    '/stats/square_size',
    {
      schema: {
        operationId: 'list-square-sizes',
        summary: 'Blocks per day by square size, newest day first',
        description: 'The last month, or the month at the given end of the period.',
        tags: ['stats'],
        querystring: Type.Object(Period),
        response: { 200: SquareSizeResponse },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    async ({ query }) => {
      const sizes: Static<typeof SquareSizeResponse> = {}
      for (const { square_size, time, value } of await listSquareSizes(db, { ...query, now: now() })) {
        const days = sizes[square_size]
        if (days) days.push({ time, value })
        else sizes[square_size] = [{ time, value }]
      }
      return sizes
    },
  )

  app.get(
    '/stats/rollup_stats_24h',
    {
      schema: {
        operationId: 'list-rollup-stats-24h',
        summary: 'Blobs of the last 24 hours by rollup, most first',
        notOnPage: 'the day board of rollups says more',
        description: 'The entry without id holds the blobs of no listed rollup.',
        tags: ['stats'],
        response: { 200: Type.Array(RollupStats24h) },
      },
      needsState: false,
      cost: 5,
      needs: 'statistics',
    },
    async () => (await listRollupStats24h(db, now())).map(toRollupStats),
  )
}
