import { Fragment, type Value } from './statement.ts'

export { Fragment }

export type Sort = 'asc' | 'desc'

const piece = (strings: TemplateStringsArray, ...values: Value[]) => new Fragment(strings, values)

const NOTHING = piece``
const ASCENDING = piece`asc`
const DESCENDING = piece`desc`
const ABOVE = piece`>`
const BELOW = piece`<`

/** A tag for pieces that are left out when a value in them is undefined. */
export const optional = (strings: TemplateStringsArray, ...values: (Value | undefined)[]): Fragment =>
  values.includes(undefined) ? NOTHING : piece(strings, ...(values as Value[]))

/** Optional piece for a value that is not put into it as it is. */
export const given = <T>(value: T | undefined, write: (value: T) => Fragment): Fragment =>
  value === undefined ? NOTHING : write(value)

export const direction = (sort: Sort): Fragment => (sort === 'asc' ? ASCENDING : DESCENDING)

/** Compares with a cursor: what follows it in this order. */
export const beyond = (sort: Sort): Fragment => (sort === 'asc' ? ABOVE : BELOW)
