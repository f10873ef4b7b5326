import { type Static, Type } from 'typebox'
import type { SquareBlob } from '../../decode/square/shares.ts'
import { toBase64 } from '../../lib/encoding/bytes.ts'
import { type BlobKey, findBlobOwners, isShortPeriod, joinBlobs, listBlobKeys, pageOfBlobs } from '../../store/read/blob.ts'
import { findNamespace, listNamespaceRollups, listNamespaces, listNamespaceVersions } from '../../store/read/namespace.ts'
import { listNamespaceMessages } from '../../store/read/tx/message.ts'
import { messageTypeName } from '../../types/message-type.ts'
import { BadRequest } from '../http/errors.ts'
import { writeBase64 } from '../http/write-json.ts'
import { checkRunningNumber } from '../lists/running-number.ts'
import { LIST_BYTES } from '../lists/write-list.ts'
import { LongList, type RouteGroup, WholeList } from '../route.ts'
import { BlobLog, NodeBlob } from '../schema/blob.ts'
import { Namespace, NamespaceMessage } from '../schema/namespace.ts'
import {
  Address,
  BlobPeriod,
  BlockHeight,
  CommaList,
  Commitment,
  Flag,
  NamespaceHash,
  NamespaceId,
  NamespaceVersion,
  Paging,
  SortDesc,
} from '../schema/query.ts'
import { Rollup } from '../schema/rollup.ts'
import { NoContent } from '../schema/values.ts'
import { readBlob } from '../square/blob-content.ts'
import { toBlobLog } from '../view/blob.ts'
import { readMessageData } from '../view/message.ts'
import { toNamespace } from '../view/namespace.ts'
import { toRollup } from '../view/rollup.ts'
import { toTx } from '../view/tx.ts'

const ByIdAndVersion = Type.Object({ id: NamespaceId, version: NamespaceVersion })
const tags = ['namespace']

function toNodeBlob({ namespace, data, shareVersion }: SquareBlob, { commitment }: BlobKey): Static<typeof NodeBlob> {
  return {
    namespace: toBase64(namespace),
    data: writeBase64(data),
    share_version: shareVersion,
    commitment: toBase64(commitment),
  }
}

export const namespaceRoutes: RouteGroup = (app, { db, blocks }) => {
  app.get(
    '/namespace',
    {
      schema: {
        operationId: 'list-namespaces',
        summary: 'Namespaces',
        tags,
        querystring: Type.Object({
          ...Paging,
          sort: SortDesc,
          sort_by: Type.Optional(Type.Enum(['time', 'pfb_count', 'size'])),
        }),
        response: { 200: Type.Array(Namespace) },
      },
      needsState: false,
      cursorOf: ({ id }) => id,
    },
    async ({ query }) => (await listNamespaces(db, query)).map(toNamespace),
  )

  app.get(
    '/namespace/:id',
    {
      schema: {
        operationId: 'list-namespace-versions',
        summary: 'A namespace id in all its versions',
        notOnPage: 'addresses of namespaces have id and version',
        tags,
        params: Type.Object({ id: NamespaceId }),
        response: { 200: Type.Array(Namespace) },
      },
      needsState: false,
    },
    async ({ params }) => (await listNamespaceVersions(db, params.id)).map(toNamespace),
  )

  app.get(
    '/namespace/:id/:version',
    {
      schema: {
        operationId: 'get-namespace',
        summary: 'A namespace',
        tags,
        params: ByIdAndVersion,
        response: { 200: Namespace, 204: NoContent },
      },
      needsState: false,
    },
    async ({ params }) => {
      const row = await findNamespace(db, params)
      return row && toNamespace(row)
    },
  )

  app.get(
    '/namespace/:id/:version/messages',
    {
      schema: {
        operationId: 'list-namespace-messages',
        summary: 'Messages that pay for blobs in a namespace, newest first',
        notOnPage: 'the blobs of the namespace lead to their transactions',
        tags,
        params: ByIdAndVersion,
        querystring: Type.Object(Paging),
        response: { 200: Type.Array(NamespaceMessage), 204: NoContent },
      },
      needsState: false,
      cursorOf: ({ id }) => id,
    },
    async ({ params, query }) => {
      const namespace = await findNamespace(db, params)
      if (!namespace) return undefined
      const rows = await listNamespaceMessages(db, { ...query, namespace_id: namespace.ns_id })
      return LongList.of(rows, async (row) => ({
        id: row.id,
        height: row.height,
        time: row.time,
        position: row.position,
        type: messageTypeName(row.type),
        data: await readMessageData(db, row, row.tx_success),
        tx: toTx(row),
        namespace: toNamespace(namespace),
      }))
    },
  )

  app.get(
    '/namespace/:id/:version/blobs',
    {
      schema: {
        operationId: 'list-namespace-blobs',
        summary: 'Blobs of a namespace',
        tags,
        params: ByIdAndVersion,
        querystring: Type.Object({
          ...Paging,
          sort: SortDesc,
          sort_by: Type.Optional(Type.Enum(['time', 'size'])),
          commitment: Type.Optional(Commitment),
          joins: Flag(true, 'adds tx, signer and rollup'),
          signers: Type.Optional(CommaList(Address)),
          ...BlobPeriod,
        }),
        response: { 200: Type.Array(BlobLog), 204: NoContent },
      },
      needsState: false,
      cursorOf: ({ id }, { sort_by }) => (sort_by === 'size' ? undefined : id),
    },
    async ({ params, query: { signers, joins, ...page } }) => {
      await checkRunningNumber(db, 'blob', page.cursor, 'cursor')
      const parts = joins ? { tx: true, signer: true, rollup: true } : {}
      const filter = { ...page, shortPeriod: await isShortPeriod(db, page) }
      if (!signers) {
        const rows = await joinBlobs(db, pageOfBlobs(db, { ...filter, namespace: params }), page, parts)
        // Only a page without blobs may be that of an unknown namespace.
        if (rows.length === 0 && !(await findNamespace(db, params))) return undefined
        return rows.map(toBlobLog)
      }
      const { namespaceIds, signerIds } = await findBlobOwners(db, { namespaces: [params], signers })
      const [namespaceId] = namespaceIds
      if (namespaceId === undefined || namespaceId === null) return undefined
      if (signerIds.length === 0) return []
      const blobs = pageOfBlobs(db, { ...filter, namespaceIds: [namespaceId], signerIds })
      return (await joinBlobs(db, blobs, page, parts)).map(toBlobLog)
    },
  )

  app.get(
    '/namespace/:id/:version/rollups',
    {
      schema: {
        operationId: 'list-namespace-rollups',
        summary: 'Rollups that use a namespace',
        tags,
        params: ByIdAndVersion,
        querystring: Type.Object(Paging),
        response: { 200: Type.Array(Rollup), 204: NoContent },
      },
      needsState: false,
      cursorOf: ({ id }) => id,
    },
    async ({ params, query }) => {
      const namespace = await findNamespace(db, params)
      return namespace && (await listNamespaceRollups(db, { ...query, namespace_id: namespace.ns_id })).map(toRollup)
    },
  )

  app.get(
    '/namespace_by_hash/:hash',
    {
      schema: {
        operationId: 'get-namespace-by-hash',
        summary: 'A namespace by the base64 of its version and id',
        notOnPage: 'addresses of namespaces have id and version',
        tags,
        params: Type.Object({ hash: NamespaceHash }),
        response: { 200: Namespace, 204: NoContent },
      },
      needsState: false,
    },
    async ({ params }) => {
      const row = await findNamespace(db, params.hash)
      return row && toNamespace(row)
    },
  )

  app.get(
    '/namespace_by_hash/:hash/:height',
    {
      schema: {
        operationId: 'list-namespace-blob-contents',
        summary: 'Contents of the blobs of a namespace in one block',
        notOnPage: 'each blob shows its content',
        tags,
        params: Type.Object({ hash: NamespaceHash, height: BlockHeight }),
        response: { 200: Type.Array(NodeBlob) },
      },
      needsState: false,
      cost: 10,
    },
    async ({ params: { hash: namespace, height }, client }) => {
      const keys = await listBlobKeys(db, { namespace, height })
      if (keys.length === 0) throw new BadRequest('blob: not found', undefined, 'blob_not_found')
      const read = async (key: BlobKey) => toNodeBlob(await readBlob(blocks, height, key, client), key)
      const bytes = keys.reduce((sum, { size }) => sum + size, 0)
      if (bytes <= LIST_BYTES) return Promise.all(keys.map(read))
      return new WholeList(bytes, async function* () {
        for (const key of keys) yield await read(key)
      })
    },
  )
}
