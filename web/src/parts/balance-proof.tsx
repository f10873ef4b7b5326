import { addressOf, api } from '../api.ts'
import { formatInteger, formatTia } from '../format.ts'
import { Fact } from './panels.tsx'
import { NotProven, Verification, type Verified } from './proofs/verification.tsx'
import { BlockLink, Hash } from './values.tsx'

/** Verifies in the browser what the account has: the record is hashed up to the root of the state that the validators have signed. */
export const BalanceProof = ({ hash }: { hash: string }) => (
  <Verification
    json={addressOf('getAddressProof', { hash })}
    explanation="The proof leads from the spendable balance in the chain's state to the root of that state, which the validators have signed."
    verify={() => verify(hash)}
  />
)

const FOR_BLOCK = 2

async function verify(hash: string): Promise<Verified> {
  const { verifyBalance, verifyBlock } = await import('../../../src/client/verify.ts')
  const proof = await api.getAddressProof({ hash })
  if (!proof) throw new NotProven('Nothing is indexed yet.')
  const { header, commit, validators } = proof.block
  const block = await verifyBlock(proof.block, { chainId: header.chain_id, validatorsHash: header.validators_hash })
  const amount = await verifyBalance(proof, { address: hash }, block)
  const shown = await api.getAddress({ hash, height: proof.height })
  if (BigInt(shown?.balance.spendable ?? 0) !== amount)
    throw new NotProven(`The chain has ${formatTia(String(amount))} after block ${proof.height}, and this index something else.`)
  const signers = commit.signatures.filter(({ block_id_flag }) => block_id_flag === FOR_BLOCK).length
  return {
    summary: `The account had ${formatTia(String(amount))} spendable after block ${formatInteger(proof.height)}, as this browser verified and this index says.`,
    facts: (
      <>
        <Fact name="State after block">
          <BlockLink height={proof.height} />
        </Fact>
        <Fact name="Root of the state">
          <Hash value={block.appHash} what="root of the state" whole />
        </Fact>
        <Fact name="Header above">
          block <BlockLink height={block.height} />, signed by {formatInteger(signers)} of {formatInteger(validators.length)}{' '}
          validators, which is more than two thirds of the voting power
        </Fact>
        <Fact name="Validators">
          <Hash value={block.validatorsHash} what="hash of the validators" whole />{' '}
          <span class="muted">named by this server: compare the hash with that of a source you trust</span>
        </Fact>
      </>
    ),
  }
}
