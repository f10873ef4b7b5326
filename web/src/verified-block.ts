import type { Block } from '../../src/client/gen/operations.ts'
import { api } from './api.ts'

/** The hashes of a header, and what they are of. */
export const HEADER_HASHES = [
  ['parent_hash', 'Parent block'],
  ['last_commit_hash', 'Last commit'],
  ['data_hash', 'Data'],
  ['validators_hash', 'Validators'],
  ['next_validators_hash', 'Next validators'],
  ['consensus_hash', 'Consensus parameters'],
  ['app_hash', 'Application'],
  ['last_results_hash', 'Last results'],
  ['evidence_hash', 'Evidence'],
] as const

/** A vote for the block, as its flag says. */
const FOR_BLOCK = 2

export type CheckedVotes = { hash: string; chainId: string; validatorsHash: string; signers: number; validators: number }

/**
 * Checks that more than two thirds of the voting power have signed the block that is shown, hash by hash; undefined where the server
 * does not have the votes. Throws when they do not fit.
 */
export async function checkVotes(block: Block): Promise<CheckedVotes | undefined> {
  const proof = await api.getBlockProof({ height: block.height })
  if (!proof) return undefined
  const { ProofError, verifyBlock } = await import('../../src/client/verify.ts')
  const { header, commit, validators } = proof
  const verified = await verifyBlock(proof, { chainId: header.chain_id, validatorsHash: header.validators_hash })
  const isShown =
    verified.height === block.height &&
    isSame(verified.hash, block.hash) &&
    Date.parse(header.time) === Date.parse(block.time) &&
    HEADER_HASHES.every(([field]) => isSame(field === 'parent_hash' ? header.last_block_id.hash : header[field], block[field]))
  if (!isShown) throw new ProofError('the signed header is not the one shown')
  return {
    hash: verified.hash,
    chainId: header.chain_id,
    validatorsHash: verified.validatorsHash,
    signers: commit.signatures.filter(({ block_id_flag }) => block_id_flag === FOR_BLOCK).length,
    validators: validators.length,
  }
}

const isSame = (a: string, b: string) => a.toUpperCase() === b.toUpperCase()
