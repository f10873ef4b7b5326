import pg from 'pg'
import { timeFromPg } from '../state/column.ts'

type Parse = (text: string) => unknown

const BYTES: Parse = (text) => Buffer.from(text.slice(2), 'hex')
const TEXT: Parse = (text) => text
const TEXTS = pg.types.getTypeParser(1009 as never) as (text: string) => (string | null)[]
const listOf =
  (parse: Parse): Parse =>
  (text) =>
    TEXTS(text).map((item) => (item === null ? null : parse(item)))

/** How values become values of ours, by the type number of PostgreSQL: nothing is rounded on the way. What is not named is text. */
const PARSERS = new Map<number, Parse>([
  [16, (text) => text === 't'],
  [17, BYTES],
  // Ids are height * 2^24 + position: exact as a JS number below height 2^29. So are counts, nonces and chain ids.
  [20, Number],
  ...[21, 23, 26, 700, 701].map((oid): [number, Parse] => [oid, Number]),
  ...[114, 3802].map((oid): [number, Parse] => [oid, JSON.parse]),
  // Text: a Date would drop the microseconds. Dates and amounts are text too.
  [1184, timeFromPg],
  [1001, listOf(BYTES)],
  ...[1005, 1007, 1016, 1022].map((oid): [number, Parse] => [oid, listOf(Number)]),
  ...[1009, 1182, 1185, 1231].map((oid): [number, Parse] => [oid, listOf(TEXT)]),
])

export const TYPES = { getTypeParser: (oid: number) => PARSERS.get(oid) ?? TEXT } as pg.CustomTypesConfig
