import type { Reader } from '../db.ts'
import { beyond, direction, type Fragment, optional } from '../sql/fragment.ts'
import { type AccountRef, PRIMARY_NAME } from './celestial.ts'
import { type NumberedPage, orderNumbered } from './numbered.ts'
import { withinIds } from './tx/tx.ts'
import { hashTable } from './tx/tx-id.ts'

export type ZkIsmRow = {
  number: number
  ism_id: string
  height: number
  time: string
  tx_hash: string | null
  state: string
  merkle_tree_address: string
  state_transition_vkey: string
  state_membership_vkey: string
  groth16_vkey: string
  creator: AccountRef | null
}

export type ZkIsmFilter = NumberedPage & { tx_ids?: number[] | undefined; creator_id?: number | undefined }

export function listZkIsms(sql: Reader, f: ZkIsmFilter): Promise<ZkIsmRow[]> {
  return sql<ZkIsmRow[]>`
    select ${zkIsmColumns(sql)}
    from zkism z
    ${zkIsmJoins(sql)}
    where true
      ${optional`and z.number ${beyond(f.sort)} ${f.cursor}::bigint`}
      ${f.tx_ids ? sql`and z.tx_id = any(${f.tx_ids}::bigint[])` : sql``}
      ${optional`and z.creator_id = ${f.creator_id}`}
    order by z.number ${direction(f.sort)}
    limit ${f.limit} offset ${f.cursor === undefined ? f.offset : 0}`
}

export async function findZkIsm(sql: Reader, number: number): Promise<ZkIsmRow | undefined> {
  const [row] = await sql<ZkIsmRow[]>`
    select ${zkIsmColumns(sql)}
    from zkism z
    ${zkIsmJoins(sql)}
    where z.number = ${number}`
  return row
}

function zkIsmColumns(sql: Reader) {
  return sql`
    z.number, z.ism_id, z.height, z.time, encode(t.hash, 'hex') as tx_hash, z.state, z.merkle_tree_address, z.state_transition_vkey,
    z.state_membership_vkey, z.groth16_vkey,
    case when a.id is not null then json_build_array(encode(a.address, 'hex'), c.id, c.image_url) end as creator`
}

function zkIsmJoins(sql: Reader) {
  return sql`
    left join ${hashTable(sql)} t on t.height = z.height and t.id = z.tx_id
    left join address a on a.id = z.creator_id
    ${PRIMARY_NAME}`
}

/** Events of one module, given by its number. */
export type OfZkIsm = NumberedPage & {
  number: number
  tx_ids?: number[] | undefined
  signer_id?: number | undefined
  from?: number | undefined
  to?: number | undefined
}

type ZkIsmEventRow = { id: number; height: number; time: string; tx_hash: string | null; signer: AccountRef | null }
export type ZkIsmUpdateRow = ZkIsmEventRow & { state: string }
export type ZkIsmMessageRow = ZkIsmEventRow & { state_root: string; message_id: string }

export function listZkIsmUpdates(sql: Reader, f: OfZkIsm): Promise<ZkIsmUpdateRow[]> {
  return listOf<ZkIsmUpdateRow>(sql, f, sql`zkism_update`, sql`r.state`)
}

export function listZkIsmMessages(sql: Reader, f: OfZkIsm): Promise<ZkIsmMessageRow[]> {
  return listOf<ZkIsmMessageRow>(sql, f, sql`zkism_message`, sql`r.state_root, r.message_id`)
}

function listOf<Row extends ZkIsmEventRow>(sql: Reader, f: OfZkIsm, table: Fragment, columns: Fragment): Promise<Row[]> {
  const { order, after, offset } = orderNumbered(sql, f, false)
  return sql<Row[]>`
    with page as materialized (
      select r.height, r.id
      from ${table} r
      where r.ism_id = (select z.ism_id from zkism z where z.number = ${f.number})
        ${after}
        ${f.tx_ids ? sql`and r.tx_id = any(${f.tx_ids}::bigint[])` : sql``}
        ${optional`and r.signer_id = ${f.signer_id}`}
        ${withinIds(sql, { ...f, cursor: undefined }, sql`r.id`)}
      order by ${order}
      limit ${f.limit} offset ${offset}
    )
    select r.id, r.height, r.time, encode(t.hash, 'hex') as tx_hash, ${columns},
           case when a.id is not null then json_build_array(encode(a.address, 'hex'), c.id, c.image_url) end as signer
    from page
    join ${table} r on r.height = page.height and r.id = page.id
    left join ${hashTable(sql)} t on t.height = r.height and t.id = r.tx_id
    left join address a on a.id = r.signer_id
    ${PRIMARY_NAME}
    order by ${order}`
}
