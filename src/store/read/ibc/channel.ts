import type { Reader } from '../../db.ts'
import { direction, optional } from '../../sql/fragment.ts'
import { type AccountRef, PRIMARY_NAME } from '../celestial.ts'
import { hashTable } from '../tx/tx-id.ts'
import type { IbcClientRef } from './connection.ts'

export type IbcChannelStatus = 'initialization' | 'opened' | 'closed'

export type IbcChannelRow = {
  channel_id: string
  connection_id: string
  port_id: string
  counterparty_port_id: string
  counterparty_channel_id: string
  version: string
  created_at: string
  confirmed_at: string | null
  height: number
  confirmation_height: number | null
  created_tx_hash: string | null
  confirmation_tx_hash: string | null
  ordered: boolean
  status: IbcChannelStatus
  client: IbcClientRef | null
  creator: AccountRef | null
}

export type IbcChannelFilter = {
  limit: number
  offset: number
  sort: 'asc' | 'desc'
  client_id?: string | undefined
  connection_id?: string | undefined
  status?: IbcChannelStatus | undefined
}

export function listIbcChannels(sql: Reader, f: IbcChannelFilter): Promise<IbcChannelRow[]> {
  const dir = direction(f.sort)
  return sql<IbcChannelRow[]>`
    with page as materialized (
      select *
      from ibc_channel h
      where true
        ${optional`and h.client_id = ${f.client_id}`}
        ${optional`and h.connection_id = ${f.connection_id}`}
        ${optional`and h.status = ${f.status}`}
      order by h.number ${dir}, h.port_id ${dir}
      limit ${f.limit} offset ${f.offset}
    )
    select ${channelColumns(sql)}
    from page h
    ${channelJoins(sql)}
    order by h.number ${dir}, h.port_id ${dir}`
}

/** Channel ids are counted over all ports, so one names one channel. */
export async function findIbcChannel(sql: Reader, channelId: string): Promise<IbcChannelRow | undefined> {
  const [row] = await sql<IbcChannelRow[]>`
    select ${channelColumns(sql)}
    from ibc_channel h
    ${channelJoins(sql)}
    where h.channel_id = ${channelId}
    order by h.port_id
    limit 1`
  return row
}

function channelColumns(sql: Reader) {
  return sql`
    h.channel_id, h.connection_id, h.port_id, h.counterparty_port_id, h.counterparty_channel_id, h.version, h.created_at,
    h.confirmed_at, h.height, h.confirmation_height, encode(t.hash, 'hex') as created_tx_hash,
    encode(o.hash, 'hex') as confirmation_tx_hash, h.ordered, h.status,
    case when i.client_id is not null then json_build_array(i.client_id, i.type, i.chain_id) end as client,
    case when a.id is not null then json_build_array(encode(a.address, 'hex'), c.id, c.image_url) end as creator`
}

function channelJoins(sql: Reader) {
  return sql`
    left join ${hashTable(sql)} t on t.height = h.height and t.id = h.created_tx_id
    left join ${hashTable(sql)} o on o.height = h.confirmation_height and o.id = h.confirmation_tx_id
    left join ibc_client i on i.client_id = h.client_id
    left join address a on a.id = h.creator_id
    ${PRIMARY_NAME}`
}
