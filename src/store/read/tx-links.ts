import type { Reader } from '../db.ts'
import { firstId } from '../pack/id.ts'

/** A tx of one height and the address (hex) or namespace (hex with its version) that one of its messages is linked to. */
export type TxLinkRow = { tx_id: number; owner: string }

/** Txs of a height with a message that names one of `addresses` (hex of their bytes). */
export function listTxsOfAddresses(sql: Reader, height: number, addresses: string[]): Promise<TxLinkRow[]> {
  return sql<TxLinkRow[]>`
    select distinct m.tx_id, encode(a.address, 'hex') as owner
    from address a
    join message_address l on l.address_id = a.id and l.message_id >= ${firstId(height)} and l.message_id < ${firstId(height + 1)}
    join message m on m.height = ${height} and m.id = l.message_id
    where a.address = any(${addresses.map((hex) => Buffer.from(hex, 'hex'))}::bytea[])`
}

/** Txs of a height with a message in one of `namespaces` (hex of version and id). */
export function listTxsOfNamespaces(sql: Reader, height: number, namespaces: string[]): Promise<TxLinkRow[]> {
  const bytes = namespaces.map((hex) => Buffer.from(hex, 'hex'))
  return sql<TxLinkRow[]>`
    select distinct m.tx_id, w.owner
    from unnest(${namespaces}::text[], ${bytes.map((each) => each[0]!)}::smallint[], ${bytes.map((each) => each.subarray(1))}::bytea[])
      as w (owner, version, namespace_id)
    join namespace n on n.version = w.version and n.namespace_id = w.namespace_id
    join message_namespace l on l.namespace_id = n.id and l.message_id >= ${firstId(height)} and l.message_id < ${firstId(height + 1)}
    join message m on m.height = ${height} and m.id = l.message_id`
}
