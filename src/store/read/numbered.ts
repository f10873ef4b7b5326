import type { Reader } from '../db.ts'

export type NumberedPage = { limit: number; offset: number; cursor?: number | undefined; sort: 'asc' | 'desc' }

/**
 * Order and cursor of append-only rows `r` numbered by height and position. Their key is (height, id), their other indexes are
 * (owner, id); ids grow with the height, so both give the same order. `byOwner` says which of the two indexes is to be walked.
 */
export function orderNumbered(sql: Reader, f: NumberedPage, byOwner: boolean) {
  const dir = f.sort === 'asc' ? sql`asc` : sql`desc`
  const beyond = f.sort === 'asc' ? sql`>` : sql`<`
  const after = () =>
    byOwner
      ? sql`and r.id ${beyond} ${f.cursor!}`
      : sql`and (r.height, r.id) ${beyond} ((${f.cursor!}::bigint >> 24)::integer, ${f.cursor!}::bigint)`
  return {
    order: byOwner ? sql`r.id ${dir}` : sql`r.height ${dir}, r.id ${dir}`,
    after: f.cursor === undefined ? sql`` : after(),
    /** A cursor replaces the offset. */
    offset: f.cursor === undefined ? f.offset : 0,
  }
}
