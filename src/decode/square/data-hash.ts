import { toHexUpper } from '../../lib/bytes.ts'
import { buildSquare } from './build-square.ts'
import { computeDataRoot } from './data-root.ts'
import { SIGNER_COUNTED_VERSION, toSquareTx } from './square-tx.ts'

/**
 * Whether these are the txs that a header seals: `dataHash` (upper-case hex) is the root of their square. Before the signer counted, no
 * header tells which release of the layout a proposer ran: a block that fits either rule is right.
 */
export function matchesDataHash(txs: readonly Uint8Array[], versionApp: number, dataHash: string): boolean {
  const rules = new Set([versionApp, Math.max(versionApp, SIGNER_COUNTED_VERSION)])
  return [...rules].some((rule) => toHexUpper(computeDataRoot(buildSquare(txs.map((tx) => toSquareTx(tx, rule))))) === dataHash)
}
