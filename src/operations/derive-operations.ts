import { type TProperties, Type } from 'typebox'
import type { Route } from '../api/collect-routes.ts'
import { compileQuery } from '../api/http/bind.ts'
import { queryOf } from '../api/http/read-request.ts'
import { Streamed } from '../api/route.ts'
import { Limit } from '../api/schema/query.ts'
import type { SoldGroup } from '../config/paid-schema.ts'
import { CATALOG } from './catalog.ts'
import type { JsonSchema } from './describe-input.ts'
import { draftOf } from './key-operations.ts'
import { type Operation, ROWS_PER_PRICE, routeOf, sell } from './operation.ts'
import { anObject, list } from './records.ts'

/** Rows of a list that is sold by their number. */
const MOST_ROWS = 1000

const Rows = Type.Integer({
  ...Limit,
  maximum: MOST_ROWS,
  clamp: MOST_ROWS,
  description: `rows of a page; the price is for each ${ROWS_PER_PRICE}`,
})

/** Contents of blobs are sold by no one: their size has no bound that a price could know. */
const NOT_SOLD: ReadonlySet<string> = new Set(['list-namespace-blob-contents', 'get-block-ods'])

/** Kinds of answers that are groups of their own, whatever they are about. */
const KINDS: readonly [group: SoldGroup, path: RegExp][] = [
  ['proofs', /\/proof$/],
  ['exports', /\/export$/],
  ['statements', /\/statement$/],
  ['series', /\/series\b|:timeframe/],
]

const GROUP_OF_TAG: Record<string, SoldGroup> = {
  general: 'state',
  search: 'state',
  block: 'blocks',
  tx: 'transactions',
  namespace: 'namespaces',
  address: 'addresses',
  vesting: 'addresses',
  validator: 'validators',
  supply: 'supply',
  proposal: 'governance',
  signal: 'governance',
  rollup: 'rollups',
  gas: 'gas',
  stats: 'statistics',
  ibc: 'ibc',
  hyperlane: 'hyperlane',
  forwarding: 'hyperlane',
}

/** Group of a route of the key surface; undefined when it is not sold, or sold in its own form (`CATALOG`). */
export function groupOf({ method, path, schema }: Pick<Route, 'method' | 'path' | 'schema'>): SoldGroup | undefined {
  const [tag = ''] = schema.tags
  if (method !== 'GET' || NOT_SOLD.has(schema.operationId) || SOLD_ROUTES.has(path)) return undefined
  const kind = KINDS.find(([, pattern]) => pattern.test(path))?.[0]
  if (kind) return kind
  return path.endsWith('/history') && tag !== 'gas' ? 'history' : GROUP_OF_TAG[tag]
}

const SOLD_ROUTES: ReadonlySet<string> = new Set(CATALOG.map(({ path }) => routeOf(path)))

/** Operations of the key surface as they are: names, inputs, limits and descriptions are those of the routes. */
export function deriveOperations(routes: readonly Route[], groups: ReadonlySet<SoldGroup>): Operation[] {
  return routes.flatMap((route) => {
    const group = groupOf(route)
    return group !== undefined && groups.has(group) && !route.schema.isAlias ? [derive(route, group)] : []
  })
}

function derive(route: Route, group: SoldGroup): Operation {
  const { path, schema } = route
  const given: TProperties = schema.querystring?.properties ?? {}
  const isPerRows = group === 'exports' || ('limit' in given && (schema.response[200] as JsonSchema).type === 'array')
  return {
    ...sell({
      ...draftOf(route),
      id: schema.operationId.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      label: `${group[0]!.toUpperCase()}${group.slice(1)}`,
      query: isPerRows ? { ...given, limit: Rows } : given,
      answer: answerOf(schema.response[200] as JsonSchema, group),
      handle: async ({ call }, { params, query }) => {
        const { limit, ...rest } = query as { limit: number }
        const found = await call(path, { params, query: 'limit' in given ? query : rest })
        return found instanceof Streamed ? readLines(found, limit) : found
      },
    }),
    isBrief: true,
    ...(isPerRows && { rowsOf: readRows }),
  }
}

function answerOf(schema: JsonSchema, group: SoldGroup): Operation['answer'] {
  if (group === 'exports') return { schema: anObject, example: { csv: 'time,height\n', rows: 0 } }
  if (schema.type === 'array') return { schema: list(), example: [{}] }
  if (schema.type === 'object') return { schema: anObject, example: {} }
  return { schema: { type: schema.type ?? 'string' }, example: schema.type === 'integer' ? 42 : '0.002' }
}

const bindRows = compileQuery(Type.Object({ limit: Rows }))

/** Rows that a request asks for; of one that will be refused the least. */
function readRows(target: string): number {
  try {
    return bindRows(queryOf({ url: target })).values.limit as number
  } catch {
    return 1
  }
}

/** The first lines of a stream below its header. */
async function readLines({ chunks }: Streamed, limit: number): Promise<{ csv: string; rows: number }> {
  const lines: string[] = []
  for await (const chunk of chunks) {
    lines.push(...chunk.split(/(?<=\n)/))
    if (lines.length > limit) break
  }
  const kept = lines.slice(0, limit + 1)
  return { csv: kept.join(''), rows: kept.length - 1 }
}
