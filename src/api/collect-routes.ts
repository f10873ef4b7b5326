import type { Client } from '../lib/turn-queue.ts'
import { lightenSql } from '../store/read/light-sql.ts'
import { type Binders, type Bound, compileBody, compileParams, compileQuery } from './http/bind.ts'
import { type ListForms, listFormsOf } from './lists/forms.ts'
import { requireState } from './no-state.ts'
import type { ApiContext, CachePolicy, RouteGroup, RouteOptions, RouteRight, RouteSchema, Routes, Streamed } from './route.ts'

type Values = Record<string, unknown>

/** Skipping this many index entries takes 0.1 s, with filters that look at other tables up to 1 s. */
const DEEPEST_OFFSET = 1_000_000

/** A registered route with its binders: all that the server, the description and other surfaces need. */
export type Route = Binders & {
  method: 'GET' | 'POST'
  /** with its prefix, parameters as `:name` */
  path: string
  schema: RouteSchema
  cache: CachePolicy
  cost: number
  needs: RouteRight | undefined
  needsState: boolean
  mayBeDetached: boolean
  /** of a list; deeper ones are refused */
  deepestOffset: number
  cursorOf: ((row: unknown, query: Values) => number | undefined) | undefined
  /** the other forms of a list that is read; undefined for everything else */
  list: ListForms | undefined
  bindBody: (body: unknown) => Bound
  /** undefined means 204 */
  handle: (request: {
    query: Values
    params: Values
    body: Values
    client: Client
  }) => Promise<unknown | Streamed | undefined> | unknown
}

export const PREFIX = '/v1'

/** Runs the groups once and collects what they register. */
export function collectRoutes(groups: RouteGroup[], ctx: ApiContext): Route[] {
  const routes: Route[] = []
  const add = (method: 'GET' | 'POST', path: string, options: RouteOptions<RouteSchema>, handler: unknown) => {
    const { schema } = options
    const needsState = options.needsState ?? true
    const isList = (schema.response[200] as { type?: string }).type === 'array'
    routes.push({
      method,
      path: PREFIX + path,
      schema,
      cache: method === 'GET' ? (options.cache ?? 'head') : 'none',
      cost: options.cost ?? (isList ? 2 : 1),
      needs: options.needs,
      needsState,
      mayBeDetached: options.mayBeDetached ?? false,
      deepestOffset: options.deepestOffset ?? DEEPEST_OFFSET,
      cursorOf: options.cursorOf as Route['cursorOf'],
      list: method === 'GET' ? listFormsOf(schema) : undefined,
      bindQuery: compileQuery(schema.querystring),
      bindParams: compileParams(schema.params),
      bindBody: compileBody(schema.body),
      handle: needsState ? withState(handler as Route['handle'], ctx) : (handler as Route['handle']),
    })
  }
  const app: Routes = {
    get: (path, options, handler) => add('GET', path, options as unknown as RouteOptions<RouteSchema>, handler),
    post: (path, options, handler) => add('POST', path, options as unknown as RouteOptions<RouteSchema>, handler),
  }
  const light = { ...ctx, db: lightenSql(ctx.db) }
  for (const group of groups) group(app, light)
  return routes
}

/** Here, so that no surface can forget it: whatever asks a route asks this. */
function withState(handle: Route['handle'], { head }: Pick<ApiContext, 'head'>): Route['handle'] {
  return (request) => {
    requireState(head())
    return handle(request)
  }
}
