import { timeFromPg } from './state/column.ts'

/** How values of PostgreSQL become values of ours, for every pool: nothing is rounded on the way. */

/** Ids are height * 2^24 + position: exact as a JS number below height 2^29. So are counts, nonces and chain ids. */
export const int8 = { to: 20, from: [20], serialize: (n: number) => String(n), parse: Number }

/** Kept as text: a Date would drop the microseconds. */
export const time = { to: 1184, from: [1184], serialize: (s: string) => s, parse: timeFromPg }

/** Amounts stay text. */
export const numeric = { to: 1700, from: [1700], serialize: (s: string | bigint) => String(s), parse: (s: string) => s }

/** Kept as text: a Date would move the day with the time zone. */
export const date = { to: 1082, from: [1082], serialize: (s: string) => s, parse: (s: string) => s }
