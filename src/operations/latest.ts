import type { Binders, Bound, BoundRequest } from '../api/http/bind.ts'
import { parseQuery, type QueryText } from '../api/http/query-string.ts'

/** Word for the newest height that is indexed, wherever an operation takes a `height`. */
export const LATEST = 'latest'

/** A bound input that depends on the head: `atHead` binds it again with that height. */
type BoundAtHead = Bound & { atHead?: (height: number) => Bound }

/** Binders that take `latest` as a height. Texts are judged with the first height in its place; the height itself is known when the answer is read. */
export function takeLatest({ bindParams, bindQuery }: Binders): Binders {
  const paramsAt = (params: Record<string, string>) => (height: number) => bindParams({ ...params, height: String(height) })
  const queryAt = (query: Map<string, QueryText>) => (height: number) =>
    bindQuery(new Map([...query, ['height', String(height)]]))
  const bind = (isLatest: boolean, plain: () => Bound, atHead: (height: number) => Bound): BoundAtHead =>
    isLatest ? { ...atHead(1), atHead } : plain()
  return {
    bindParams: (params) => bind(params.height === LATEST, () => bindParams(params), paramsAt(params)),
    bindQuery: (query) => bind(query.get('height') === LATEST, () => bindQuery(query), queryAt(query)),
  }
}

/** The request with the height of the head in place of `latest`, also in its address, by which answers are kept. */
export function resolveLatest(request: BoundRequest, head: number | undefined): BoundRequest {
  const [params, query] = [request.params as BoundAtHead, request.query as BoundAtHead]
  if (!params.atHead && !query.atHead) return request
  // Nothing is indexed: no block has this height.
  const height = head ?? 1
  const [path = '', search = ''] = request.url.split('?')
  const rest = [...parseQuery(search)].map(([name, text]) => `${name}=${name === 'height' ? height : String(text)}`)
  const url = `${path.replace(new RegExp(`/${LATEST}(?=/|$)`), `/${height}`)}?${rest.join('&')}`
  return { ...request, url, params: params.atHead?.(height) ?? params, query: query.atHead?.(height) ?? query }
}
