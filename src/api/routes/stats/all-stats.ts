import type { RouteGroup } from '../../route.ts'
import { addressStatsRoutes } from './address.ts'
import { namespaceStatsRoutes } from './namespace.ts'
import { priceRoutes } from './price.ts'
import { recentRoutes } from './recent.ts'
import { rollupStatsRoutes } from './rollup.ts'
import { seriesRoutes } from './series.ts'
import { stakingStatsRoutes } from './staking.ts'
import { summaryRoutes } from './summary.ts'
import { transferStatsRoutes } from './transfer.ts'
import { validatorStatsRoutes } from './validator.ts'

/** Statistics and prices. */
export const statsRoutes: RouteGroup = (app, ctx) => {
  const groups: RouteGroup[] = [
    seriesRoutes,
    summaryRoutes,
    recentRoutes,
    namespaceStatsRoutes,
    stakingStatsRoutes,
    transferStatsRoutes,
    priceRoutes,
    rollupStatsRoutes,
    validatorStatsRoutes,
    addressStatsRoutes,
  ]
  for (const group of groups) group(app, ctx)
}
