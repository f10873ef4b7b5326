import type { TSchema } from 'typebox'
import { collectRoutes, type Route } from '../api/collect-routes.ts'
import type { ApiContext } from '../api/route.ts'
import { allRoutes } from '../api/routes/all.ts'
import type { JsonSchema } from './describe-input.ts'
import { type Draft, nameOfRoute, type Operation, sell, type Tier } from './operation.ts'

/** An operation of the key surface, called with one flat set of inputs. */
export type KeyOperation = Operation & {
  route: Pick<Route, 'method' | 'path' | 'schema' | 'cost'>
  /** sent while it is made, without a bound */
  isExport: boolean
}

/** Groups only register here: nothing of a request is there to be used. */
const NOTHING = new Proxy({}, { get: () => undefined })

let known: ReadonlyMap<string, KeyOperation> | undefined

/** Every operation of the key surface, by the id that its description has. Made when first asked for: most processes never do. */
export function keyOperations(): ReadonlyMap<string, KeyOperation> {
  return (known ??= collectOperations())
}

function collectOperations(): ReadonlyMap<string, KeyOperation> {
  const routes = collectRoutes(allRoutes, { network: {}, db: NOTHING, watch: NOTHING } as unknown as ApiContext)
  return new Map(
    routes
      .filter(({ schema }) => !schema.isAlias)
      .map((route) => [
        route.schema.operationId,
        { ...sell(draftOf(route)), method: route.method, route, isExport: isExport(route.schema.response[200]) },
      ]),
  )
}

function isExport(answer: TSchema): boolean {
  const { anyOf = [] } = answer as { anyOf?: { format?: string }[] }
  return anyOf.some(({ format }) => format === 'csv')
}

/** Terms of a route as an operation. A body is given as further inputs: its fields are texts and numbers like those of a query. */
export function draftOf(route: Route): Draft {
  const { path, schema, method } = route
  const name = nameOfRoute(route)
  return {
    id: schema.operationId,
    path: path.replace(/:(\w+)/g, '{$1}'),
    tier: tierOf(route),
    label: schema.tags[0]!,
    summary: schema.summary,
    params: schema.params?.properties ?? {},
    query: (schema.body ?? schema.querystring)?.properties ?? {},
    answer: { schema: schema.response[200] as object as JsonSchema, example: {} },
    routes: [name],
    handle: ({ call }, { params, query }) => call(name, method === 'GET' ? { params, query } : { params, body: query }),
  }
}

/** Reads, lists, and what takes more work: series, histories, proofs and statistics. */
function tierOf({ path, cost }: Route): Tier {
  if (cost >= 5 || /\/(history|statement|proof|export)$/.test(path)) return 'C'
  return cost > 1 ? 'B' : 'A'
}
