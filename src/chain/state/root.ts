import { AstrolabeError, NodeFault } from '../../lib/errors.ts'
import { isSignedBy, parseSignedHeader, type SignedHeader } from '../signed-header.ts'
import type { ChainSource } from '../source.ts'
import type { ValidatorSet } from '../validator-set.ts'
import type { StateRoot } from './prove.ts'

/** The root of the state after a height, and the signed header above it that proves the root. */
export type SignedRoot = StateRoot & { signed: SignedHeader }

/**
 * Asks for the header above a block. It has to continue that block (`hash` is upper-case hex), and its validators must have signed it.
 * Undefined when nobody has it yet.
 */
export async function readStateRoot(
  source: Pick<ChainSource, 'witnesses' | 'reportFault'>,
  block: { height: number; hash: string },
  validators: ValidatorSet,
  signal: AbortSignal,
): Promise<SignedRoot | undefined> {
  let failure: unknown
  for (const witness of source.witnesses()) {
    try {
      const answer = await witness.commit(block.height + 1, signal)
      if (!answer) continue
      const signed = parseSignedHeader(answer)
      if (signed.header.height !== String(block.height + 1) || signed.header.last_block_id.hash !== block.hash)
        throw new NodeFault('other_branch', 'the node has another block at this height', { height: block.height })
      if (!isSignedBy(signed, validators))
        throw new NodeFault('validators_hash', 'the header names other validators than the index', { height: block.height + 1 })
      return { height: block.height, appHash: Buffer.from(signed.header.app_hash, 'hex'), signed }
    } catch (error) {
      if (signal.aborted || !(error instanceof AstrolabeError)) throw error
      if (error instanceof NodeFault) source.reportFault(witness.origin, error)
      failure = error
    }
  }
  if (failure instanceof NodeFault) throw failure
  return undefined
}
