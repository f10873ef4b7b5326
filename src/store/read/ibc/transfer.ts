import type { Reader } from '../../db.ts'
import { type Fragment, optional } from '../../sql/fragment.ts'
import { type AccountRef, primaryName } from '../celestial.ts'
import { isMeant, type NumberedPage, orderNumbered } from '../numbered.ts'
import { hashTable } from '../tx/tx-id.ts'

export type IbcTransferRow = {
  id: number
  time: string
  height: number
  channel_id: string
  connection_id: string
  port_id: string
  amount: string
  denom: string
  memo: string | null
  timeout: string | null
  timeout_height: string
  tx_hash: string | null
  sequence: string
  chain_id: string
  /** the account when it is one of this chain, beside the text of the packet */
  sender: AccountRef | null
  sender_text: string
  receiver: AccountRef | null
  receiver_text: string
  /** hex of the first signer of the tx that relayed the packet */
  relayer: string | null
}

export type IbcTransferFilter = NumberedPage & {
  height?: number | undefined
  channel_id?: string | undefined
  chain_id?: string | undefined
  sender_id?: number | undefined
  receiver_id?: number | undefined
  /** sender or receiver */
  party_id?: number | undefined
  tx_hash?: Uint8Array | undefined
}

export function listIbcTransfers(sql: Reader, f: IbcTransferFilter): Promise<IbcTransferRow[]> {
  const owners = [f.channel_id, f.chain_id, f.sender_id, f.receiver_id, f.party_id, f.tx_hash]
  const { order, after, offset } = orderNumbered(
    sql,
    f,
    owners.some((owner) => owner !== undefined),
  )
  const pageOf = (party: Fragment, limit: number) => sql`
    select r.height, r.id
    from ibc_transfer r
    where true
      ${party}
      ${after}
      ${optional`and r.height = ${f.height}`}
      ${optional`and r.channel_id = ${f.channel_id}`}
      ${optional`and r.chain_id = ${f.chain_id}`}
      ${optional`and r.sender_id = ${f.sender_id}`}
      ${optional`and r.receiver_id = ${f.receiver_id}`}
      ${optional`and r.tx_id in (select x.id from ${hashTable(sql)} x where x.hash = ${f.tx_hash})`}
    order by ${order}
    limit ${limit}`

  // Either side of a transfer has its own index: two short ordered scans instead of reading everything the party ever did.
  const candidates =
    f.party_id === undefined
      ? pageOf(sql``, f.limit + offset)
      : sql`
        (${pageOf(sql`and r.sender_id = ${f.party_id}`, f.limit + offset)})
        union
        (${pageOf(sql`and r.receiver_id = ${f.party_id}`, f.limit + offset)})`

  return sql<IbcTransferRow[]>`
    with page as materialized (
      select r.height, r.id
      from (${candidates}) r
      order by ${order}
      limit ${f.limit} offset ${offset}
    )
    select ${transferColumns(sql)}
    from page
    join ibc_transfer r on r.height = page.height and r.id = page.id
    ${transferJoins(sql)}
    order by ${order}`
}

export async function findIbcTransfer(sql: Reader, id: number): Promise<IbcTransferRow | undefined> {
  const [row] = await sql<IbcTransferRow[]>`
    select ${transferColumns(sql)}
    from ibc_transfer r
    ${transferJoins(sql)}
    where ${isMeant(sql, 'ibc_transfer', id)}`
  return row
}

function transferColumns(sql: Reader) {
  return sql`
    r.id, r.time, r.height, r.channel_id, r.connection_id, r.port_id, r.amount, r.denom, r.memo, r.timeout, r.timeout_height,
    encode(t.hash, 'hex') as tx_hash, r.sequence, r.chain_id,
    case when s.id is not null then json_build_array(encode(s.address, 'hex'), sc.id, sc.image_url) end as sender,
    r.sender as sender_text,
    case when q.id is not null then json_build_array(encode(q.address, 'hex'), rc.id, rc.image_url) end as receiver,
    r.receiver as receiver_text, encode(l.address, 'hex') as relayer`
}

function transferJoins(sql: Reader) {
  return sql`
    left join ${hashTable(sql)} t on t.height = r.height and t.id = r.tx_id
    left join address s on s.id = r.sender_id
    ${primaryName('s', 'sc')}
    left join address q on q.id = r.receiver_id
    ${primaryName('q', 'rc')}
    left join address l on l.id = r.relayer_id`
}
