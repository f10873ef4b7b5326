import { findSquare } from '../../decode/square/data-hash.ts'
import { NodeFault } from '../../lib/errors.ts'
import { finish } from '../../lib/finish.ts'
import type { ChainBlock } from '../../types/chain.ts'

export const describeFalseTxs = (height: number): string =>
  `the txs of height ${height} do not have the root that the header states`

/** The header seals the txs by the root of their square: a tx that was changed on the way shows here. Gives the side of the square. */
export function checkDataRoot({ height, txs, versionApp, hashes }: ChainBlock): number {
  const { sealed } = finish(findSquare(txs, { versionApp, dataHash: hashes.data_hash }, () => false))
  if (!sealed) throw new NodeFault('data_hash', describeFalseTxs(height), { height })
  return sealed.size
}
