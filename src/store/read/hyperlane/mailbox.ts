import type { Reader } from '../../db.ts'
import { type AccountRef, PRIMARY_NAME } from '../celestial.ts'
import { hashTable } from '../tx/tx-id.ts'

export type MailboxRow = {
  number: number
  mailbox: string
  height: number
  time: string
  tx_hash: string | null
  default_ism: string | null
  default_hook: string | null
  required_hook: string | null
  domain: number
  sent_messages: number
  received_messages: number
  owner: AccountRef | null
}

/** Newest first. */
export function listMailboxes(sql: Reader, f: { limit: number; offset: number }): Promise<MailboxRow[]> {
  return sql<MailboxRow[]>`
    select ${mailboxColumns(sql)}
    from hl_mailbox m
    ${mailboxJoins(sql)}
    order by m.number desc
    limit ${f.limit} offset ${f.offset}`
}

export async function findMailbox(sql: Reader, mailbox: string): Promise<MailboxRow | undefined> {
  const [row] = await sql<MailboxRow[]>`
    select ${mailboxColumns(sql)}
    from hl_mailbox m
    ${mailboxJoins(sql)}
    where m.mailbox = ${mailbox}`
  return row
}

function mailboxColumns(sql: Reader) {
  return sql`
    m.number, m.mailbox, m.height, m.time, encode(t.hash, 'hex') as tx_hash, m.default_ism, m.default_hook, m.required_hook,
    m.domain, m.sent_messages, m.received_messages,
    case when a.id is not null then json_build_array(encode(a.address, 'hex'), c.id, c.image_url) end as owner`
}

function mailboxJoins(sql: Reader) {
  return sql`
    left join ${hashTable(sql)} t on t.height = m.height and t.id = m.tx_id
    left join address a on a.id = m.owner_id
    ${PRIMARY_NAME}`
}
