import type { Block } from '../../../../src/client/gen/operations.ts'
import { addressOf } from '../../api.ts'
import { formatInteger } from '../../format.ts'
import { checkVotes } from '../../verified-block.ts'
import { Fact } from '../panels.tsx'
import { Hash } from '../values.tsx'
import { NotProven, Verification, type Verified } from './verification.tsx'

/** Verifies in the browser that the validators have signed the header that is shown. */
export const BlockProof = ({ block }: { block: Block }) => (
  <Verification
    json={addressOf('getBlockProof', { height: block.height })}
    explanation="The header is hashed, and the signatures of the validators on that hash are checked."
    verify={() => verify(block)}
  />
)

async function verify(block: Block): Promise<Verified> {
  const votes = await checkVotes(block)
  if (!votes)
    throw new NotProven('The votes on this block are not known: they come with the next one, and old ones may be pruned.')
  return {
    summary:
      'The header shown here was signed by more than two thirds of the voting power. This browser verified the signatures.',
    facts: (
      <>
        <Fact name="Hash of the header">
          <Hash value={votes.hash} what="block hash" whole />
        </Fact>
        <Fact name="Signatures">
          {formatInteger(votes.signers)} of {formatInteger(votes.validators)} validators of {votes.chainId}
        </Fact>
        <Fact name="Validators">
          <Hash value={votes.validatorsHash} what="hash of the validators" whole />{' '}
          <span class="muted">named by this server: compare the hash with that of a source you trust</span>
        </Fact>
      </>
    ),
  }
}
