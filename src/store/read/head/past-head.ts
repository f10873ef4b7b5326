import type { Reader } from '../../db.ts'
import { headTable } from '../../state/account-tables.ts'
import { decodeUndo } from '../../write/undo.ts'
import { type Head, startColumns } from './head.ts'

type PastRow = { payload: Buffer } & Pick<Head, 'registry_version' | 'commit_number' | 'first_height' | 'has_state'>

/**
 * The head row as it was when `height` was the last one: the undo record of the next height holds it. Undefined when that record is
 * not kept any more, or `height` is the head itself.
 */
export async function findPastHead(sql: Reader, height: number): Promise<Head | undefined> {
  const [row] = await sql<PastRow[]>`
    select u.payload, h.registry_version, h.commit_number, ${startColumns(sql)}
    from undo u cross join head h cross join index_start s where u.height = ${height + 1}`
  const before = row && decodeUndo(row.payload).state[headTable.name]?.[0]?.[1]
  if (!row || !before) return undefined
  const values = Object.fromEntries(Object.keys(headTable.columns).map((column, i) => [column, before[i] ?? '']))
  const count = (column: keyof Head) => Number(values[column])
  return {
    chain_id: values.chain_id!,
    last_height: count('last_height'),
    last_hash: values.last_hash!.slice(2),
    last_time: trimTime(values.last_time!),
    version: count('version'),
    total_tx: count('total_tx'),
    total_messages: count('total_messages'),
    total_events: count('total_events'),
    total_accounts: count('total_accounts'),
    total_namespaces: count('total_namespaces'),
    total_blobs: count('total_blobs'),
    total_blobs_size: count('total_blobs_size'),
    total_fee: values.total_fee!,
    total_validators: count('total_validators'),
    total_proposals: count('total_proposals'),
    total_ibc_clients: count('total_ibc_clients'),
    total_supply: values.total_supply!,
    total_voting_power: values.total_voting_power!,
    total_vestings: count('total_vestings'),
    registry_version: row.registry_version,
    commit_number: row.commit_number,
    first_height: row.first_height,
    has_state: row.has_state,
  }
}

/** Stored with six fraction digits; a query gives them without the zeros at the end. */
function trimTime(text: string): string {
  return text.replace(/0+Z$/, 'Z').replace(/\.Z$/, 'Z')
}

/** Hashes of those of `heights` that are stored, in lower-case hex. */
export function listBlockHashes(sql: Reader, heights: number[]): Promise<{ height: number; hash: string }[]> {
  return sql<{ height: number; hash: string }[]>`
    select height, encode(hash, 'hex') as hash from block where height = any(${heights}::integer[])`
}
