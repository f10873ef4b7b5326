import { Invariant } from '../lib/errors.ts'
import { callRoute } from './call-route.ts'
import { collectRoutes, type Route } from './collect-routes.ts'
import type { ApiContext, RouteGroup } from './route.ts'

export type WireObject = Record<string, unknown>

const PAGE = 100

type Values = Record<string, unknown>

/** Asks the handlers of routes within the process: what is pushed or sent cannot differ from what REST answers. */
export class RouteReader {
  readonly #routes: Route[]

  constructor(groups: RouteGroup[], ctx: ApiContext) {
    this.#routes = collectRoutes(groups, ctx)
  }

  /** By its path, as `/v1/block/:height`. Undefined is 204. */
  route(path: string): (query?: Values, params?: Values) => Promise<unknown> {
    const found = this.#routes.find((route) => route.method === 'GET' && route.path === path)
    if (!found) throw new Invariant('route_missing', `there is no route ${path} to take objects from`)
    return (query = {}, params = {}) => callRoute(found, { query, params })
  }

  /** All rows of a list, page by page. */
  list(path: string): (query: Values, params?: Values) => Promise<WireObject[]> {
    const read = this.route(path)
    return async (query, params) => {
      const rows: WireObject[] = []
      for (;;) {
        const page = (await read({ ...query, limit: PAGE, offset: rows.length }, params)) as WireObject[] | undefined
        rows.push(...(page ?? []))
        if (!page || page.length < PAGE) return rows
      }
    }
  }
}
