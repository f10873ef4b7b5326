import { Type } from 'typebox'
import { encodeAddress } from '../../../lib/encoding/bech32.ts'
import type { Db } from '../../../store/db.ts'
import { type ExportRow, listExportRows } from '../../../store/read/rollup/blob.ts'
import { listRollupProviders } from '../../../store/read/rollup/provider.ts'
import { type RouteGroup, Streamed } from '../../route.ts'
import { BlobPeriod, EntityId } from '../../schema/query.ts'
import { type ExportWindow, exportWindow } from './export-window.ts'

const HEADER = 'time,height,size,commitment,content_type,signer,namespace_version,namespace_namespace_id,tx_hash\n'

/** Rows per statement: a slow reader holds no connection between two of them. */
const ROWS_AT_ONCE = 1000

/** No value can hold a comma, a quote or a line break. */
const toLine = (row: ExportRow): string =>
  `${[
    row.time,
    row.height,
    row.size,
    row.commitment,
    row.content_type,
    encodeAddress('celestia', row.signer),
    row.namespace_version,
    `\\x${row.namespace_id}`,
    `\\x${row.tx_hash}`,
  ].join(',')}\n`

/** Newest first. Blobs are never changed and each part continues after the last one seen, so new blocks do not disturb it. */
async function* writeBlobs(db: Db, id: number, window: ExportWindow): AsyncGenerator<string> {
  yield HEADER
  let before: number | undefined
  for (;;) {
    const rows = await listExportRows(db, { id, ...window, limit: ROWS_AT_ONCE, before })
    if (rows.length > 0) yield rows.map(toLine).join('')
    if (rows.length < ROWS_AT_ONCE) return
    before = rows.at(-1)!.id
  }
}

export const rollupExportRoutes: RouteGroup = (app, { db, head }) => {
  app.get(
    '/rollup/:id/export',
    {
      schema: {
        operationId: 'export-rollup-blobs',
        summary: 'Blobs of a rollup as CSV, newest first, a month at most',
        notOnPage: 'a stream for programs; lists offer CSV',
        tags: ['rollup'],
        params: Type.Object({ id: EntityId }),
        querystring: Type.Object(BlobPeriod),
        response: { 200: Type.Union([Type.String({ format: 'csv' }), Type.Array(Type.Unknown(), { maxItems: 0 })]) },
      },
      needsState: false,
      cache: 'none',
      cost: 10,
    },
    async ({ params, query }) => {
      const now = head()?.last_time
      const providers = await listRollupProviders(db, params.id)
      if (now === undefined || providers.length === 0) return []
      return new Streamed('text/plain', writeBlobs(db, params.id, exportWindow(query, now)))
    },
  )
}
