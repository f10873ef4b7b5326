import type { Reader } from '../../db.ts'
import { direction, optional } from '../../sql/fragment.ts'
import { type AccountRef, PRIMARY_NAME } from '../celestial.ts'
import { hashTable } from '../tx/tx-id.ts'

/** Whole numbers that the chain keeps as u64 or duration; they stay text until the answer. */
export type IbcClientRow = {
  client_id: string
  type: string
  created_at: string
  updated_at: string
  height: number
  chain_id: string
  tx_hash: string | null
  latest_revision_height: string
  latest_revision_number: string
  frozen_revision_height: string
  frozen_revision_number: string
  trusting_period: string
  unbonding_period: string
  max_clock_drift: string
  trust_level_denominator: string
  trust_level_numerator: string
  connection_count: number
  creator: AccountRef | null
}

export type IbcClientFilter = {
  limit: number
  offset: number
  sort: 'asc' | 'desc'
  chain_id?: string | undefined
  creator_id?: number | undefined
}

export function listIbcClients(sql: Reader, f: IbcClientFilter): Promise<IbcClientRow[]> {
  const dir = direction(f.sort)
  return sql<IbcClientRow[]>`
    with page as materialized (
      select *
      from ibc_client i
      where true
        ${optional`and i.chain_id = ${f.chain_id}`}
        ${optional`and i.creator_id = ${f.creator_id}`}
      order by i.number ${dir}, i.client_id ${dir}
      limit ${f.limit} offset ${f.offset}
    )
    select ${clientColumns(sql)}
    from page i
    ${clientJoins(sql)}
    order by i.number ${dir}, i.client_id ${dir}`
}

export async function findIbcClient(sql: Reader, clientId: string): Promise<IbcClientRow | undefined> {
  const [row] = await sql<IbcClientRow[]>`
    select ${clientColumns(sql)}
    from ibc_client i
    ${clientJoins(sql)}
    where i.client_id = ${clientId}`
  return row
}

function clientColumns(sql: Reader) {
  return sql`
    i.client_id, i.type, i.created_at, i.updated_at, i.height, i.chain_id, encode(t.hash, 'hex') as tx_hash,
    i.latest_revision_height, i.latest_revision_number, i.frozen_revision_height, i.frozen_revision_number, i.trusting_period,
    i.unbonding_period, i.max_clock_drift, i.trust_level_denominator, i.trust_level_numerator, i.connection_count,
    case when a.id is not null then json_build_array(encode(a.address, 'hex'), c.id, c.image_url) end as creator`
}

function clientJoins(sql: Reader) {
  return sql`
    left join ${hashTable(sql)} t on t.height = i.height and t.id = i.tx_id
    left join address a on a.id = i.creator_id
    ${PRIMARY_NAME}`
}
