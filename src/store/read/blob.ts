import { toHex } from '../../lib/encoding/bytes.ts'
import type { Reader } from '../db.ts'
import { beyond, direction, type Fragment, given, optional } from '../sql/fragment.ts'
import { type AccountRef, PRIMARY_NAME } from './celestial.ts'
import { type NamespaceName, type NamespaceRow, namespaceBytes, namespaceColumns } from './namespace.ts'
import { meantId } from './numbered.ts'
import { cutPage, mergeOrdered } from './page.ts'
import { readPage } from './partition.ts'
import { readSummary } from './stats/summary.ts'
import { firstHeightAt, type TxRow, txColumns, withinIds } from './tx/tx.ts'

export type BlobRow = {
  id: number
  height: number
  time: string
  /** base64 */
  commitment: string
  size: number
  share_version: number
  content_type: string
}

export type RollupRef = [id: number, name: string, logo: string, slug: string]

/** Parts of an answer beside the blob itself. */
export type BlobParts = { namespace?: boolean; tx?: boolean; signer?: boolean; rollup?: boolean }

export type JoinedBlobRow = BlobRow & Partial<NamespaceRow> & Partial<TxRow> & { signer?: AccountRef; rollup?: RollupRef | null }

export type BlobOrder = { sort: 'asc' | 'desc'; sort_by?: 'time' | 'size' | undefined }

/** Columns of a `BlobRow` over `blob b`. */
function blobColumns(sql: Reader) {
  return sql`b.id, b.height, b.time, encode(b.commitment, 'base64') as commitment, b.size, b.share_version, b.content_type`
}

/** By time, which is the order of ids, or by size; the id breaks ties. */
export function blobOrder(sql: Reader, { sort, sort_by }: BlobOrder): Fragment {
  return sort_by === 'size' ? sql`b.size ${direction(sort)}, b.id ${direction(sort)}` : sql`b.id ${direction(sort)}`
}

/**
 * Fetches the blobs of a page and what is shown beside them. `page` selects (height, id), so that the joins touch its rows only.
 * A rollup is attached when one of its providers names exactly this signer and namespace; two of them make two rows.
 */
export function joinBlobs(sql: Reader, page: Fragment, order: BlobOrder, parts: BlobParts): Promise<JoinedBlobRow[]> {
  const namespace = parts.namespace || parts.rollup
  const signer = parts.signer || parts.rollup
  const fetch = (keys: Fragment, tx: Fragment) => sql<JoinedBlobRow[]>`
    with ${keys}
    select ${blobColumns(sql)}
      ${parts.namespace ? sql`, ${namespaceColumns(sql)}` : sql``}
      ${parts.tx ? sql`, ${txColumns(sql)}` : sql``}
      ${parts.signer ? sql`, json_build_array(encode(a.address, 'hex'), c.id, c.image_url) as signer` : sql``}
      ${parts.rollup ? sql`, case when r.id is not null then json_build_array(r.id, r.name, r.logo, r.slug) end as rollup` : sql``}
    from page
    join blob b on b.height = page.height and b.id = page.id
    ${namespace ? sql`join namespace n on n.id = b.namespace_id` : sql``}
    ${parts.tx ? sql`join ${tx} t on t.height = b.height and t.id = b.tx_id` : sql``}
    ${signer ? sql`join address a on a.id = b.signer_id` : sql``}
    ${parts.signer ? sql`${PRIMARY_NAME}` : sql``}
    ${
      parts.rollup
        ? sql`
          left join (rollup_provider p join rollup r on r.id = p.rollup_id and r.verified)
            on p.address = a.address and p.namespace = ${namespaceBytes(sql)}`
        : sql``
    }
    order by ${blobOrder(sql, order)} ${parts.rollup ? sql`, r.id` : sql``}`
  // Blobs alone are not partitioned.
  return parts.tx ? readPage(sql, page, (keys, { tx }) => fetch(keys, tx)) : fetch(sql`page as materialized (${page})`, sql``)
}

export type BlobFilter = BlobOrder & {
  limit: number
  offset: number
  cursor?: number | undefined
  commitment?: Uint8Array | undefined
  namespaceIds?: number[] | undefined
  /** instead of `namespaceIds`, where there is one: the statement looks it up */
  namespace?: NamespaceName | undefined
  signerIds?: number[] | undefined
  /** instead of `signerIds`, in the same way */
  signer?: Uint8Array | undefined
  from?: number | undefined
  to?: number | undefined
  /** by size only: the period holds few enough blobs to sort them (`isShortPeriod`) */
  shortPeriod?: boolean | undefined
}

/** Blobs that are read and sorted within a few tenths of a second. */
const MAX_SORTED = 200_000

/**
 * Whether the blobs of a period are to be collected and sorted by size. A short period is rare in the order of sizes: the whole index
 * would be walked for ten rows of it. In a long one they are met often enough.
 */
export async function isShortPeriod(sql: Reader, { sort_by, from, to }: Pick<BlobFilter, 'sort_by' | 'from' | 'to'>) {
  if (sort_by !== 'size' || (from === undefined && to === undefined)) return false
  const blobs = await readSummary(sql, { table: 'block_stats', function: 'sum', column: 'blobs_count', from, to })
  return Number(blobs) <= MAX_SORTED
}

/** Heights and ids of a page of blobs. */
export function pageOfBlobs(sql: Reader, f: BlobFilter): Fragment {
  return cutPage(sql, orderedBlobs(sql, f), f)
}

/**
 * Found in the index of the owner, when there is one. Ids hold the height, and every index the id: rows that a page skips are not
 * fetched, which is what makes a deep offset possible.
 */
function orderedBlobs(sql: Reader, f: BlobFilter): Fragment {
  const order = blobOrder(sql, f)
  const bounds = withinIds(sql, { ...f, cursor: undefined }, sql`b.id`)
  const filters = sql`${bounds} ${afterCursor(sql, f)} ${f.commitment ? sql`and b.commitment = ${f.commitment}` : sql``}`
  const key = sql`(b.id >> 24)::integer as height, b.id`
  const bySize = f.sort_by === 'size'
  const ofAny = sql`
    ${f.namespaceIds ? sql`and b.namespace_id = any(${f.namespaceIds}::integer[])` : sql``}
    ${f.namespace ? sql`and ${isNamespace(sql, f.namespace)}` : sql``}
    ${f.signerIds ? sql`and b.signer_id = any(${f.signerIds}::integer[])` : sql``}
    ${f.signer ? sql`and ${isSigner(sql, f.signer)}` : sql``}`
  // `offset 0` keeps the planner from looking for the period in the order of sizes.
  if (bySize && f.shortPeriod)
    return sql`
      select ${key}
      from (select b.id, b.size from blob b where true ${filters} ${byHeight(sql, f)} ${ofAny} offset 0) b
      order by ${order}`
  const [first, ...others] = f.commitment ? [] : listOwners(sql, f)
  // The index of sizes holds ids and no heights.
  if (first === undefined)
    return sql`
      select ${key}
      from blob b
      where true ${filters} ${bySize ? sql`` : byHeight(sql, f)} ${ofAny}
      order by ${bySize || f.commitment ? order : keyOrder(sql, f)}`
  const ofOwner = (owner: Fragment) =>
    sql`select b.id${bySize ? sql`, b.size` : sql``} from blob b where ${owner} ${filters} order by ${order}`
  if (others.length === 0) return sql`select ${key} from blob b where ${first} ${filters} order by ${order}`
  return sql`select ${key} from (${mergeOrdered(sql, [ofOwner(first), ...others.map(ofOwner)])}) b order by ${order}`
}

/** Above it, pairs of a namespace and a signer are not walked one by one. */
const MAX_PAIRS = 50

/** One condition for each index range that holds wanted blobs; none when nobody is named. */
function listOwners(sql: Reader, { namespaceIds, namespace, signerIds, signer }: BlobFilter): Fragment[] {
  const ofNamespaces = namespace ? [isNamespace(sql, namespace)] : namespaceIds?.map((id) => sql`b.namespace_id = ${id}`)
  const ofSigners = signer ? [isSigner(sql, signer)] : signerIds?.map((id) => sql`b.signer_id = ${id}`)
  if (!ofNamespaces || !ofSigners) return ofNamespaces ?? ofSigners ?? []
  return ofNamespaces.length * ofSigners.length <= MAX_PAIRS
    ? ofNamespaces.flatMap((namespace) => ofSigners.map((signer) => sql`${namespace} and ${signer}`))
    : ofNamespaces.map((namespace) => sql`${namespace} and b.signer_id = any(${signerIds!}::integer[])`)
}

const isNamespace = (sql: Reader, { id, version }: NamespaceName): Fragment =>
  sql`b.namespace_id = (select id from namespace where namespace_id = ${id} and version = ${version})`

const isSigner = (sql: Reader, signer: Uint8Array): Fragment =>
  sql`b.signer_id = (select id from address where address = ${signer})`

/** The primary key starts with the height; naming it lets the planner walk it. */
function keyOrder(sql: Reader, { sort }: BlobOrder): Fragment {
  return sort === 'asc' ? sql`b.height asc, b.id asc` : sql`b.height desc, b.id desc`
}

function byHeight(sql: Reader, f: BlobFilter): Fragment {
  return sql`
    ${given(f.from, (from) => sql`and b.height >= ${firstHeightAt(sql, from)}`)}
    ${given(f.to, (to) => sql`and b.height < ${firstHeightAt(sql, to)}`)}`
}

/** A number beyond the last blob is behind all of them. */
function afterCursor(sql: Reader, f: BlobFilter): Fragment {
  if (f.cursor === undefined) return sql``
  return sql`and b.id ${beyond(f.sort)} coalesce(${meantId(sql, 'blob', f.cursor)}, 9223372036854775807)`
}

/** Blobs of one block or, inside it, of one tx. */
export function pageOfBlockBlobs(
  sql: Reader,
  f: BlobOrder & { height: number; tx_id?: number; limit: number; offset: number; cursor?: number | undefined },
): Fragment {
  const rows = sql`
    select b.height, b.id
    from blob b
    where b.height = ${f.height}
      ${optional`and b.tx_id = ${f.tx_id}`}
      ${optional`and b.id ${beyond(f.sort)} ${f.cursor}`}
    order by ${blobOrder(sql, f)}`
  return cutPage(sql, rows, f)
}

/** One blob by the three things that name it; the same content paid for twice in a block shows the first. */
export function pageOfBlob(sql: Reader, f: { height: number; namespace: NamespaceName; commitment: Uint8Array }): Fragment {
  return sql`
    select b.height, b.id
    from namespace n
    join blob b on b.height = ${f.height} and b.namespace_id = n.id
    where n.namespace_id = ${f.namespace.id} and n.version = ${f.namespace.version} and b.commitment = ${f.commitment}
    order by b.id
    limit 1`
}

export type LightBlobRow = BlobRow & { signer: AccountRef; ns_version: number; ns_namespace_id: string; tx_hash: string }

/** The light form of the blob list. */
export function listLightBlobs(sql: Reader, f: BlobFilter): Promise<LightBlobRow[]> {
  return readPage(
    sql,
    pageOfBlobs(sql, f),
    (page, { tx }) => sql<LightBlobRow[]>`
    with ${page}
    select ${blobColumns(sql)}, n.version as ns_version, encode(n.namespace_id, 'hex') as ns_namespace_id,
           encode(t.hash, 'hex') as tx_hash, json_build_array(encode(a.address, 'hex'), c.id, c.image_url) as signer
    from page
    join blob b on b.height = page.height and b.id = page.id
    join namespace n on n.id = b.namespace_id
    join ${tx} t on t.height = b.height and t.id = b.tx_id
    join address a on a.id = b.signer_id
    ${PRIMARY_NAME}
    order by ${blobOrder(sql, f)}`,
  )
}

export type BlobOwners = { namespaceIds: (number | null)[]; signerIds: number[] }

/** Ids behind the filters of a blob list, in one statement; each once; an unknown namespace is null, unknown signers are absent. */
export async function findBlobOwners(
  sql: Reader,
  f: { namespaces: NamespaceName[]; signers: Uint8Array[] },
): Promise<BlobOwners> {
  // The driver sends no arrays of bytes; hex text is one.
  const [row] = await sql<{ namespaces: (number | null)[] | null; signers: number[] | null }[]>`
    select
      (select json_agg(distinct n.id)
       from unnest(${f.namespaces.map(({ id }) => toHex(id))}::text[], ${f.namespaces.map(({ version }) => version)}::smallint[])
         as wanted (id, version)
       left join namespace n on n.namespace_id = decode(wanted.id, 'hex') and n.version = wanted.version) as namespaces,
      (select json_agg(distinct a.id)
       from unnest(${f.signers.map(toHex)}::text[]) as wanted (address)
       join address a on a.address = decode(wanted.address, 'hex')) as signers`
  return { namespaceIds: row?.namespaces ?? [], signerIds: row?.signers ?? [] }
}

/** Where the bytes of a blob stand: which blob of which tx. */
export type BlobKey = {
  tx_id: number
  position: number
  commitment: Buffer
  size: number
  share_version: number
  content_type: string
  version_app: number
  /** the block that holds it: after a fork its height stands for another one */
  block_hash: Buffer
  block_bytes: number
  data_hash: Buffer
}

/** Blobs of one namespace in one block, in the order of the square; only those with the commitment, when it is given. */
export function listBlobKeys(
  sql: Reader,
  f: { height: number; namespace: NamespaceName; commitment?: Uint8Array },
): Promise<BlobKey[]> {
  return sql<BlobKey[]>`
    select b.tx_id, b.position, b.commitment, b.size, b.share_version, b.content_type, k.version_app,
           k.hash as block_hash, k.bytes_in_block as block_bytes, k.data_hash
    from namespace n
    join blob b on b.height = ${f.height} and b.namespace_id = n.id
    join block k on k.height = b.height
    where n.namespace_id = ${f.namespace.id} and n.version = ${f.namespace.version}
      ${f.commitment ? sql`and b.commitment = ${f.commitment}` : sql``}
    order by b.id`
}
