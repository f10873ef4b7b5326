import type { Reader } from '../db.ts'
import { heightOf } from '../pack/id.ts'
import type { Fragment } from './fragment.ts'
import { tableAt } from './partition.ts'
import { findTxIds } from './tx-id.ts'

/** The hash of a tx or its id: txs of the genesis document have no hash. */
export type TxName = Uint8Array | number

/** Hashes of a partitioned index that a process remembers. A tx is asked for several times in a row: itself, its messages, its events. */
const MAX_KNOWN = 10_000

/**
 * Reads a tx by its name. `read` gets the table where it is found and a condition on a tx `t`. A hash says nothing about the partition: its
 * id is looked up first, or remembered. After a fork a remembered id may belong to another tx, so the hash is part of the condition.
 */
export async function readNamedTx<Row>(
  sql: Reader,
  name: TxName,
  read: (table: Fragment, isNamed: Fragment) => Promise<Row[]>,
): Promise<Row | undefined> {
  const readAt = async (id: number) => {
    const hash = typeof name === 'number' ? sql`` : sql`and t.hash = ${name}`
    const height = heightOf(id)
    return (await read(tableAt(sql, 'tx', height), sql`t.height = ${height}::integer and t.id = ${id} ${hash}`))[0]
  }
  if (typeof name === 'number') return readAt(name)
  const { partitions } = sql
  if (!partitions?.layout) return (await read(sql`tx`, sql`t.hash = ${name}`))[0]
  const known = (partitions.known ??= new Map())
  const key = Buffer.from(name).toString('latin1')
  const remembered = known.get(key)
  const row = remembered === undefined ? undefined : await readAt(remembered)
  if (row) return row
  known.delete(key)
  const [id] = await findTxIds(sql, name)
  if (id === undefined) return undefined
  if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value!)
  known.set(key, id)
  return readAt(id)
}
