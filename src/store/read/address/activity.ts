import type { Reader } from '../../db.ts'
import { direction, type Fragment, optional } from '../../sql/fragment.ts'
import { readOwned } from '../owner.ts'
import { cutPage } from '../page.ts'
import { type MessageRow, messageColumns } from '../tx/message.ts'
import { hasStatus, mergeTxs, type TxRow, type TxStatus, txColumns, withinIds } from '../tx/tx.ts'

type Page = { address: Uint8Array; limit: number; offset: number; cursor?: number | undefined; sort: 'asc' | 'desc' }

export type AddressTxFilter = Page & {
  height?: number | undefined
  status?: TxStatus[] | undefined
  /** stored ids of message types: a tx holds at least one of them */
  types?: number[] | undefined
  from?: number | undefined
  to?: number | undefined
}

/** Txs that the address signed. Undefined when the address is unknown, or the height is (docs/rules.md R11). */
export function listAddressTxs(sql: Reader, f: AddressTxFilter): Promise<TxRow[] | undefined> {
  const statuses = new Set(f.status)
  const success = statuses.size === 1 ? statuses.has('success') : undefined
  const ofType = (type?: number) => sql`
    select s.tx_id
    from signer s
    ${optional`join tx_message_type m on m.tx_id = s.tx_id and m.type = ${type}`}
    where s.address_id = owner.id
      ${withinIds(sql, f, sql`s.tx_id`)}
      ${optional`and s.tx_id >= ${f.height}::bigint << 24 and s.tx_id < (${f.height}::bigint + 1) << 24`}
      ${success === undefined ? sql`` : hasStatus(sql, sql`s.tx_id`, success)}
    order by s.tx_id ${direction(f.sort)}`
  const signed = f.types ? mergeTxs(sql, f.types.map(ofType), f.sort) : ofType()
  const isKnown = optional`and exists (select from block b where b.height = ${f.height})`
  return readOwned<TxRow>(sql, {
    list: f,
    owner: sql`address owner`,
    isOwner: sql`owner.address = ${f.address} ${isKnown}`,
    page: sql`select signed.tx_id as id, 0 as role from (${cutPage(sql, signed, f)}) signed`,
    rows: (links, { tx }) => sql`
      select true as owned, l.id as link, l.role, t.height, t.time, ${txColumns(sql)}
      from ${links}
      left join ${tx} t on t.height = (l.id >> 24)::integer and t.id = l.id`,
    order: sql`page.link ${direction(f.sort)}`,
  })
}

export type AddressMessageRow = MessageRow & TxRow & { role: number }

export type AddressMessageFilter = Page & { types?: number[] | undefined }

/** Messages and roles of a page. The index of the links holds all that is asked of them: no message is looked at. */
export function pageOfAddressMessages(sql: Reader, f: Omit<AddressMessageFilter, 'address'>, addressId: Fragment): Fragment {
  const links = sql`
    select l.message_id, l.role
    from message_address l
    where l.address_id = ${addressId}
      ${f.types ? sql`and l.type = any(${f.types}::smallint[])` : sql``}
      ${withinIds(sql, f, sql`l.message_id`)}
    order by l.message_id ${direction(f.sort)}, l.role ${direction(f.sort)}`
  return cutPage(sql, links, f)
}

/** Messages that name the address, once per role it has in them. */
export function listAddressMessages(sql: Reader, f: AddressMessageFilter): Promise<AddressMessageRow[] | undefined> {
  return readOwned<AddressMessageRow>(sql, {
    list: f,
    owner: sql`address owner`,
    isOwner: sql`owner.address = ${f.address}`,
    page: sql`select named.message_id as id, named.role from (${pageOfAddressMessages(sql, f, sql`owner.id`)}) named`,
    rows: (links, { tx, message }) => sql`
      select true as owned, l.id as link, l.role, ${messageColumns(sql)}, ${txColumns(sql)}
      from ${links}
      left join ${message} m on m.height = (l.id >> 24)::integer and m.id = l.id
      left join ${tx} t on t.height = m.height and t.id = m.tx_id`,
    order: sql`page.link ${direction(f.sort)}, page.role ${direction(f.sort)}`,
  })
}
