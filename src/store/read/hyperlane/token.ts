import type { Reader } from '../../db.ts'
import { beyond, direction, optional } from '../../sql/fragment.ts'
import { type AccountRef, PRIMARY_NAME } from '../celestial.ts'
import { hashTable } from '../tx/tx-id.ts'

export type HlTokenType = 'synthetic' | 'collateral'

export type HlTokenRow = {
  number: number
  token_id: string
  height: number
  time: string
  mailbox: string
  tx_hash: string | null
  type: HlTokenType
  denom: string
  sent_transfers: number
  received_transfers: number
  sent: string
  received: string
  owner: AccountRef | null
}

export type HlTokenFilter = {
  limit: number
  offset: number
  cursor?: number | undefined
  sort: 'asc' | 'desc'
  owner_id?: number | undefined
  mailbox?: string | undefined
  type?: HlTokenType[] | undefined
}

export function listHlTokens(sql: Reader, f: HlTokenFilter): Promise<HlTokenRow[]> {
  return sql<HlTokenRow[]>`
    select ${tokenColumns(sql)}
    from hl_token k
    ${tokenJoins(sql)}
    where true
      ${optional`and k.number ${beyond(f.sort)} ${f.cursor}::bigint`}
      ${optional`and k.owner_id = ${f.owner_id}`}
      ${optional`and k.mailbox = ${f.mailbox}`}
      ${f.type ? sql`and k.type = any(${f.type}::text[])` : sql``}
    order by k.number ${direction(f.sort)}
    limit ${f.limit} offset ${f.cursor === undefined ? f.offset : 0}`
}

export async function findHlToken(sql: Reader, tokenId: string): Promise<HlTokenRow | undefined> {
  const [row] = await sql<HlTokenRow[]>`
    select ${tokenColumns(sql)}
    from hl_token k
    ${tokenJoins(sql)}
    where k.token_id = ${tokenId}`
  return row
}

function tokenColumns(sql: Reader) {
  return sql`
    k.number, k.token_id, k.height, k.time, k.mailbox, encode(t.hash, 'hex') as tx_hash, k.type, k.denom, k.sent_transfers,
    k.received_transfers, k.sent, k.received,
    case when a.id is not null then json_build_array(encode(a.address, 'hex'), c.id, c.image_url) end as owner`
}

function tokenJoins(sql: Reader) {
  return sql`
    left join ${hashTable(sql)} t on t.height = k.height and t.id = k.tx_id
    left join address a on a.id = k.owner_id
    ${PRIMARY_NAME}`
}
