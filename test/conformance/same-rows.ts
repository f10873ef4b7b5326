import type { Json } from '../../src/types/effects.ts'
import { type Difference, differences } from './differences.ts'

type Row = { [key: string]: Json }

/** Rows in which the pages of two services may differ and still hold the same list. */
export type Looseness = {
  /** rows of one block have no order in the reference, so a page that ends inside a block may hold others of it */
  ties?: boolean
  /** rows of this height are missing from the reference */
  without_height?: number
}

/**
 * A recorded page against the start of our own list: the same blocks in the same order, and every recorded row somewhere in the list.
 * `isOpen` tells which differences of a row count.
 */
export function differencesOfPage(
  expected: Row[],
  list: Row[],
  { ties = false, without_height }: Looseness,
  isOpen: (difference: Difference) => boolean,
): Difference[] {
  const ours = without_height === undefined ? list : list.filter(({ height }) => height !== without_height)
  const found: Difference[] = []
  const isSame = (theirs: Row, row: Row | undefined) => row !== undefined && !differences(theirs, row).some(isOpen)
  const heights = (rows: Row[]) => rows.map(({ height }) => height).join(' ')
  const page = ours.slice(0, expected.length)
  if (heights(page) !== heights(expected))
    found.push({ at: '', text: `heights ${heights(expected)} expected, got ${heights(page)}` })
  for (const [i, row] of expected.entries()) {
    const isThere = ties ? ours.some((candidate) => isSame(row, candidate)) : isSame(row, ours[i])
    if (!isThere) found.push({ at: `[${i}]`, text: `no such row: ${JSON.stringify(row).slice(0, 200)}` })
  }
  return found
}
