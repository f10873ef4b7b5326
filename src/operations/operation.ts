import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { CallInputs } from '../api/call-route.ts'
import type { Route } from '../api/collect-routes.ts'
import { type Binders, compileParams, compileQuery } from '../api/http/bind.ts'
import type { Db } from '../store/db.ts'
import type { Head } from '../store/read/head/head.ts'
import type { JsonSchema } from './describe-input.ts'
import { takeLatest } from './latest.ts'

export type Tier = 'A' | 'B' | 'C'

/** Rows of a long list that one price is for. */
export const ROWS_PER_PRICE = 100

/** USD per request, as the price objects show it. */
export const TIER_USD: Record<Tier, string> = { A: '0.001000', B: '0.002000', C: '0.005000' }

export const LABELS = [
  'State',
  'Blocks',
  'Addresses',
  'Transactions',
  'Blobs',
  'Namespaces',
  'Validators',
  'Rollups',
  'Search',
  'Statistics',
] as const
export type Label = (typeof LABELS)[number]

/** The handlers of the key surface, called by value. */
export type KeyRoutes = {
  /** Result of one of the operation's routes; undefined when there is none. */
  call: (path: string, inputs?: CallInputs) => Promise<unknown>
  db: Db
  /** The head that the answer is read at; undefined until the first block is indexed. */
  head: () => Head | undefined
}

type Values = Record<string, unknown>

/** One thing that is sold. Routing, validation, offers, prices and descriptions all come from here. */
export type ForSale = Binders & {
  id: string
  method: 'GET' | 'POST'
  /** with `{name}` parameters */
  path: string
  /** group of the price list */
  tier: Tier | 'plan'
  /** price of a request; of a list that is sold by its rows for each ROWS_PER_PRICE of them */
  usd: string
  /** Rows that a request asks for, where the price depends on them. */
  rowsOf?: (target: string) => number
  /** described in full where it comes from, and briefly here */
  isBrief?: boolean
  /** section of the price list */
  label: string
  summary: string
  params: TProperties
  query: TProperties
  /** texts of headers that it reads beside those of the payment */
  headers?: TProperties
  answer: { schema: JsonSchema; example: unknown }
  /** 204 when nothing is found instead of 404; a 204 is an answer and is charged */
  isEmptyAnswer?: boolean
}

/** An answer of the index that is sold. */
export type Operation = ForSale & {
  tier: Tier
  /** routes of the key surface that it is made of */
  routes: readonly string[]
  /** undefined when nothing is found */
  handle: (key: KeyRoutes, request: { params: Values; query: Values }) => Promise<unknown>
}

/** Terms of an operation. Without `handle` it is the route of the same path with the same inputs. */
export type Draft<P extends TProperties = TProperties, Q extends TProperties = TProperties> = Pick<
  Operation,
  'id' | 'path' | 'tier' | 'label' | 'summary' | 'answer' | 'isEmptyAnswer'
> & {
  params?: P
  query?: Q
  /** inputs of the route that are not the buyer's choice */
  fixed?: Values
  /** makes a record of this surface from one of the key surface */
  toRecord?: (record: Record<string, unknown>) => Record<string, unknown>
  routes?: readonly string[]
  handle?: (key: KeyRoutes, request: { params: Static<TObject<P>>; query: Static<TObject<Q>> }) => Promise<unknown>
}

type None = Record<never, never>

export function sell<P extends TProperties = None, Q extends TProperties = None>(draft: Draft<P, Q>): Operation {
  const { fixed = {}, toRecord, ...terms } = draft
  const route = routeOf(draft.path)
  const params: TProperties = draft.params ?? {}
  const query: TProperties = draft.query ?? {}
  const find: Operation['handle'] = async ({ call }, given) => {
    const found = await call(route, { params: given.params, query: { ...fixed, ...given.query } })
    return toRecord && found !== undefined ? mapRecords(found, toRecord) : found
  }
  return {
    ...terms,
    method: 'GET',
    usd: TIER_USD[draft.tier],
    params,
    query,
    routes: draft.routes ?? [route],
    ...takeLatest({ bindParams: compileParams(Type.Object(params)), bindQuery: compileQuery(Type.Object(query)) }),
    handle: (draft.handle as Operation['handle'] | undefined) ?? find,
  }
}

function mapRecords(found: unknown, toRecord: (record: Values) => Values): unknown {
  return Array.isArray(found) ? found.map(toRecord) : toRecord(found as Values)
}

/** Path in the syntax of the router. */
export const routeOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

/** Name that an operation calls a route by. */
export const nameOfRoute = ({ method, path }: Pick<Route, 'method' | 'path'>): string =>
  method === 'GET' ? path : `${method} ${path}`

/** Fills `{name}` parameters. */
export function fillPath(path: string, params: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
