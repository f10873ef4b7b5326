import { decodeAccount } from '../../lib/encoding/bech32.ts'
import { isAmong, type OwnerFilter } from './filter.ts'

export type BlobFacts = { namespace: string | undefined; signer: string | undefined }

/** Facts that filters compare, from a blob as `/v1/block/{height}/blobs` lists it. */
export function blobFactsOf(row: Record<string, unknown>): BlobFacts {
  const { namespace, signer } = row as { namespace?: { hash?: string }; signer?: { hash?: string } }
  return {
    namespace: namespace?.hash === undefined ? undefined : Buffer.from(namespace.hash, 'base64').toString('hex'),
    signer: signer?.hash === undefined ? undefined : decodeAccount(signer.hash),
  }
}

/** The only address of a blob is its signer. */
export function matchesBlob({ namespace, signer }: BlobFacts, filter: OwnerFilter): boolean {
  return isAmong(namespace, filter.namespaces) && isAmong(signer, filter.signers) && isAmong(signer, filter.addresses)
}
