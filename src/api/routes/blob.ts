import { Type } from 'typebox'
import { detectContentType } from '../../decode/content-type.ts'
import { toBase64 } from '../../lib/encoding/bytes.ts'
import { positionOf } from '../../store/pack/id.ts'
import { findBlobOwners, isShortPeriod, joinBlobs, listBlobKeys, listLightBlobs, pageOfBlob } from '../../store/read/blob.ts'
import { findNamespace } from '../../store/read/namespace.ts'
import { BadRequest } from '../http/errors.ts'
import { writeBase64 } from '../http/write-json.ts'
import { checkRunningNumber } from '../lists/running-number.ts'
import { type RouteGroup, WithWork } from '../route.ts'
import { Blob, BlobLog, BlobProof, LightBlobLog } from '../schema/blob.ts'
import { Address, BlobPeriod, BlockHeight, CommaList, Commitment, NamespaceHash, Paging, SortDesc } from '../schema/query.ts'
import { NoContent } from '../schema/values.ts'
import { readBlob } from '../square/blob-content.ts'
import { blockOfBlob } from '../square/block-ref.ts'
import { proveRangesFromBlock } from '../square/inclusion.ts'
import { toBlobLog, toLightBlobLog } from '../view/blob.ts'

/** Name of one blob: namespace, height and commitment. */
const BlobRequest = Type.Object({ hash: NamespaceHash, height: BlockHeight, commitment: Commitment })
const tags = ['blob']

export const blobRoutes: RouteGroup = (app, { db, blocks }) => {
  app.get(
    '/blob',
    {
      schema: {
        operationId: 'list-blobs',
        summary: 'Blobs, newest first',
        tags,
        querystring: Type.Object({
          ...Paging,
          sort: SortDesc,
          sort_by: Type.Optional(Type.Enum(['time', 'size'])),
          commitment: Type.Optional(Commitment),
          signers: Type.Optional(CommaList(Address)),
          namespaces: Type.Optional(CommaList(NamespaceHash)),
          ...BlobPeriod,
        }),
        response: { 200: Type.Array(LightBlobLog), 204: NoContent },
      },
      needsState: false,
      cursorOf: ({ id }, { sort_by }) => (sort_by === 'size' ? undefined : id),
    },
    async ({ query: { signers, namespaces, ...query } }) => {
      await checkRunningNumber(db, 'blob', query.cursor, 'cursor')
      const page = { ...query, shortPeriod: await isShortPeriod(db, query) }
      const isOneStatement = (!namespaces || namespaces.length === 1) && (!signers || signers.length === 1)
      if (isOneStatement) {
        const [namespace] = namespaces ?? []
        const rows = await listLightBlobs(db, { ...page, namespace, signer: signers?.[0] })
        if (rows.length === 0 && namespace && !(await findNamespace(db, namespace))) return undefined
        return rows.map(toLightBlobLog)
      }
      const owners = await findBlobOwners(db, { signers: signers ?? [], namespaces: namespaces ?? [] })
      // One unknown namespace makes the whole request unknown; unknown signers have no blobs (docs/rules.md R12).
      const namespaceIds = owners.namespaceIds.filter((id) => id !== null)
      if (namespaceIds.length < owners.namespaceIds.length) return undefined
      if (signers && owners.signerIds.length === 0) return []
      const rows = await listLightBlobs(db, {
        ...page,
        namespaceIds: namespaces && [...new Set(namespaceIds)],
        signerIds: signers && owners.signerIds,
      })
      return rows.map(toLightBlobLog)
    },
  )

  app.post(
    '/blob',
    {
      schema: {
        operationId: 'get-blob',
        summary: 'Content of a blob',
        description: 'Read from the block; the commitment is verified before it is returned.',
        tags,
        body: BlobRequest,
        response: { 200: Blob },
      },
      needsState: false,
    },
    async ({ body: { hash: namespace, height, commitment }, client }) => {
      const key = await requireKey({ namespace, height, commitment })
      const blob = await readBlob(blocks, height, key, client)
      return {
        namespace: toBase64(blob.namespace),
        data: writeBase64(blob.data),
        share_version: blob.shareVersion,
        commitment: toBase64(commitment),
        content_type: detectContentType(blob.data),
      }
    },
  )

  app.post(
    '/blob/metadata',
    {
      schema: {
        operationId: 'get-blob-metadata',
        summary: 'What is indexed about a blob',
        tags,
        body: BlobRequest,
        response: { 200: BlobLog, 204: NoContent },
      },
      needsState: false,
    },
    async ({ body: { hash: namespace, height, commitment } }) => {
      const page = pageOfBlob(db, { namespace, height, commitment })
      const [row] = await joinBlobs(db, page, { sort: 'asc' }, { namespace: true, tx: true, signer: true, rollup: true })
      return row && toBlobLog(row)
    },
  )

  app.post(
    '/blob/proofs',
    {
      schema: {
        operationId: 'get-blob-proofs',
        summary: 'Inclusion proofs of a blob, one per row of the square',
        notOnPage: 'the proof that the browser verifies is getBlobProof',
        tags,
        body: BlobRequest,
        response: { 200: Type.Array(BlobProof) },
      },
      needsState: false,
    },
    async ({ body: { hash: namespace, height, commitment }, client }) => {
      const key = await requireKey({ namespace, height, commitment })
      const subject = { tx: positionOf(key.tx_id), blob: key.position }
      const { value, bytes } = await proveRangesFromBlock(blocks, { block: blockOfBlob(height, key), subject, client })
      const proofs = value.map(({ start, end, nodes }) => ({ start, end, nodes: nodes.map(toBase64) }))
      return new WithWork(proofs, bytes)
    },
  )

  async function requireKey(which: Parameters<typeof listBlobKeys>[1]) {
    const [key] = await listBlobKeys(db, which)
    if (!key) throw new BadRequest('blob: not found', undefined, 'blob_not_found')
    return key
  }
}
