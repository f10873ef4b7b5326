import type { Route } from '../collect-routes.ts'
import type { BoundRequest } from '../http/bind.ts'
import { nextLink, type Page } from './next-link.ts'

type Query = Record<string, unknown>

/** A list that is read page by page until as many rows are there as were asked for. */
export class ListPages {
  readonly #route: Route
  readonly #request: BoundRequest
  readonly #pageRows: number
  readonly #limit: number
  #query: Query
  #seen: Page = { count: 0, last: undefined, isCut: false }
  #hasMore = true

  constructor(route: Route, request: BoundRequest) {
    const { limit } = request.query.values
    this.#route = route
    this.#request = request
    this.#pageRows = route.list?.pageRows ?? Number.POSITIVE_INFINITY
    this.#limit = typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY
    this.#query = { ...request.query.values, ...this.#nextLimit() }
  }

  /** Of the page that comes next. */
  get query(): Query {
    return this.#query
  }

  get hasMore(): boolean {
    return this.#hasMore
  }

  /** To the rows behind those that were asked for. */
  get link(): string | undefined {
    return nextLink(this.#route, this.#request, this.#seen)
  }

  /** The list continues by cursor where it has one in this order, else by offset. */
  add(page: Page): void {
    const { limit: asked } = this.#query
    const { values } = this.#request.query
    this.#seen = { ...page, count: this.#seen.count + page.count }
    const isFull = page.isCut || page.count === asked
    this.#hasMore = isFull && typeof values.offset === 'number' && this.#seen.count < this.#limit
    const cursor = this.#route.cursorOf?.(page.last, values)
    const place = cursor === undefined ? { offset: Number(values.offset) + this.#seen.count } : { cursor }
    this.#query = { ...values, ...place, ...this.#nextLimit() }
  }

  #nextLimit(): Query {
    const limit = Math.min(this.#pageRows, this.#limit - this.#seen.count)
    return Number.isFinite(limit) ? { limit } : {}
  }
}
