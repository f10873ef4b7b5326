import type { ApiContext, RouteGroup } from '../api/route.ts'
import { RouteReader, type WireObject } from '../api/route-reader.ts'
import type { Head } from '../store/read/head/head.ts'

/** Bodies of notifications. They come from the handlers of the REST routes, so they cannot differ from what REST answers. */
export type Bodies = {
  /** State as it is at `head`, which need not be the newest. */
  head(head: Head): Promise<unknown>
  /** Undefined when the block is not there (any more). */
  block(height: number): Promise<WireObject | undefined>
  gasPrice(): Promise<unknown>
  /** In the order of the block. */
  txs(height: number): Promise<WireObject[]>
  blobs(height: number): Promise<WireObject[]>
}

export function openBodies(ctx: ApiContext, groups: RouteGroup[]): Bodies {
  let shown: Head | undefined
  const head = new RouteReader(groups, { ...ctx, head: () => shown }).route('/v1/head')
  const routes = new RouteReader(groups, ctx)
  const [block, gasPrice] = [routes.route('/v1/block/:height'), routes.route('/v1/gas/price')]
  const [txs, blobs] = [routes.list('/v1/tx'), routes.list('/v1/block/:height/blobs')]
  return {
    head: (at) => {
      shown = at
      return head()
    },
    block: (height) => block({ stats: true }, { height }) as Promise<WireObject | undefined>,
    gasPrice: () => gasPrice(),
    txs: (height) => txs({ height, sort: 'asc' }),
    blobs: (height) => blobs({ sort: 'asc' }, { height }),
  }
}
