import type { AxisRoots } from './data-root.ts'
import { buildMerkleLevels } from './merkle.ts'
import { foldToNmtRoot, NODE_SIZE } from './nmt.ts'

/** Trees that are kept of a square whose root is known: with them, shares are proven by hashing their own rows alone. 110 KB for a side of 256. */
export type SquareTrees = {
  /** side of the original square */
  size: number
  /** as of `AxisRoots` */
  halves: Uint8Array
  /** hashes of the tree over the roots of all rows and columns, up to the data root */
  levels: Uint8Array[]
}

export function growTrees(size: number, { rows, columns, halves }: Pick<AxisRoots, 'rows' | 'columns' | 'halves'>): SquareTrees {
  return { size, halves, levels: buildMerkleLevels([...rows, ...columns]) }
}

export function dataRootOf({ levels }: SquareTrees): Uint8Array {
  return levels.at(-1)!
}

/** Roots of the halves of a row of the original square. */
export function halvesOf({ halves }: SquareTrees, row: number): { left: Uint8Array; right: Uint8Array } {
  const [start, middle, end] = [0, 1, 2].map((half) => (2 * row + half) * NODE_SIZE) as [number, number, number]
  return { left: halves.slice(start, middle), right: halves.slice(middle, end) }
}

export function rowRootOf({ halves }: SquareTrees, row: number): Uint8Array {
  return foldToNmtRoot(halves.subarray(2 * row * NODE_SIZE, 2 * (row + 1) * NODE_SIZE))
}

export function measureTrees({ halves, levels }: SquareTrees): number {
  return levels.reduce((sum, { length }) => sum + length, halves.length)
}
