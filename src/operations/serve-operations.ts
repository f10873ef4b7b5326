import { Type } from 'typebox'
import { type CallInputs, callRoute } from '../api/call-route.ts'
import { collectRoutes, type Route } from '../api/collect-routes.ts'
import type { Answer } from '../api/http/answer.ts'
import type { BoundRequest } from '../api/http/bind.ts'
import { Responder, type ResponderOptions } from '../api/http/responder.ts'
import { requireState } from '../api/no-state.ts'
import { type ApiContext, Streamed } from '../api/route.ts'
import { allRoutes } from '../api/routes/all.ts'
import type { SoldGroup } from '../config/paid-schema.ts'
import { Invariant } from '../lib/errors.ts'
import { CATALOG } from './catalog.ts'
import { deriveOperations } from './derive-operations.ts'
import { type Operation, routeOf } from './operation.ts'
import { inlineRecords } from './records.ts'

/** Cost of a call that is charged to a plan: that of each route behind it. */
export type OperationCost = readonly (Pick<Route, 'cost' | 'needs'> & { schema?: Route['schema'] })[]

/** The operations of the catalogue over one network. */
export type Operations = {
  /** what is served, in the order of the price list */
  items: readonly Operation[]
  /** Throws what the handlers of the key surface throw. */
  answer: (operation: Operation, request: BoundRequest) => Promise<Answer>
  costOf: (operation: Operation) => OperationCost
  /** Throws 409 where this index cannot answer it, whatever is asked: it began without the state that the operation reads. */
  check: (operation: Operation) => void
  close: () => void
}

/** `sells`: groups that are served. */
export type OperationsOptions = ResponderOptions & { sells?: readonly SoldGroup[] }

/** Operations are routes like those of the key surface, made of its handlers: read at one head, bounded and kept by the same responder. */
export function openOperations(ctx: ApiContext, { sells = ['basic'], ...options }: OperationsOptions = {}): Operations {
  const all = collectRoutes(allRoutes, ctx)
  const keyRoutes = new Map(all.flatMap((route) => (route.method === 'GET' ? [[route.path, route] as const] : [])))
  const groups = new Set(sells)
  const items = [...(groups.has('basic') ? CATALOG : []), ...deriveOperations(all, groups)]
  const routes = new Map(items.map((operation) => [operation.id, toRoute(operation, ctx, keyRoutes)]))
  const responder = new Responder(ctx.watch, options)
  return {
    items,
    async answer({ id }, request) {
      const answer = await responder.respond(routes.get(id)!.route, request)
      if (answer instanceof Streamed) throw new Invariant('streamed_operation', `${id} has no end to charge for`)
      return answer
    },
    costOf: ({ id }) => routes.get(id)!.cost,
    check({ id }) {
      if (routes.get(id)!.route.needsState) requireState(ctx.head())
    },
    close: () => responder.close(),
  }
}

function toRoute(operation: Operation, ctx: ApiContext, keyRoutes: Map<string, Route>): { cost: OperationCost; route: Route } {
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
function checkNames({ path, schema }: Route, { query = {}, params = {} }: CallInputs, id: string): void {
  const known = { ...schema.querystring?.properties, ...schema.params?.properties }
  const unknown = Object.keys({ ...query, ...params }).find((name) => !(name in known))
  if (unknown !== undefined) throw new Invariant('input_missing', `${id} gives ${path} an input ${unknown} that it does not have`)
}
