import type { Reader } from '../../db.ts'
import { beyond, direction, type Fragment, given, optional } from '../../sql/fragment.ts'
import type { BlobOrder } from '../blob.ts'
import { type NamespaceRow, namespaceColumns } from '../namespace.ts'
import { cutPage } from '../page.ts'
import { firstKeptId, readPage } from '../partition.ts'

export type RollupBlobFilter = BlobOrder & { id: number; limit: number; offset: number; cursor?: number | undefined }

/** Heights and ids of a page of a verified rollup's blobs, found by its links. */
export function pageOfRollupBlobs(sql: Reader, f: RollupBlobFilter): Fragment {
  const kept = firstKeptId(sql)
  const rows = sql`
    select (l.blob_id >> 24)::integer as height, l.blob_id as id
    from blob_rollup l
    where l.rollup_id = (select r.id from rollup r where r.id = ${f.id} and r.verified)
      ${optional`and l.blob_id >= ${kept}::bigint`}
      ${optional`and l.blob_id ${beyond(f.sort)} ${f.cursor}`}
    order by ${f.sort_by === 'size' ? sql`l.size ${direction(f.sort)}, l.blob_id ${direction(f.sort)}` : sql`l.blob_id ${direction(f.sort)}`}`
  return cutPage(sql, rows, f)
}

/** Namespaces that a verified rollup has put blobs into. */
export function listRollupNamespaces(sql: Reader, f: { id: number; limit: number; offset: number }): Promise<NamespaceRow[]> {
  return sql<NamespaceRow[]>`
    select ${namespaceColumns(sql)}
    from rollup_namespace u
    join rollup r on r.id = u.rollup_id and r.verified
    join namespace n on n.id = u.namespace_id
    where u.rollup_id = ${f.id} and u.blobs_count > 0
    order by n.id
    limit ${f.limit} offset ${f.offset}`
}

export type ExportRow = {
  id: number
  /** as PostgreSQL writes it: `2024-05-01 10:00:00.123456+00` */
  time: string
  height: number
  size: number
  commitment: string
  content_type: string
  /** address bytes as hex */
  signer: string
  namespace_version: number
  namespace_id: string
  tx_hash: string
}

export type ExportSpan = { id: number; from: string; to?: string; limit: number; before?: number | undefined }

/** One part of an export, newest first, from behind the blob `before`. `from` and `to` are ISO times, `to` is exclusive. */
export function listExportRows(sql: Reader, f: ExportSpan): Promise<ExportRow[]> {
  const firstIdAt = (time: string) => sql`
    coalesce((select k.height from block k where k.time >= ${time}::timestamptz order by k.time, k.height limit 1), 2147483647)::bigint << 24`
  const ids = sql`
    select l.blob_id as id
    from blob_rollup l
    where l.rollup_id = ${f.id}
      and l.blob_id >= (${firstIdAt(f.from)})
      ${given(f.to, (to) => sql`and l.blob_id < (${firstIdAt(to)})`)}
      ${optional`and l.blob_id < ${f.before}`}
    order by l.blob_id desc
    limit ${f.limit}`
  return readPage(
    sql,
    ids,
    (page, { tx }) => sql<ExportRow[]>`
    with ${page}
    select b.id, b.time::text as time, b.height, b.size, encode(b.commitment, 'base64') as commitment, b.content_type,
           encode(a.address, 'hex') as signer, n.version as namespace_version, encode(n.namespace_id, 'hex') as namespace_id,
           encode(t.hash, 'hex') as tx_hash
    from page
    join blob b on b.height = page.height and b.id = page.id
    join address a on a.id = b.signer_id
    join namespace n on n.id = b.namespace_id
    join ${tx} t on t.height = b.height and t.id = b.tx_id
    order by b.id desc`,
  )
}
