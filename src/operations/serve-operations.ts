import { Type } from 'typebox'
import { type CallInputs, callRoute } from '../api/call-route.ts'
import { collectRoutes, type Route } from '../api/collect-routes.ts'
import type { Answer } from '../api/http/answer.ts'
import type { BoundRequest } from '../api/http/bind.ts'
import { HttpError } from '../api/http/errors.ts'
import { Responder, type ResponderOptions } from '../api/http/responder.ts'
import { requireState } from '../api/no-state.ts'
import { type ApiContext, Streamed } from '../api/route.ts'
import { allRoutes } from '../api/routes/all.ts'
import type { SoldGroup } from '../config/paid-schema.ts'
import { Invariant } from '../lib/errors.ts'
import { CATALOG } from './catalog.ts'
import { deriveOperations } from './derive-operations.ts'
import { resolveLatest } from './latest.ts'
import { nameOfRoute, type Operation, routeOf } from './operation.ts'
import { inlineRecords } from './records.ts'

/** Cost of a call that is charged to a plan: that of each route behind it. */
export type OperationCost = readonly (Pick<Route, 'cost' | 'needs'> & { schema?: Route['schema'] })[]

/** The operations of the catalogue and of the key surface over one network. */
export type Operations = {
  /** what is sold, in the order of the price list */
  items: readonly Operation[]
  /** Throws what the handlers of the key surface throw. */
  answer: (operation: Operation, request: BoundRequest) => Promise<Answer>
  costOf: (operation: Operation) => OperationCost
  /** Throws 409 where this index cannot answer it, whatever is asked: it began without the state that the operation reads. */
  check: (operation: Operation) => void
  close: () => void
}

/** `sells`: groups of the price list. */
export type OperationsOptions = ResponderOptions & { sells?: readonly SoldGroup[] }

type Served = { cost: OperationCost; route: Route }

/** Operations are routes like those of the key surface, made of its handlers: read at one head, bounded and kept by the same responder. */
export function openOperations(ctx: ApiContext, { sells = ['basic'], ...options }: OperationsOptions = {}): Operations {
  const all = collectRoutes(allRoutes, ctx)
  const keyRoutes = new Map(all.map((route) => [nameOfRoute(route), route]))
  const groups = new Set(sells)
  const items = [...(groups.has('basic') ? CATALOG : []), ...deriveOperations(all, groups)]
  const responder = new Responder(ctx.watch, options)
  const served = new Map<Operation, Served>()
  const serve = (operation: Operation): Served => {
    const known = served.get(operation)
    if (known) return known
    const { cost, route } = toRoute(operation, ctx, keyRoutes)
    // Answers are kept by path, and a sold record differs from that of the same path of the key surface.
    const own = { cost, route: { ...route, path: `${served.size} ${route.path}` } }
    served.set(operation, own)
    return own
  }
  return {
    items,
    async answer(operation, request) {
      const answer = await responder.respond(serve(operation).route, resolveLatest(request, ctx.head()?.last_height))
      if (!(answer instanceof Streamed)) return answer
      await answer.chunks[Symbol.asyncIterator]().return?.()
      throw new HttpError(413, 'streamed', `this answer is sent while it is made: read it over REST at ${operation.path}`)
    },
    costOf: (operation) => serve(operation).cost,
    check(operation) {
      if (serve(operation).route.needsState) requireState(ctx.head())
    },
    close: () => responder.close(),
  }
}

function toRoute(operation: Operation, ctx: ApiContext, keyRoutes: Map<string, Route>): Served {
  const { id, path, summary, label, answer, handle, routes, bindQuery, bindParams } = operation
  const parts = new Map(routes.map((name) => [name, findRoute(keyRoutes, name, id)]))
  const call = async (name: string, inputs: CallInputs = {}) => {
    const part = findRoute(parts, name, id)
    checkNames(part, inputs, id)
    return callRoute(part, inputs)
  }
  const all = [...parts.values()]
  return {
    cost: all,
    route: {
      method: 'GET',
      path: routeOf(path),
      schema: { operationId: id, summary, tags: [label], response: { 200: Type.Unsafe(inlineRecords(answer.schema) as object) } },
      cache: all.some(({ cache }) => cache === 'none')
        ? 'none'
        : all.every(({ cache }) => cache === 'closed')
          ? 'closed'
          : 'head',
      cost: all.reduce((sum, part) => sum + part.cost, 0),
      needs: undefined,
      needsState: all.some(({ needsState }) => needsState),
      mayBeDetached: all.some(({ mayBeDetached }) => mayBeDetached),
      deepestOffset: Math.min(...all.map(({ deepestOffset }) => deepestOffset)),
      cursorOf: undefined,
      list: undefined,
      bindQuery,
      bindParams,
      bindBody: () => ({ values: {}, key: '' }),
      handle: ({ params, query }) => handle({ call, db: ctx.db, head: ctx.head }, { params, query }),
    },
  }
}

function findRoute(routes: Map<string, Route>, path: string, id: string): Route {
  const found = routes.get(path)
  if (!found) throw new Invariant('route_missing', `${id} names no route ${path}`)
  return found
}

/** A name that the route does not know would be ignored in silence. */
function checkNames({ path, schema }: Route, { query = {}, params = {}, body = {} }: CallInputs, id: string): void {
  const known = { ...schema.querystring?.properties, ...schema.params?.properties, ...schema.body?.properties }
  const unknown = Object.keys({ ...query, ...params, ...body }).find((name) => !(name in known))
  if (unknown !== undefined) throw new Invariant('input_missing', `${id} gives ${path} an input ${unknown} that it does not have`)
}
