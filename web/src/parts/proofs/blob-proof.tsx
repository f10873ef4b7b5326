import { addressOf, api } from '../../api.ts'
import { formatBytes, formatInteger } from '../../format.ts'
import { checkVotes } from '../../verified-block.ts'
import { Fact } from '../panels.tsx'
import { Hash } from '../values.tsx'
import { NotProven, Verification, type Verified } from './verification.tsx'

type Place = { height: number; hash: string; commitment: string }

/**
 * Verifies in the browser that the blob is in its block: the shares are hashed up to the data root of the header, and the votes on the
 * header are checked where the server can give them.
 */
export const BlobProof = ({ place }: { place: Place }) => (
  <Verification
    json={addressOf('getBlobProof', place)}
    explanation="The proof leads from the bytes of the blob to the data root that the validators have signed."
    verify={() => verify(place)}
  />
)

async function verify(place: Place): Promise<Verified> {
  const { verifyBlob } = await import('../../../../src/client/verify.ts')
  const [proof, block, shown] = await Promise.all([
    api.getBlobProof(place),
    api.getBlock({ height: place.height }),
    api.getBlob(place),
  ])
  if (!proof || !block || !shown) throw new NotProven('The node no longer has the bytes of this block.')
  const blob = await verifyBlob(proof, { dataHash: block.data_hash })
  // A true proof of another blob proves nothing about this one.
  if (proof.namespace !== shown.namespace || !isSame(blob.data, shown.data))
    throw new NotProven('The proof is of another blob than the one shown.')
  const votes = await checkVotes(block)
  return {
    summary: `The ${formatBytes(blob.data.length)} shown below are in the block. This browser verified the proof.`,
    facts: (
      <>
        <Fact name="Shares">
          {formatInteger(proof.start)} to {formatInteger(proof.end - 1)}
        </Fact>
        <Fact name="Data root">
          <Hash value={block.data_hash} what="data root" whole />
        </Fact>
        <Fact name="Header">
          {votes
            ? `signed by ${votes.signers} of ${votes.validators} validators, which is more than two thirds of the voting power`
            : 'its votes are not known to the server, so they were not checked'}
        </Fact>
      </>
    ),
  }
}

const isSame = (bytes: Uint8Array, base64: string) => {
  const shown = atob(base64)
  return bytes.length === shown.length && bytes.every((byte, i) => byte === shown.charCodeAt(i))
}
