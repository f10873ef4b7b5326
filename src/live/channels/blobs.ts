import type { HeadWatch } from '../../api/head-watch.ts'
import { decodeAccount } from '../../lib/bech32.ts'
import type { Bodies } from '../bodies.ts'
import type { HeightFeed } from './feed.ts'
import { openListFeed } from './list.ts'

type BlobFacts = { namespace: string | undefined; signer: string | undefined }

/** Blobs as `/v1/block/{height}/blobs` lists them. The only address of a blob is its signer. */
export function openBlobsFeed(bodies: Bodies, watch: HeadWatch): HeightFeed {
  return openListFeed<BlobFacts>(
    {
      name: 'blobs',
      read: async (height) => (await bodies.blobs(height)).map((row) => ({ row, facts: factsOf(row) })),
      matches: ({ namespace, signer }, filters) =>
        isAmong(namespace, filters.namespaces) && isAmong(signer, filters.signers) && isAmong(signer, filters.addresses),
    },
    watch,
  )
}

function factsOf(row: Record<string, unknown>): BlobFacts {
  const { namespace, signer } = row as { namespace?: { hash?: string }; signer?: { hash?: string } }
  return {
    namespace: namespace?.hash === undefined ? undefined : Buffer.from(namespace.hash, 'base64').toString('hex'),
    signer: signer?.hash === undefined ? undefined : decodeAccount(signer.hash),
  }
}

function isAmong(value: string | undefined, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || (value !== undefined && wanted.includes(value))
}
