import type { Reader } from '../../db.ts'
import type { AccountRef } from '../celestial.ts'

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

export type IbcTransferFilter = {
  limit: number
  offset: number
  cursor?: number | undefined
  sort: 'asc' | 'desc'
  channel_id?: string | undefined
  chain_id?: string | undefined
  sender_id?: number | undefined
  receiver_id?: number | undefined
  /** sender or receiver */
  party_id?: number | undefined
  tx_hash?: Uint8Array | undefined
}

export function listIbcTransfers(sql: Reader, f: IbcTransferFilter): Promise<IbcTransferRow[]> {
  const dir = f.sort === 'asc' ? sql`asc` : sql`desc`
  const beyond = f.sort === 'asc' ? sql`>` : sql`<`
  const filters = sql`
    ${f.cursor === undefined ? sql`` : sql`and i.id ${beyond} ${f.cursor}`}
    ${f.channel_id === undefined ? sql`` : sql`and i.channel_id = ${f.channel_id}`}
    ${f.chain_id === undefined ? sql`` : sql`and i.chain_id = ${f.chain_id}`}
    ${f.sender_id === undefined ? sql`` : sql`and i.sender_id = ${f.sender_id}`}
    ${f.receiver_id === undefined ? sql`` : sql`and i.receiver_id = ${f.receiver_id}`}
    ${f.tx_hash === undefined ? sql`` : sql`and i.tx_id in (select x.id from tx x where x.hash = ${f.tx_hash})`}`
  const offset = f.cursor === undefined ? f.offset : 0
  const from = (party: ReturnType<typeof sql>) => sql`
    select i.height, i.id
    from ibc_transfer i
    where true ${party} ${filters}
    order by i.height ${dir}, i.id ${dir}`

  // Either side of a transfer has its own index: two short ordered scans instead of reading everything the party ever did.
  const page =
    f.party_id === undefined
      ? sql`${from(sql``)} limit ${f.limit} offset ${offset}`
      : sql`
        select height, id
        from (
          (${from(sql`and i.sender_id = ${f.party_id}`)} limit ${f.limit + offset})
          union
          (${from(sql`and i.receiver_id = ${f.party_id}`)} limit ${f.limit + offset})
        ) either
        order by height ${dir}, id ${dir}
        limit ${f.limit} offset ${offset}`

  return sql<IbcTransferRow[]>`
    with page as (${page})
    select ${transferColumns(sql)}
    from page
    join ibc_transfer i on i.height = page.height and i.id = page.id
    ${transferJoins(sql)}
    order by i.height ${dir}, i.id ${dir}`
}

export async function findIbcTransfer(sql: Reader, id: number): Promise<IbcTransferRow | undefined> {
  const [row] = await sql<IbcTransferRow[]>`
    select ${transferColumns(sql)}
    from ibc_transfer i
    ${transferJoins(sql)}
    where i.height = (${id}::bigint >> 24) and i.id = ${id}`
  return row
}

function transferColumns(sql: Reader) {
  return sql`
    i.id, i.time, i.height, i.channel_id, i.connection_id, i.port_id, i.amount, i.denom, i.memo, i.timeout, i.timeout_height,
    encode(t.hash, 'hex') as tx_hash, i.sequence, i.chain_id,
    case when s.id is not null then json_build_array(encode(s.address, 'hex'), sc.id, sc.image_url) end as sender,
    i.sender as sender_text,
    case when r.id is not null then json_build_array(encode(r.address, 'hex'), rc.id, rc.image_url) end as receiver,
    i.receiver as receiver_text, encode(l.address, 'hex') as relayer`
}

function transferJoins(sql: Reader) {
  return sql`
    left join tx t on t.height = i.height and t.id = i.tx_id
    left join address s on s.id = i.sender_id
    left join celestial sc on sc.address = s.address and sc.status = 'PRIMARY'
    left join address r on r.id = i.receiver_id
    left join celestial rc on rc.address = r.address and rc.status = 'PRIMARY'
    left join address l on l.id = i.relayer_id`
}
