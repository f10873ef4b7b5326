import { collectRoutes, type Route } from '../api/collect-routes.ts'
import { Missing } from '../api/http/errors.ts'
import { parseQuery } from '../api/http/query-string.ts'
import { type ApiContext, type RouteGroup, WithHeaders } from '../api/route.ts'
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
    findRoute(routes, '/v1/block/:'),
    findRoute(routes, '/v1/gas/price'),
  ]
  const txs = findRoute(routes, '/v1/tx')
  const blobs = findRoute(routes, '/v1/block/:/blobs')

  return {
    head: (at) => {
      shown = at
      return ask(head)
    },
    block: (height) => ask(block, 'stats=true', height) as Promise<WireObject | undefined>,
    gasPrice: () => ask(gasPrice),
    txs: (height) => readPages((offset) => ask(txs, `height=${height}&sort=asc&limit=${PAGE}&offset=${offset}`)),
    blobs: (height) => readPages((offset) => ask(blobs, `sort=asc&limit=${PAGE}&offset=${offset}`, height)),
  }
}

/** Parameters of a path have no names here: `/v1/block/:`. */
function findRoute(routes: Route[], path: string): Route {
  const found = routes.find((route) => route.method === 'GET' && route.path.replaceAll(/:\w+/g, ':') === path)
  if (!found) throw new Invariant('route_missing', `there is no route ${path} to take notifications from`)
  return found
}

async function ask(route: Route, query = '', param?: number): Promise<unknown> {
  const name = /:(\w+)/.exec(route.path)?.[1]
  const request = {
    query: route.bindQuery(parseQuery(query)).values,
    params: route.bindParams(name ? { [name]: String(param) } : {}).values,
    body: {},
  }
  try {
    const answer = await route.handle(request)
    return answer instanceof WithHeaders ? answer.value : answer
  } catch (error) {
    if (error instanceof Missing) return undefined
    throw error
  }
}

async function readPages(read: (offset: number) => Promise<unknown>): Promise<WireObject[]> {
  const rows: WireObject[] = []
  for (;;) {
    const page = (await read(rows.length)) as WireObject[] | undefined
    rows.push(...(page ?? []))
    if (!page || page.length < PAGE) return rows
  }
}
