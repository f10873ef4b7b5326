import { toHexUpper } from '../../lib/encoding/bytes.ts'
import { finish } from '../../lib/finish.ts'
import { freeLargeMemory } from '../../runtime/free-memory.ts'
import { buildSquare } from './build-square.ts'
import { growAxisRoots } from './data-root.ts'
import { layoutSquare } from './layout.ts'
import { dataRootOf, growTrees, type SquareTrees } from './square-trees.ts'
import { SIGNER_COUNTED_VERSION, toSquareTx } from './square-tx.ts'

/** The trees of a square whose root a header seals. */
export type SealedSquare = SquareTrees & {
  /** whose rules the layout follows */
  versionApp: number
}

export type SealedSearch = { sealed: SealedSquare | undefined; hashedShares: number }

/**
 * The square of these txs whose root is the one that a header seals; `dataHash` is upper-case hex. Before the signer counted, no header
 * tells which release of the layout a proposer ran: a block that fits either rule is right. Pauses where `isTurnOver` says so.
 */
export function* findSquare(
  rawTxs: readonly Uint8Array[],
  { versionApp, dataHash }: { versionApp: number; dataHash: string },
  isTurnOver: () => boolean,
): Generator<void, SealedSearch> {
  let hashedShares = 0
  for (const rule of new Set([versionApp, Math.max(versionApp, SIGNER_COUNTED_VERSION)])) {
    const txs = rawTxs.map((tx) => toSquareTx(tx, rule))
    const square = buildSquare(txs, layoutSquare(txs))
    const roots = yield* growAxisRoots(square, isTurnOver)
    hashedShares += roots.hashedShares
    const trees = growTrees(square.size, roots)
    freeLargeMemory(square.bytes.buffer)
    if (toHexUpper(dataRootOf(trees)) === dataHash) return { sealed: { ...trees, versionApp: rule }, hashedShares }
  }
  return { sealed: undefined, hashedShares }
}

/** Whether these are the txs that a header seals. */
export function matchesDataHash(txs: readonly Uint8Array[], versionApp: number, dataHash: string): boolean {
  return finish(findSquare(txs, { versionApp, dataHash }, () => false)).sealed !== undefined
}
