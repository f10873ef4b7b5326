import type { HeadWatch } from '../../api/head-watch.ts'
import { blobFactsOf, matchesBlob } from '../../api/match/blob.ts'
import type { Bodies } from '../bodies.ts'
import type { HeightFeed } from './feed.ts'
import { openListFeed } from './list.ts'

/** Blobs as `/v1/block/{height}/blobs` lists them. */
export function openBlobsFeed(bodies: Bodies, watch: HeadWatch): HeightFeed {
  return openListFeed(
    {
      name: 'blobs',
      read: async (height) => (await bodies.blobs(height)).map((row) => ({ row, facts: blobFactsOf(row) })),
      matches: matchesBlob,
    },
    watch,
  )
}
