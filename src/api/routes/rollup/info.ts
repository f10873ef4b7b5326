import { type Static, Type } from 'typebox'
import { encodeAddress } from '../../../lib/encoding/bech32.ts'
import { toBase64 } from '../../../lib/encoding/bytes.ts'
import { joinBlobs } from '../../../store/read/blob.ts'
import { listRollupNamespaces, pageOfRollupBlobs } from '../../../store/read/rollup/blob.ts'
import { countRollups, findRollup, listRollups } from '../../../store/read/rollup/list.ts'
import { listRollupProviders, type RollupProviderRow } from '../../../store/read/rollup/provider.ts'
import type { RouteGroup, RouteOptions, RouteSchema } from '../../route.ts'
import { BlobLog } from '../../schema/blob.ts'
import { RollupCategory, RollupType } from '../../schema/enums.ts'
import { Namespace } from '../../schema/namespace.ts'
import { CommaList, EntityId, Flag, Limit, Offset, Paging, SortDesc } from '../../schema/query.ts'
import { RollupProvider, RollupWithStats } from '../../schema/rollup.ts'
import { Integer, NoContent } from '../../schema/values.ts'
import { toBlobLog } from '../../view/blob.ts'
import { toNamespace } from '../../view/namespace.ts'
import { toRollupWithStats } from '../../view/rollup.ts'

const Id = Type.Object({ id: EntityId })
const Words = Type.Optional(CommaList(Type.String()))

const RollupList = Type.Object({
  limit: Limit,
  offset: Offset,
  sort: SortDesc,
  sort_by: Type.Enum(['time', 'blobs_count', 'size', 'fee'], { default: 'size' }),
  tags: Words,
  stack: Words,
  provider: Words,
  category: Type.Optional(CommaList(RollupCategory)),
  type: Type.Optional(CommaList(RollupType)),
  is_active: Type.Optional(Type.Boolean()),
})

const BlobList = Type.Object({
  ...Paging,
  sort: SortDesc,
  sort_by: Type.Optional(Type.Enum(['time', 'size'])),
  joins: Flag(true, 'adds tx and signer of each blob'),
})

const toProvider = ({ address, namespace }: RollupProviderRow): Static<typeof RollupProvider> => ({
  address: address === null ? undefined : encodeAddress('celestia', address),
  namespace: namespace === null ? undefined : toBase64(namespace),
})

export const rollupRoutes: RouteGroup = (app, { db, head }) => {
  app.get(
    '/rollup',
    {
      schema: {
        operationId: 'list-rollups',
        summary: 'Rollups and what they post, largest first',
        tags: ['rollup'],
        querystring: RollupList,
        response: { 200: Type.Array(RollupWithStats) },
      },
      needsState: false,
    },
    async ({ query }) => {
      const now = head()?.last_time
      return now === undefined ? [] : (await listRollups(db, { ...query, now })).map(toRollupWithStats)
    },
  )

  app.get(
    '/rollup/count',
    {
      schema: {
        operationId: 'count-rollups',
        summary: 'How many rollups are listed',
        notOnPage: 'the list of rollups is short enough to be seen whole',
        tags: ['rollup'],
        response: { 200: Integer },
      },
      needsState: false,
    },
    () => countRollups(db),
  )

  const bySlug = {
    schema: {
      operationId: 'get-rollup-by-slug',
      summary: 'A rollup by its slug',
      tags: ['rollup'],
      params: Type.Object({ slug: Type.String({ description: 'name of the rollup in addresses' }) }),
      response: { 200: RollupWithStats, 204: NoContent },
    },
  } satisfies RouteOptions<RouteSchema>
  const findBySlug = async ({ params }: { params: { slug: string } }) => {
    const now = head()?.last_time
    const row = now === undefined ? undefined : await findRollup(db, { slug: params.slug }, now)
    return row && toRollupWithStats(row)
  }
  app.get('/rollup_by_slug/:slug', { ...bySlug, needsState: false }, findBySlug)
  app.get('/rollup/slug/:slug', { schema: { ...bySlug.schema, isAlias: true }, needsState: false }, findBySlug)

  app.get(
    '/rollup/:id',
    {
      schema: {
        operationId: 'get-rollup',
        summary: 'A rollup',
        notOnPage: 'addresses of rollups have the slug',
        tags: ['rollup'],
        params: Id,
        response: { 200: RollupWithStats, 204: NoContent },
      },
      needsState: false,
    },
    async ({ params }) => {
      const now = head()?.last_time
      const row = now === undefined ? undefined : await findRollup(db, { id: params.id }, now)
      return row && toRollupWithStats(row)
    },
  )

  app.get(
    '/rollup/:id/namespaces',
    {
      schema: {
        operationId: 'list-rollup-namespaces',
        summary: 'Namespaces that a rollup has used',
        tags: ['rollup'],
        params: Id,
        querystring: Type.Object({ limit: Limit, offset: Offset }),
        response: { 200: Type.Array(Namespace) },
      },
      needsState: false,
    },
    async ({ params, query }) => (await listRollupNamespaces(db, { ...query, id: params.id })).map(toNamespace),
  )

  app.get(
    '/rollup/:id/providers',
    {
      schema: {
        operationId: 'list-rollup-providers',
        summary: 'Signers and namespaces whose blobs belong to a rollup',
        tags: ['rollup'],
        params: Id,
        response: { 200: Type.Array(RollupProvider) },
      },
      needsState: false,
    },
    async ({ params }) => (await listRollupProviders(db, params.id)).map(toProvider),
  )

  app.get(
    '/rollup/:id/blobs',
    {
      schema: {
        operationId: 'list-rollup-blobs',
        summary: 'Blobs of a rollup, newest first',
        tags: ['rollup'],
        params: Id,
        querystring: BlobList,
        response: { 200: Type.Array(BlobLog) },
      },
      needsState: false,
      cursorOf: (row, query) => (query.sort_by === 'size' ? undefined : row.id),
    },
    async ({ params, query: { joins, ...query } }) => {
      const page = pageOfRollupBlobs(db, { ...query, id: params.id })
      return (await joinBlobs(db, page, query, { namespace: true, tx: joins, signer: joins })).map(toBlobLog)
    },
  )
}
