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
import { Invariant } from '../lib/errors.ts'
import { CATALOG } from './catalog.ts'
import { toGetRoute } from './key-operations.ts'
import { resolveLatest } from './latest.ts'
import { type Operation, routeOf } from './operation.ts'
import { inlineRecords } from './records.ts'

/** Cost of a call that is charged to a plan: that of each route behind it. */
export type OperationCost = readonly Pick<Route, 'cost' | 'needs'>[]

/** The operations of the catalogue and of the key surface over one network. */
export type Operations = {
  /** Throws what the handlers of the key surface throw. */
  answer: (operation: Operation, request: BoundRequest) => Promise<Answer>
  costOf: (operation: Operation) => OperationCost
  /** Throws 409 where this index cannot answer it, whatever is asked: it began without the state that the operation reads. */
  check: (operation: Operation) => void
  close: () => void
}

/** Operations are routes like those of the key surface, made of its handlers: read at one head, bounded and kept by the same responder. */
export function openOperations(ctx: ApiContext, options: ResponderOptions = {}): Operations {
  const all = collectRoutes(allRoutes, ctx)
  const keyRoutes = new Map(all.flatMap((route) => (route.method === 'GET' ? [[route.path, route] as const] : [])))
  const { cacheBytes } = options
  const halved = { ...options, ...(cacheBytes !== undefined && { cacheBytes: cacheBytes / 2 }) }
  // Answers are kept by path, and a sold record differs from that of the same path of the key surface.
  const responders = { sold: new Responder(ctx.watch, halved), key: new Responder(ctx.watch, halved) }
  const served = new Map<string, Served>([
    ...CATALOG.map((operation): [string, Served] => [
      operation.id,
      { ...toRoute(operation, ctx, keyRoutes), responder: responders.sold },
    ]),
    ...all.map((route): [string, Served] => [
      route.schema.operationId,
      { cost: [route], route: toGetRoute(route), responder: responders.key },
    ]),
  ])
  return {
    async answer({ id, path }, request) {
      const { responder, route } = served.get(id)!
      const answer = await responder.respond(route, resolveLatest(request, ctx.head()?.last_height))
      if (!(answer instanceof Streamed)) return answer
      await answer.chunks[Symbol.asyncIterator]().return?.()
      throw new HttpError(413, 'streamed', `this answer is sent while it is made: read it over REST at ${path}`)
    },
    costOf: ({ id }) => served.get(id)!.cost,
    check({ id }) {
      if (served.get(id)!.route.needsState) requireState(ctx.head())
    },
    close: () => {
      for (const responder of Object.values(responders)) responder.close()
    },
  }
}

type Served = { cost: OperationCost; route: Route; responder: Responder }

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
