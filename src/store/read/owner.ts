/**
 * The list of an owner answers two things in one statement, so in one snapshot: is the owner known, and what does it own. It selects
 * `from <owner> left join lateral (<page>) page on true`, where every row of the page says `true as owned`.
 */
export type OwnedRow<Row> = Row & { owned: true | null }

/** Undefined when the owner is unknown (no row at all), `[]` when it owns nothing (one row of nulls). */
export function ownedRows<Row>(rows: readonly OwnedRow<Row>[]): Row[] | undefined {
  if (rows.length === 0) return undefined
  return rows[0]!.owned === null ? [] : rows.map(({ owned: _, ...row }) => row as Row)
}
