import type { Reader } from '../../db.ts'
import { firstId } from '../../pack/id.ts'
import { tableAt } from '../partition.ts'

/** A tx of one height and the address (hex) or namespace (hex with its version) that one of its messages is linked to. */
export type TxLinkRow = { tx_id: number; owner: string }

/** Txs of a height with a message that names one of `addresses` (hex of their bytes). */
export function listTxsOfAddresses(sql: Reader, height: number, addresses: string[]): Promise<TxLinkRow[]> {
  return sql<TxLinkRow[]>`
    select distinct m.tx_id, w.owner
    from unnest(${addresses}::text[]) as w (owner)
    join address a on a.address = decode(w.owner, 'hex')
    join message_address l on l.address_id = a.id and l.message_id >= ${firstId(height)} and l.message_id < ${firstId(height + 1)}
    join ${tableAt(sql, 'message', height)} m on m.height = ${height} and m.id = l.message_id`
}

/** Txs of a height with a message in one of `namespaces` (hex of version and id). */
export function listTxsOfNamespaces(sql: Reader, height: number, namespaces: string[]): Promise<TxLinkRow[]> {
  return sql<TxLinkRow[]>`
    select distinct m.tx_id, w.owner
    from unnest(${namespaces}::text[]) as w (owner)
    join namespace n on n.namespace_id = decode(substr(w.owner, 3), 'hex') and n.version = get_byte(decode(w.owner, 'hex'), 0)
    join message_namespace l on l.namespace_id = n.id and l.message_id >= ${firstId(height)} and l.message_id < ${firstId(height + 1)}
    join ${tableAt(sql, 'message', height)} m on m.height = ${height} and m.id = l.message_id`
}
