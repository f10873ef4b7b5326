import { useState } from 'preact/hooks'
import { addressOf, api } from '../api.ts'
import { formatBytes, formatInteger } from '../format.ts'
import { Fact, Facts, Panel } from './blocks.tsx'
import { Hash } from './values.tsx'

type Place = { height: number; hash: string; commitment: string }

type Outcome =
  | { state: 'idle' | 'running' }
  | { state: 'proven'; bytes: number; from: number; to: number; dataRoot: string; signedBy: string | undefined }
  | { state: 'refused'; reason: string }

/**
 * Verifies in the browser that the blob is in its block: the shares are hashed up to the data root of the header, and the votes on the
 * header are checked where the server can give them.
 */
export function BlobProof({ place }: { place: Place }) {
  const [outcome, setOutcome] = useState<Outcome>({ state: 'idle' })
  const verify = async () => {
    setOutcome({ state: 'running' })
    setOutcome(await check(place))
  }
  return (
    <Panel title="Proof" actions={<a href={addressOf('getBlobProof', place)}>JSON</a>}>
      <div role="status">
        {outcome.state === 'proven' ? (
          <>
            <p>
              <span class="badge good">Proven</span> The {formatBytes(outcome.bytes)} shown below are in the block, as this
              browser has computed itself.
            </p>
            <Facts>
              <Fact name="Shares">
                {formatInteger(outcome.from)} to {formatInteger(outcome.to - 1)}
              </Fact>
              <Fact name="Data root">
                <Hash value={outcome.dataRoot} what="data root" whole />
              </Fact>
              <Fact name="Header">{outcome.signedBy ?? 'its votes are not known to the server, so they were not checked'}</Fact>
            </Facts>
          </>
        ) : outcome.state === 'refused' ? (
          <p>
            <span class="badge bad">Not proven</span> {outcome.reason}
          </p>
        ) : (
          <p class="muted">The proof leads from the bytes of the blob to the data root that the validators have signed.</p>
        )}
        {outcome.state !== 'proven' && (
          <button type="button" onClick={verify} disabled={outcome.state === 'running'}>
            {outcome.state === 'running' ? 'Verifying…' : 'Verify in this browser'}
          </button>
        )}
      </div>
    </Panel>
  )
}

async function check(place: Place): Promise<Outcome> {
  if (!globalThis.crypto?.subtle)
    return { state: 'refused', reason: 'The browser hashes only on pages served over HTTPS or localhost.' }
  try {
    const { verifyBlob } = await import('../../../src/client/verify.ts')
    const [proof, block, shown] = await Promise.all([
      api.getBlobProof(place),
      api.getBlock({ height: place.height }),
      api.getBlob(place),
    ])
    if (!proof || !block || !shown) return { state: 'refused', reason: 'The node no longer has the bytes of this block.' }
    const blob = await verifyBlob(proof, { dataHash: block.data_hash })
    // A true proof of another blob proves nothing about this one.
    if (proof.namespace !== shown.namespace || !isSame(blob.data, shown.data))
      return { state: 'refused', reason: 'The proof is of another blob than the one shown.' }
    return {
      state: 'proven',
      bytes: blob.data.length,
      from: proof.start,
      to: proof.end,
      dataRoot: block.data_hash,
      signedBy: await checkVotes(place.height, block.data_hash),
    }
  } catch (error) {
    return { state: 'refused', reason: error instanceof Error ? error.message : String(error) }
  }
}

const isSame = (bytes: Uint8Array, base64: string) => {
  const shown = atob(base64)
  return bytes.length === shown.length && bytes.every((byte, i) => byte === shown.charCodeAt(i))
}

/** What the votes on the header say; undefined where the server does not have them. */
async function checkVotes(height: number, dataHash: string): Promise<string | undefined> {
  const proof = await api.getBlockProof({ height }).catch(() => undefined)
  if (!proof) return undefined
  const { verifyBlock } = await import('../../../src/client/verify.ts')
  const trust = { chainId: proof.header.chain_id, validatorsHash: proof.header.validators_hash }
  const verified = await verifyBlock(proof, trust)
  if (verified.dataHash !== dataHash.toUpperCase()) throw new Error('the signed header names another data root')
  return `signed by more than two thirds of the voting power of ${proof.validators.length} validators`
}
