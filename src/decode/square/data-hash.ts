import { toHexUpper } from '../../lib/encoding/bytes.ts'
import { freeLargeMemory } from '../../runtime/free-memory.ts'
import { buildSquare, type SquareTx } from './build-square.ts'
import { type AxisRoots, computeAxisRoots } from './data-root.ts'
import { layoutSquare, type SquareLayout } from './layout.ts'
import { computeMerkleRoot } from './merkle.ts'
import { SIGNER_COUNTED_VERSION, toSquareTx } from './square-tx.ts'

/** The txs of a block as they stand in its square. */
export type SealedSquare = { txs: SquareTx[]; layout: SquareLayout; roots: AxisRoots }

/**
 * The square of these txs whose root is the one that a header seals; `dataHash` is upper-case hex. Before the signer counted, no header
 * tells which release of the layout a proposer ran: a block that fits either rule is right.
 */
export function findSquare(rawTxs: readonly Uint8Array[], versionApp: number, dataHash: string): SealedSquare | undefined {
  for (const rule of new Set([versionApp, Math.max(versionApp, SIGNER_COUNTED_VERSION)])) {
    const txs = rawTxs.map((tx) => toSquareTx(tx, rule))
    const layout = layoutSquare(txs)
    const square = buildSquare(txs, layout)
    const roots = computeAxisRoots(square)
    freeLargeMemory(square.bytes.buffer)
    if (toHexUpper(computeMerkleRoot([...roots.rows, ...roots.columns])) === dataHash) return { txs, layout, roots }
  }
  return undefined
}

/** Whether these are the txs that a header seals. */
export function matchesDataHash(txs: readonly Uint8Array[], versionApp: number, dataHash: string): boolean {
  return findSquare(txs, versionApp, dataHash) !== undefined
}
