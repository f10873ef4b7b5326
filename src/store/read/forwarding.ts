import { addressRoleId } from '../../types/address-role.ts'
import { messageTypeId } from '../../types/message-type.ts'
import type { Reader } from '../db.ts'
import { readSealed, unsealedBytes } from '../segments/sealed.ts'
import { optional } from '../sql/fragment.ts'
import { type AccountRef, PRIMARY_NAME } from './celestial.ts'
import { isMeant, type NumberedPage, orderNumbered } from './numbered.ts'
import { withinIds } from './tx/tx.ts'
import { hashTable } from './tx/tx-id.ts'

export type ForwardingRow = {
  id: number
  height: number
  time: string
  tx_hash: string | null
  dest_domain: number
  dest_recipient: string
  token_id: string
  amount: string
  denom: string
  message_id: string
  address_id: number
  forward_address: AccountRef
}

export type ForwardingFilter = NumberedPage & {
  tx_ids?: number[] | undefined
  address_id?: number | undefined
  height?: number | undefined
  from?: number | undefined
  to?: number | undefined
}

export function listForwardings(sql: Reader, f: ForwardingFilter): Promise<ForwardingRow[]> {
  const { order, after, offset } = orderNumbered(sql, f, f.address_id !== undefined)
  return sql<ForwardingRow[]>`
    with page as materialized (
      select r.height, r.id
      from forwarding r
      where true
        ${after}
        ${f.tx_ids ? sql`and r.tx_id = any(${f.tx_ids}::bigint[])` : sql``}
        ${optional`and r.address_id = ${f.address_id}`}
        ${optional`and r.height = ${f.height}`}
        ${withinIds(sql, { ...f, cursor: undefined }, sql`r.id`)}
      order by ${order}
      limit ${f.limit} offset ${offset}
    )
    select ${forwardingColumns(sql)}
    from page
    join forwarding r on r.height = page.height and r.id = page.id
    ${forwardingJoins(sql)}
    order by ${order}`
}

export async function findForwarding(sql: Reader, id: number): Promise<ForwardingRow | undefined> {
  const [row] = await sql<ForwardingRow[]>`
    select ${forwardingColumns(sql)}
    from forwarding r
    ${forwardingJoins(sql)}
    where ${isMeant(sql, 'forwarding', id)}`
  return row
}

function forwardingColumns(sql: Reader) {
  return sql`
    r.id, r.height, r.time, encode(t.hash, 'hex') as tx_hash, r.dest_domain, r.dest_recipient, r.token_id, r.amount, r.denom,
    r.message_id, r.address_id, json_build_array(encode(a.address, 'hex'), c.id, c.image_url) as forward_address`
}

function forwardingJoins(sql: Reader) {
  return sql`
    join address a on a.id = r.address_id
    left join ${hashTable(sql)} t on t.height = r.height and t.id = r.tx_id
    ${PRIMARY_NAME}`
}

/** Coins that reached the forwarding account: by Hyperlane, by IBC, or by a plain send, whose sender and coins stand in `value`. */
type Arrival = { id: number; height: number; time: string; tx_hash: string | null }
export type ForwardingInputRow = Arrival &
  (
    | { kind: 'hyperlane'; from: string; received: string; denom: string; domain: number }
    | { kind: 'ibc'; from: string; received: string; denom: string }
    | { kind: 'send'; value: Buffer }
  )

/** More inputs than these say nothing more about a forwarding. */
const MAX_INPUTS = 100

/** Coins received since the account forwarded before, newest first. */
export async function listForwardingInputs(
  sql: Reader,
  forwarding: Pick<ForwardingRow, 'id' | 'address_id'>,
): Promise<ForwardingInputRow[]> {
  // Ids count within their own kind, so "before" and "after" inside a block are told by the tx; ids only bound the heights.
  const span = sql`
    span as (
      select f.address_id, f.tx_id as last_tx, (f.height + 1)::bigint << 24 as end_id, coalesce(p.tx_id, 0) as previous_tx,
             coalesce(p.height::bigint << 24, 0) as first_id
      from forwarding f
      left join lateral (
        select b.tx_id, b.height
        from forwarding b
        where b.address_id = f.address_id and b.id < f.id and b.tx_id < f.tx_id
        order by b.id desc
        limit 1
      ) p on true
      where f.height = (${forwarding.id}::bigint >> 24)::integer and f.id = ${forwarding.id}
    )`
  const [hyperlane, ibc, sends] = await Promise.all([
    sql<ForwardingInputRow[]>`
      with ${span}
      select 'hyperlane' as kind, r.id, r.height, r.time, encode(t.hash, 'hex') as tx_hash, r.counterparty as "from",
             r.amount as received, r.denom, r.domain
      from span s
      join hl_transfer r on r.address_id = s.address_id and r.id >= s.first_id and r.id < s.end_id
      left join ${hashTable(sql)} t on t.height = r.height and t.id = r.tx_id
      where r.direction = 'receive' and r.tx_id > s.previous_tx and r.tx_id <= s.last_tx
      order by r.id desc
      limit ${MAX_INPUTS}`,
    sql<ForwardingInputRow[]>`
      with ${span}
      select 'ibc' as kind, r.id, r.height, r.time, encode(t.hash, 'hex') as tx_hash, r.sender as "from", r.amount as received, r.denom
      from span s
      join ibc_transfer r on r.receiver_id = s.address_id and r.id >= s.first_id and r.id < s.end_id
      left join ${hashTable(sql)} t on t.height = r.height and t.id = r.tx_id
      where r.direction = 'in' and r.tx_id > s.previous_tx and r.tx_id <= s.last_tx
      order by r.id desc
      limit ${MAX_INPUTS}`,
    sql<(Arrival & { kind: 'send'; value: Buffer | null })[]>`
      with ${span}
      select 'send' as kind, m.id, m.height, m.time, encode(t.hash, 'hex') as tx_hash,
             ${unsealedBytes(sql, 'message')} as value
      from span s
      join message_address l on l.address_id = s.address_id and l.message_id >= s.first_id and l.message_id < s.end_id
      join message m on m.height = (l.message_id >> 24)::integer and m.id = l.message_id
      join tx t on t.height = m.height and t.id = m.tx_id
      where l.role = ${addressRoleId('toAddress')} and m.type = ${messageTypeId('MsgSend')!} and t.success
        and m.tx_id > s.previous_tx and m.tx_id <= s.last_tx
      order by m.id desc
      limit ${MAX_INPUTS}`,
  ])
  const found: ForwardingInputRow[] = [...hyperlane, ...ibc]
  for (const send of sends) found.push({ ...send, value: send.value ?? (await readSealed(sql, 'message', send.height, send.id)) })
  return found.sort((a, b) => b.height - a.height || b.id - a.id).slice(0, MAX_INPUTS)
}
