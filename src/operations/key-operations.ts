import { type TObject, type TSchema, Type } from 'typebox'
import { collectRoutes, type Route } from '../api/collect-routes.ts'
import { compileParams, compileQuery } from '../api/http/bind.ts'
import { ANYONE, type ApiContext } from '../api/route.ts'
import { allRoutes } from '../api/routes/all.ts'
import { CATALOG } from './catalog.ts'
import { takeLatest } from './latest.ts'
import type { Operation, Tier } from './operation.ts'

/** An operation of the key surface as agents call it: with one flat set of inputs. */
export type KeyOperation = Operation & { route: Pick<Route, 'method' | 'path' | 'schema' | 'cost'> }

/** Groups only register here: nothing of a request is there to be used. */
const NOTHING = new Proxy({}, { get: () => undefined })

/** Every operation of the key surface that gives one JSON answer, by the id that its description has. */
export const KEY_OPERATIONS: ReadonlyMap<string, KeyOperation> = new Map(
  collectRoutes(allRoutes, { network: {}, db: NOTHING, watch: NOTHING } as unknown as ApiContext)
    .filter(({ schema }) => !schema.isAlias && !isExport(schema.response[200]))
    .map((route) => [route.schema.operationId, toOperation(route)]),
)

function isExport(answer: TSchema): boolean {
  const { anyOf = [] } = answer as { anyOf?: { format?: string }[] }
  return anyOf.some(({ format }) => format === 'csv')
}

/** A body is given as further inputs: its fields are texts and numbers like those of a query. */
function toOperation(route: Route): KeyOperation {
  const { path, schema, method, cost } = route
  const params = schema.params ?? Type.Object({})
  const query = schema.body ?? schema.querystring ?? Type.Object({})
  return {
    id: schema.operationId,
    path: path.replace(/:(\w+)/g, '{$1}'),
    tier: tierOf(route),
    label: schema.tags[0]!,
    summary: schema.summary,
    params: params.properties,
    query: query.properties,
    answer: { schema: schema.response[200] as object as Operation['answer']['schema'], example: {} },
    routes: [path],
    ...takeLatest({ bindParams: compileParams(params as TObject), bindQuery: compileQuery(query as TObject) }),
    route: { method, path, schema, cost },
    handle: async () => undefined,
  }
}

/** Price of an operation: that of the one that is sold under the same path, else by what it takes. */
function tierOf({ path, needs, cost }: Route): Tier {
  const sold = CATALOG.find((operation) => operation.routes.length === 1 && operation.routes[0] === path)
  if (sold) return sold.tier
  return needs === 'statistics' ? 'C' : cost > 2 ? 'B' : 'A'
}

/** The route of a key operation, answered like a GET request whatever its method is. */
export function toGetRoute(route: Route): Route {
  if (route.method === 'GET') return route
  return {
    ...route,
    method: 'GET',
    handle: ({ query, params, client = ANYONE }) => route.handle({ query: {}, params, body: query, client }),
  }
}
