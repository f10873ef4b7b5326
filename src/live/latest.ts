import type { ApiContext } from '../api/route.ts'
import { RouteReader } from '../api/route-reader.ts'
import { allRoutes } from '../api/routes/all.ts'
import type { Head } from '../store/read/head/head.ts'

/** Bodies of the channels where only the newest value counts, from the handlers of the REST routes. */
export type LatestBodies = {
  /** State as it is at `head`, which need not be the newest. */
  head(head: Head): Promise<unknown>
  gasPrice(): Promise<unknown>
}

export function openLatest(ctx: ApiContext): LatestBodies {
  let shown: Head | undefined
  const head = new RouteReader(allRoutes, { ...ctx, head: () => shown }).route('/v1/head')
  const gasPrice = new RouteReader(allRoutes, ctx).route('/v1/gas/price')
  return {
    head: (at) => {
      shown = at
      return head()
    },
    gasPrice: () => gasPrice(),
  }
}
