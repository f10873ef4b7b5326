import { Fragment } from './statement.ts'

export { Fragment }

/** A piece that needs no connection to be part of a statement. */
const piece = (strings: TemplateStringsArray) => new Fragment(strings, [])

const NOTHING = piece``
const ASCENDING = piece`asc`
const DESCENDING = piece`desc`
const ABOVE = piece`>`
const BELOW = piece`<`

export type Sort = 'asc' | 'desc'

/** A piece that is only there when the value is. */
export function given<T>(value: T | undefined, write: (value: T) => Fragment): Fragment {
  return value === undefined ? NOTHING : write(value)
}

/** A piece that is only there under a condition. */
export function when(isThere: boolean, write: () => Fragment): Fragment {
  return isThere ? write() : NOTHING
}

export const direction = (sort: Sort): Fragment => (sort === 'asc' ? ASCENDING : DESCENDING)

/** Compares with a cursor: what follows it in this order. */
export const beyond = (sort: Sort): Fragment => (sort === 'asc' ? ABOVE : BELOW)
