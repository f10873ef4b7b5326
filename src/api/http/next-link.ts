import type { Route } from '../collect-routes.ts'
import type { BoundRequest } from './bind.ts'

/** `Link` to the next page of a full page: by cursor where the list has one in this order, else by offset. */
export function nextLink(route: Route, request: BoundRequest, result: unknown): string | undefined {
  const { limit, offset } = request.query.values
  if (!Array.isArray(result) || typeof limit !== 'number' || typeof offset !== 'number' || result.length < limit) return undefined
  const cursor = route.cursorOf?.(result.at(-1), request.query.values)
  const mark = request.url.indexOf('?')
  const path = mark < 0 ? request.url : request.url.slice(0, mark)
  // From the bound values, not from the url: answers are shared, and what else stood in one caller's query is nobody's business.
  const query = new URLSearchParams(request.query.key)
  query.delete('cursor')
  query.delete('offset')
  if (cursor === undefined) query.set('offset', String(offset + result.length))
  else query.set('cursor', String(cursor))
  return `<${path}?${query}>; rel="next"`
}
