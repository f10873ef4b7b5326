import type { Reader } from '../../db.ts'
import { heightOf } from '../../pack/id.ts'
import type { Fragment } from '../../sql/fragment.ts'
import { plainTables, type ReadTables, tablesOf } from '../partition.ts'
import { findTxIds } from './tx-id.ts'

/** The hash of a tx or its id: txs of the genesis document have no hash. */
export type TxName = Uint8Array | number

/** Hashes of a partitioned index that a process remembers. A tx is asked for several times in a row: itself, its messages, its events. */
const MAX_KNOWN = 10_000

/**
 * Rows about a tx that is known by its name; none when it is unknown. `read` gets the tables where it is found and a condition on a tx `t`.
 * A hash says nothing about the partition: its id is looked up first, or remembered. After a fork a remembered id may belong to another tx,
 * so the hash is part of the condition.
 */
export async function readOfNamedTx<Row>(
  sql: Reader,
  name: TxName,
  read: (tables: ReadTables, isNamed: Fragment) => Promise<Row[]>,
): Promise<Row[]> {
  const readAt = (id: number) => {
    const hash = typeof name === 'number' ? sql`` : sql`and t.hash = ${name}`
    return read(tablesOf(sql, [id]), sql`t.height = ${heightOf(id)}::integer and t.id = ${id} ${hash}`)
  }
  if (typeof name === 'number') return readAt(name)
  const { partitions } = sql.context
  if (!partitions.layout) return read(plainTables(sql), sql`t.hash = ${name}`)
  const known = (partitions.known ??= new Map())
  const key = Buffer.from(name).toString('latin1')
  const remembered = known.get(key)
  const rows = remembered === undefined ? [] : await readAt(remembered)
  if (rows.length > 0) return rows
  known.delete(key)
  const [id] = await findTxIds(sql, name)
  if (id === undefined) return []
  if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value!)
  known.set(key, id)
  return readAt(id)
}

/** The one row about a tx that is known by its name. */
export async function readNamedTx<Row>(
  sql: Reader,
  name: TxName,
  read: (tx: Fragment, isNamed: Fragment) => Promise<Row[]>,
): Promise<Row | undefined> {
  return (await readOfNamedTx(sql, name, ({ tx }, isNamed) => read(tx, isNamed)))[0]
}
