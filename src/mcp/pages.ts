import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'

/** Entries of one page of a list of the protocol. */
const PAGE = 50

/** The page that a cursor of ours names; the first without one. Any other cursor is an error of the caller, as the protocol asks. */
export function pageOf<T>(all: readonly T[], cursor: string | undefined): { page: T[]; nextCursor?: string } {
  const from = cursor === undefined ? 0 : Number.parseInt(Buffer.from(cursor, 'base64url').toString(), 10)
  const isOurs = cursor === undefined || (from > 0 && from < all.length && from % PAGE === 0)
  if (!isOurs) throw new McpError(ErrorCode.InvalidParams, 'the cursor is none of this list')
  const next = from + PAGE
  const page = all.slice(from, next)
  return next < all.length ? { page, nextCursor: Buffer.from(String(next)).toString('base64url') } : { page }
}
