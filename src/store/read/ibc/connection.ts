import type { Reader } from '../../db.ts'
import { direction, optional } from '../../sql/fragment.ts'
import { hashTable } from '../tx/tx-id.ts'

/** A client as connections and channels name it. */
export type IbcClientRef = [clientId: string, type: string, chainId: string]

export type IbcConnectionRow = {
  connection_id: string
  counterparty_connection_id: string
  counterparty_client_id: string
  created_at: string
  connected_at: string | null
  height: number
  connected_height: number | null
  created_tx_hash: string | null
  connected_tx_hash: string | null
  channels_count: number
  client: IbcClientRef | null
}

export type IbcConnectionFilter = { limit: number; offset: number; sort: 'asc' | 'desc'; client_id?: string | undefined }

export function listIbcConnections(sql: Reader, f: IbcConnectionFilter): Promise<IbcConnectionRow[]> {
  const dir = direction(f.sort)
  return sql<IbcConnectionRow[]>`
    with page as materialized (
      select *
      from ibc_connection n
      ${optional`where n.client_id = ${f.client_id}`}
      order by n.number ${dir}, n.connection_id ${dir}
      limit ${f.limit} offset ${f.offset}
    )
    select ${connectionColumns(sql)}
    from page n
    ${connectionJoins(sql)}
    order by n.number ${dir}, n.connection_id ${dir}`
}

export async function findIbcConnection(sql: Reader, connectionId: string): Promise<IbcConnectionRow | undefined> {
  const [row] = await sql<IbcConnectionRow[]>`
    select ${connectionColumns(sql)}
    from ibc_connection n
    ${connectionJoins(sql)}
    where n.connection_id = ${connectionId}`
  return row
}

function connectionColumns(sql: Reader) {
  return sql`
    n.connection_id, n.counterparty_connection_id, n.counterparty_client_id, n.created_at, n.connected_at, n.height,
    n.connected_height, encode(t.hash, 'hex') as created_tx_hash, encode(o.hash, 'hex') as connected_tx_hash, n.channels_count,
    case when i.client_id is not null then json_build_array(i.client_id, i.type, i.chain_id) end as client`
}

function connectionJoins(sql: Reader) {
  return sql`
    left join ${hashTable(sql)} t on t.height = n.height and t.id = n.created_tx_id
    left join ${hashTable(sql)} o on o.height = n.connected_height and o.id = n.connected_tx_id
    left join ibc_client i on i.client_id = n.client_id`
}
