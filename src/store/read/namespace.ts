import type { Reader } from '../db.ts'
import { beyond, direction, type Fragment, optional } from '../sql/fragment.ts'
import { type RollupRow, rollupColumns } from './rollup/list.ts'

/** Columns are prefixed, so that a namespace stands beside a blob or message. */
export type NamespaceRow = {
  ns_id: number
  ns_version: number
  /** lower-case hex, 28 bytes */
  ns_namespace_id: string
  ns_size: number
  ns_blobs_count: number
  ns_pfb_count: number
  ns_last_height: number
  ns_last_message_time: string
  ns_reserved: boolean
}

/** Columns of a `NamespaceRow` over `namespace n`. */
export function namespaceColumns(sql: Reader) {
  return sql`
    n.id as ns_id, n.version as ns_version, encode(n.namespace_id, 'hex') as ns_namespace_id, n.size as ns_size,
    n.blobs_count as ns_blobs_count, n.pfb_count as ns_pfb_count, n.last_height as ns_last_height,
    n.last_message_time as ns_last_message_time, n.reserved as ns_reserved`
}

/** Name of a namespace as callers give it. */
export type NamespaceName = { version: number; id: Uint8Array }

export type NamespaceFilter = {
  limit: number
  offset: number
  sort: 'asc' | 'desc'
  sort_by?: 'time' | 'pfb_count' | 'size' | undefined
  cursor?: number | undefined
}

/** A cursor continues behind the namespace with that id, in any order: its own values are the place in the list. */
export function listNamespaces(sql: Reader, f: NamespaceFilter): Promise<NamespaceRow[]> {
  const key = { time: sql`n.last_message_time`, pfb_count: sql`n.pfb_count`, size: sql`n.size`, id: sql`n.id` }[f.sort_by ?? 'id']
  return sql<NamespaceRow[]>`
    select ${namespaceColumns(sql)}
    from namespace n
    ${optional`where (${key}, n.id) ${beyond(f.sort)} (select ${key}, n.id from namespace n where n.id = ${f.cursor}::bigint)`}
    order by ${key} ${direction(f.sort)}, n.id ${direction(f.sort)}
    limit ${f.limit} offset ${f.cursor === undefined ? f.offset : 0}`
}

/** One row per version. */
export function listNamespaceVersions(sql: Reader, id: Uint8Array): Promise<NamespaceRow[]> {
  return sql<NamespaceRow[]>`
    select ${namespaceColumns(sql)}
    from namespace n
    where n.namespace_id = ${id}
    order by n.version`
}

export async function findNamespace(sql: Reader, f: NamespaceName): Promise<NamespaceRow | undefined> {
  const [row] = await sql<NamespaceRow[]>`
    select ${namespaceColumns(sql)}
    from namespace n
    where n.namespace_id = ${f.id} and n.version = ${f.version}`
  return row
}

/** Version byte and id of `namespace n`, as rollup providers name it. */
export function namespaceBytes(sql: Reader): Fragment {
  return sql`(set_byte('\\x00'::bytea, 0, n.version) || n.namespace_id)`
}

/** Verified rollups one of whose providers names the namespace. */
export function listNamespaceRollups(
  sql: Reader,
  f: { namespace_id: number; limit: number; offset: number; cursor?: number | undefined },
): Promise<RollupRow[]> {
  return sql<RollupRow[]>`
    select ${rollupColumns(sql)}
    from rollup r
    where r.verified
      and r.id in (
        select p.rollup_id
        from rollup_provider p
        join namespace n on p.namespace = ${namespaceBytes(sql)}
        where n.id = ${f.namespace_id}
      )
      ${optional`and r.id > ${f.cursor}::bigint`}
    order by r.id
    limit ${f.limit} offset ${f.cursor === undefined ? f.offset : 0}`
}
