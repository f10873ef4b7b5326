import type { Route } from '../collect-routes.ts'
import type { BoundRequest } from '../http/bind.ts'

/** A page that was written: how many rows it has and the last of them; `isCut` when it would have been too long with all of them. */
export type Page = { count: number; last: unknown; isCut: boolean }

/** `Link` to the next page of a full or cut page: by cursor where the list has one in this order, else by offset. */
export function nextLink(route: Route, request: BoundRequest, { count, last, isCut }: Page): string | undefined {
  const { limit, offset } = request.query.values
  if (typeof limit !== 'number' || typeof offset !== 'number' || (count < limit && !isCut)) return undefined
  const cursor = route.cursorOf?.(last, request.query.values)
  const mark = request.url.indexOf('?')
  const path = mark < 0 ? request.url : request.url.slice(0, mark)
  // From the bound values, not from the url: answers are shared, and what else stood in one caller's query is nobody's business.
  const query = new URLSearchParams(request.query.key)
  query.delete('cursor')
  query.delete('offset')
  if (cursor === undefined) query.set('offset', String(offset + count))
  else query.set('cursor', String(cursor))
  return `<${path}?${query}>; rel="next"`
}
