import type { Head } from '../../store/read/head/head.ts'
import type { Route } from '../collect-routes.ts'
import { BadRequest } from '../http/errors.ts'
import { LongList } from '../route.ts'

type Values = Parameters<Route['handle']>[0]

/**
 * Runs a handler so that its list answers every offset at once or refuses it, never by a timeout (docs/rules.md R8). No list has more
 * rows than the chain has things: an offset beyond them all is past the end, and the handler is asked for an empty page so that it
 * still looks its parent up. Before that, the first row that may be skipped to tells whether the list continues at all.
 */
export async function handleAtOffset(
  route: Pick<Route, 'handle' | 'deepestOffset' | 'cursorOf'>,
  values: Values,
  head: Head | undefined,
): Promise<unknown> {
  const { offset, cursor } = values.query
  const { deepestOffset: deepest } = route
  if (typeof offset !== 'number' || offset <= deepest || cursor !== undefined) return route.handle(values)
  const readPage = (page: { limit: number; offset: number }) => route.handle({ ...values, query: { ...values.query, ...page } })
  if (offset > countRows(head)) return readPage({ limit: 0, offset: 0 })
  const rows = await readPage({ limit: 1, offset: deepest })
  if (!(Array.isArray(rows) || rows instanceof LongList) || rows.length === 0) return rows
  const first = rows instanceof LongList ? rows.first : rows[0]
  const next = route.cursorOf?.(first, values.query)
  const way = next === undefined ? 'this order has no cursor' : `cursor=${next} reads on from offset ${deepest + 1}`
  throw new BadRequest(`offset must be ${deepest} or less: ${way}`, 'offset', 'offset_too_deep')
}

/** Generous: a message may be linked to several addresses, a grant makes several rows. */
function countRows(head: Head | undefined): number {
  if (!head) return 0
  return 4 * (head.last_height + head.total_tx + head.total_messages + head.total_events + head.total_blobs + head.total_accounts)
}
