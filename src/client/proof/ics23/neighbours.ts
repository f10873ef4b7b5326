import { equal } from '../encoding.ts'
import type { InnerOp } from './ops.ts'
import type { InnerSpec } from './spec.ts'

/** Whether no leaf stands left of the one at the end of this way. */
export function isLeftmost(spec: InnerSpec, path: readonly InnerOp[]): boolean {
  return path.every((op) => isBranch(spec, op, 0) || areLeftBranchesEmpty(spec, op))
}

/** Whether no leaf stands right of it. */
export function isRightmost(spec: InnerSpec, path: readonly InnerOp[]): boolean {
  return path.every((op) => isBranch(spec, op, spec.childOrder.length - 1) || areRightBranchesEmpty(spec, op))
}

/** Whether no leaf stands between the ends of two ways: they part at neighbouring branches, and keep to the gap from there on. */
export function areNeighbours(spec: InnerSpec, left: readonly InnerOp[], right: readonly InnerOp[]): boolean {
  let depth = 1
  const isShared = (a: InnerOp | undefined, b: InnerOp | undefined) =>
    a !== undefined && b !== undefined && equal(a.prefix, b.prefix) && equal(a.suffix, b.suffix)
  while (isShared(left.at(-depth), right.at(-depth))) depth++
  const topLeft = left.at(-depth)
  const topRight = right.at(-depth)
  if (!topLeft || !topRight) return false
  const branch = findBranch(spec, topLeft)
  if (branch === undefined || findBranch(spec, topRight) !== branch + 1) return false
  return isRightmost(spec, left.slice(0, -depth)) && isLeftmost(spec, right.slice(0, -depth))
}

/** Which child of its parent a node is; undefined when it can be none. */
function findBranch(spec: InnerSpec, op: InnerOp): number | undefined {
  const branch = spec.childOrder.findIndex((_, i) => isBranch(spec, op, i))
  return branch < 0 ? undefined : branch
}

function isBranch(spec: InnerSpec, { prefix, suffix }: InnerOp, branch: number): boolean {
  const position = spec.childOrder.indexOf(branch)
  const before = position * spec.childSize
  const behind = (spec.childOrder.length - 1 - position) * spec.childSize
  return (
    prefix.length >= before + spec.minPrefixLength && prefix.length <= before + spec.maxPrefixLength && suffix.length === behind
  )
}

export function areLeftBranchesEmpty(spec: InnerSpec, op: InnerOp): boolean {
  const count = findBranch(spec, op) ?? 0
  const start = op.prefix.length - count * spec.childSize
  if (count === 0 || start < 0) return false
  return isEmpty(spec, op.prefix, start, count)
}

export function areRightBranchesEmpty(spec: InnerSpec, op: InnerOp): boolean {
  const branch = findBranch(spec, op)
  const count = branch === undefined ? 0 : spec.childOrder.length - 1 - branch
  if (count === 0 || op.suffix.length !== count * spec.childSize) return false
  return isEmpty(spec, op.suffix, 0, count)
}

/** Whether `count` children from `start` on are those of which the tree says that nothing is below them. */
function isEmpty(spec: InnerSpec, bytes: Uint8Array, start: number, count: number): boolean {
  for (let branch = 0; branch < count; branch++) {
    const from = start + spec.childOrder.indexOf(branch) * spec.childSize
    if (!equal(spec.emptyChild, bytes.subarray(from, from + spec.childSize))) return false
  }
  return true
}
