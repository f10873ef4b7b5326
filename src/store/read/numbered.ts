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

/** `from` inclusive, `to` exclusive, unix seconds; the bounds are looked up as heights, so that the list never compares times. */
export function withinPeriod(sql: Reader, f: { from?: number | undefined; to?: number | undefined }, id = sql`r.id`) {
  const firstIdAt = (seconds: number) => sql`
    (select b.height::bigint << 24 from block b where b.time >= to_timestamp(${seconds}) order by b.time limit 1)`
  return sql`
    ${f.from === undefined ? sql`` : sql`and ${id} >= ${firstIdAt(f.from)}`}
    ${f.to === undefined ? sql`` : sql`and ${id} < coalesce(${firstIdAt(f.to)}, 9223372036854775807)`}`
}
