import { isSignedBy, parseSignedHeaderOf, type SignedHeader } from '../../chain/signed-header.ts'
import type { BlockReader } from '../../chain/source.ts'
import type { ValidatorSet } from '../../chain/validator-set.ts'
import { AstrolabeError, NodeFault } from '../../lib/errors.ts'
import { BadRequest, Unavailable } from '../http/errors.ts'

/**
 * The header with this hash (upper-case hex) and its votes, checked as a client will check them. Whoever has them may give them, since
 * they prove themselves. Undefined when nobody has the votes yet.
 */
export async function readSignedHeader(
  reader: BlockReader,
  block: { height: number; hash: string },
  validators: ValidatorSet,
  timeoutMs = 8000,
): Promise<SignedHeader | undefined> {
  const signal = AbortSignal.timeout(timeoutMs)
  let failure: unknown
  for (const witness of reader.witnesses()) {
    try {
      const answer = await witness.commit(block.height, signal)
      if (!answer) continue
      const signed = parseSignedHeaderOf(answer, block.hash)
      if (isSignedBy(signed, validators)) return signed
      throw new BadRequest(`the validators of block ${block.height} are not known`, 'height', 'validators_unknown')
    } catch (error) {
      if (error instanceof BadRequest || !(error instanceof AstrolabeError || error instanceof DOMException)) throw error
      if (error instanceof NodeFault) reader.reportFault(witness.origin, error)
      failure = error
    }
  }
  if (failure === undefined) return undefined
  throw new Unavailable('block_source_unavailable', 'the source of blocks does not answer', 5, failure)
}
