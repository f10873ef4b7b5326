import { OperatorError } from '../../lib/errors.ts'
import type { HeadRow } from '../state/account-tables.ts'

export type ChainIdentity = { chainId: string; genesisHash: string }

/** Throws unless the source serves the chain that the index holds, from the same genesis. */
export function requireIdentity(head: Pick<HeadRow, 'chain_id' | 'genesis_hash'>, identity: ChainIdentity): void {
  if (head.chain_id !== identity.chainId)
    throw new OperatorError(
      'wrong_chain',
      `this index holds chain ${head.chain_id}, the source serves ${identity.chainId}`,
      identity,
    )
  if (head.genesis_hash !== identity.genesisHash)
    throw new OperatorError(
      'wrong_genesis',
      `the genesis of the source is not the one this index was made from (${head.chain_id})`,
      identity,
    )
}
