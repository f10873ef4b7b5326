import type { Reader } from '../../db.ts'
import { optional } from '../../sql/fragment.ts'
import { type AccountRef, PRIMARY_NAME, primaryName } from '../celestial.ts'
import { isMeant, type NumberedPage, orderNumbered } from '../numbered.ts'
import { hashTable } from '../tx/tx-id.ts'

export type HlTransferType = 'send' | 'receive'

export type HlTransferRow = {
  id: number
  height: number
  time: string
  tx_hash: string | null
  mailbox: string
  token_id: string
  direction: HlTransferType
  version: number
  nonce: number
  body: Buffer
  metadata: Buffer
  amount: string
  denom: string
  domain: number
  counterparty: string
  address: AccountRef | null
  relayer: AccountRef | null
  gas_payment: [amount: string, gasAmount: string, igpId: string] | null
}

export type HlTransferFilter = NumberedPage & {
  height?: number | undefined
  address_id?: number | undefined
  relayer_id?: number | undefined
  mailbox?: string | undefined
  token?: string | undefined
  type?: HlTransferType[] | undefined
  domain?: number | undefined
  tx_hash?: Uint8Array | undefined
}

export function listHlTransfers(sql: Reader, f: HlTransferFilter): Promise<HlTransferRow[]> {
  const owners = [f.address_id, f.relayer_id, f.mailbox, f.token, f.domain, f.tx_hash]
  const { order, after, offset } = orderNumbered(
    sql,
    f,
    owners.some((owner) => owner !== undefined),
  )
  return sql<HlTransferRow[]>`
    with page as materialized (
      select r.height, r.id
      from hl_transfer r
      where true
        ${after}
        ${optional`and r.height = ${f.height}`}
        ${optional`and r.address_id = ${f.address_id}`}
        ${optional`and r.relayer_id = ${f.relayer_id}`}
        ${optional`and r.mailbox = ${f.mailbox}`}
        ${optional`and r.token_id = ${f.token}`}
        ${f.type ? sql`and r.direction = any(${f.type}::text[])` : sql``}
        ${optional`and r.domain = ${f.domain}`}
        ${optional`and r.tx_id in (select x.id from ${hashTable(sql)} x where x.hash = ${f.tx_hash})`}
      order by ${order}
      limit ${f.limit} offset ${offset}
    )
    select ${transferColumns(sql)}
    from page
    join hl_transfer r on r.height = page.height and r.id = page.id
    ${transferJoins(sql)}
    order by ${order}`
}

export async function findHlTransfer(sql: Reader, id: number): Promise<HlTransferRow | undefined> {
  const [row] = await sql<HlTransferRow[]>`
    select ${transferColumns(sql)}
    from hl_transfer r
    ${transferJoins(sql)}
    where ${isMeant(sql, 'hl_transfer', id)}`
  return row
}

function transferColumns(sql: Reader) {
  return sql`
    r.id, r.height, r.time, encode(t.hash, 'hex') as tx_hash, r.mailbox, r.token_id, r.direction, r.version, r.nonce, r.body,
    r.metadata, r.amount, r.denom, r.domain, r.counterparty,
    case when a.id is not null then json_build_array(encode(a.address, 'hex'), c.id, c.image_url) end as address,
    case when l.id is not null then json_build_array(encode(l.address, 'hex'), lc.id, lc.image_url) end as relayer,
    g.payment as gas_payment`
}

/** Gas of one message may be paid in several parts: the first is the one made with the transfer. */
function transferJoins(sql: Reader) {
  return sql`
    left join ${hashTable(sql)} t on t.height = r.height and t.id = r.tx_id
    left join address a on a.id = r.address_id
    ${PRIMARY_NAME}
    left join address l on l.id = r.relayer_id
    ${primaryName('l', 'lc')}
    left join lateral (
      select json_build_array(p.amount::text, p.gas_amount::text, p.igp_id) as payment
      from hl_gas_payment p
      where p.message_id = r.message_id and r.direction = 'send'
      order by p.id
      limit 1
    ) g on true`
}
