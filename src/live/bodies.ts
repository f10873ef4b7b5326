import { callRoute } from '../api/call-route.ts'
import { collectRoutes, type Route } from '../api/collect-routes.ts'
import type { ApiContext, RouteGroup } from '../api/route.ts'
import { Invariant } from '../lib/errors.ts'
import type { Head } from '../store/read/head.ts'

type WireObject = Record<string, unknown>

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

const PAGE = 100

export function openBodies(ctx: ApiContext, groups: RouteGroup[]): Bodies {
  let shown: Head | undefined
  const ofHead = collectRoutes(groups, { ...ctx, head: () => shown })
  const routes = collectRoutes(groups, ctx)
  const [head, block, gasPrice] = [
    findRoute(ofHead, '/v1/head'),
    findRoute(routes, '/v1/block/:height'),
    findRoute(routes, '/v1/gas/price'),
  ]
  const txs = findRoute(routes, '/v1/tx')
  const blobs = findRoute(routes, '/v1/block/:height/blobs')

  return {
    head: (at) => {
      shown = at
      return callRoute(head)
    },
    block: (height) => callRoute(block, { params: { height }, query: { stats: true } }) as Promise<WireObject | undefined>,
    gasPrice: () => callRoute(gasPrice),
    txs: (height) => readPages((page) => callRoute(txs, { query: { height, sort: 'asc', ...page } })),
    blobs: (height) => readPages((page) => callRoute(blobs, { params: { height }, query: { sort: 'asc', ...page } })),
  }
}

function findRoute(routes: Route[], path: string): Route {
  const found = routes.find((route) => route.method === 'GET' && route.path === path)
  if (!found) throw new Invariant('route_missing', `there is no route ${path} to take notifications from`)
  return found
}

async function readPages(read: (page: { limit: number; offset: number }) => Promise<unknown>): Promise<WireObject[]> {
  const rows: WireObject[] = []
  for (;;) {
    const page = (await read({ limit: PAGE, offset: rows.length })) as WireObject[] | undefined
    rows.push(...(page ?? []))
    if (!page || page.length < PAGE) return rows
  }
}
