import type { Static } from 'typebox'
import type { SignedHeader } from '../../chain/signed-header.ts'
import type { ValidatorSet } from '../../chain/validator-set.ts'
import { type InclusionProof, listShares } from '../../decode/square/inclusion.ts'
import { toBase64 } from '../../lib/encoding/bytes.ts'
import type { BlockProof, ShareProof } from '../schema/proof.ts'
import type { BlockRef } from '../square/block-ref.ts'

export function toBlockProof({ header, commit }: SignedHeader, validators: ValidatorSet): Static<typeof BlockProof> {
  return {
    header,
    commit: {
      height: String(commit.height),
      round: commit.round,
      block_id: commit.blockId,
      signatures: commit.signatures,
    },
    validators: validators.list().map(({ address, publicKey, power }) => ({
      address,
      pub_key: { type: 'tendermint/PubKeyEd25519', value: Buffer.from(publicKey, 'hex').toString('base64') },
      voting_power: String(power),
    })),
  }
}

export function toShareProof(
  block: BlockRef,
  proof: InclusionProof,
  shares: readonly Uint8Array[] = listShares(proof),
): Static<typeof ShareProof> {
  return {
    height: block.height,
    hash: block.hash.toUpperCase(),
    data_hash: block.dataHash,
    square_size: proof.size,
    namespace: toBase64(proof.namespace),
    start: proof.start,
    end: proof.end,
    shares: shares.map(toBase64),
    rows: proof.rows.map(({ row, root, range, aunts }) => ({
      row,
      root: toBase64(root),
      start: range.start,
      end: range.end,
      nodes: range.nodes.map(toBase64),
      aunts: aunts.map(toBase64),
    })),
  }
}
