import { createHash } from 'node:crypto'
import type { Reader } from '../db.ts'
import { firstId } from '../pack/id.ts'
import { HASH_COLUMNS } from '../read/block.ts'
import { listPowersAt, type PowerRow } from '../read/validator-set.ts'
import { readSealed, unsealedBytes } from '../segments/sealed.ts'

type Row = Record<string, unknown>

/** The rows of a height that follow from its header, txs, results and votes alone, with names in place of our ids. Bytes are lower-case hex. */
export type BlockRecord = { block: Row; txs: Row[]; messages: Row[]; blobs: Row[]; signedBy: string[] }

/** `knownValidators`: who could have had a place in the list of signers. */
export type StoredBlock = BlockRecord & { knownValidators: string[] }

/** Undefined when the height is not indexed. */
export async function readStoredBlock(sql: Reader, height: number): Promise<StoredBlock | undefined> {
  const [found] = await sql<Row[]>`
    select to_char(b.time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time, b.version_block, b.version_app,
           ${HASH_COLUMNS}, encode(v.cons_address, 'hex') as proposer,
           b.tx_count, b.messages_count, b.blobs_count, b.blobs_size, b.gas_limit::text, b.gas_used::text, b.fee::text,
           b.bytes_in_block, b.square_size, encode(b.ods, 'hex') as ods
    from block b left join validator v on v.id = b.proposer_id
    where b.height = ${height}`
  if (!found) return undefined
  const voters = await sql<{ address: string; signed: boolean }[]>`
    select encode(v.cons_address, 'hex') as address, v.id < 8 * length(b.signers) and get_bit(b.signers, v.id) = 1 as signed
    from block b join validator v on v.first_height < b.height
    where b.height = ${height}
    order by 1`
  return {
    block: found,
    txs: await readTxs(sql, height),
    messages: await readMessages(sql, height),
    blobs: await readBlobs(sql, height),
    signedBy: voters.filter(({ signed }) => signed).map(({ address }) => address),
    knownValidators: voters.map(({ address }) => address),
  }
}

/** Link of the block above a height to it; undefined at the head. */
export async function readLinkTo(
  sql: Reader,
  height: number,
): Promise<{ parent_hash: string; last_results_hash: string } | undefined> {
  const [row] = await sql<{ parent_hash: string; last_results_hash: string }[]>`
    select encode(parent_hash, 'hex') as parent_hash, encode(last_results_hash, 'hex') as last_results_hash
    from block where height = ${height + 1}`
  return row
}

/** Validators of the block after the head, as the indexer will have them. */
export async function listNextVoters(sql: Reader): Promise<PowerRow[]> {
  const rows = await sql<{ public_key: string; power: string }[]>`
    select encode(public_key, 'hex') as public_key, power::text from consensus_validator where power > 0`
  return rows.map(({ public_key, power }) => ({ publicKey: public_key, power: BigInt(power) }))
}

function readTxs(sql: Reader, height: number): Promise<Row[]> {
  return sql<Row[]>`
    select t.id - ${firstId(height)}::bigint as position, encode(t.hash, 'hex') as hash,
           encode(coalesce((select l.hash from tx_hash l where l.id = t.id and l.height = t.height), t.hash), 'hex') as listed_hash,
           t.gas_wanted::text, t.gas_used::text, t.fee::text, coalesce(t.fee_other, '') as fee_other, t.timeout_height::text,
           coalesce(t.memo, '') as memo, t.success, t.code, coalesce(t.codespace, '') as codespace, t.messages_count, t.blobs_count,
           array_to_string(t.message_types, ',') as message_types,
           coalesce((select string_agg(encode(a.address, 'hex'), ',' order by s.n)
                     from unnest(t.signer_ids) with ordinality as s (id, n) join address a on a.id = s.id), '') as signers
    from tx t
    where t.height = ${height}
    order by t.id`
}

async function readMessages(sql: Reader, height: number): Promise<Row[]> {
  const rows = await sql<(Row & { id: number; value: Buffer | null })[]>`
    select m.id, m.tx_id - ${firstId(height)}::bigint as tx, m.position, m.type, m.type_url, m.size, ${unsealedBytes(sql, 'message')} as value
    from message m
    where m.height = ${height}
    order by m.id`
  const messages: Row[] = []
  for (const { id, value, ...row } of rows) {
    // Values in segments are compared only where segments can be read.
    const bytes = value ?? (sql.context.segments && (await readSealed(sql, 'message', height, id)))
    messages.push({ ...row, ...(bytes && { value: digestOf(bytes) }) })
  }
  return messages
}

function readBlobs(sql: Reader, height: number): Promise<Row[]> {
  return sql<Row[]>`
    select b.tx_id - ${firstId(height)}::bigint as tx, b.position, b.size, b.share_version, encode(b.commitment, 'hex') as commitment,
           b.content_type, lpad(to_hex(n.version::integer), 2, '0') || encode(n.namespace_id, 'hex') as namespace, encode(a.address, 'hex') as signer
    from blob b
    join namespace n on n.id = b.namespace_id
    join address a on a.id = b.signer_id
    where b.height = ${height}
    order by b.id`
}

/** Values may be large: their digests are compared. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Voters of a height where they are known for sure: those of the first block of an index that began without state are not. */
export async function listKnownVoters(sql: Reader, height: number): Promise<PowerRow[]> {
  const [start] = await sql<{ base_height: number }[]>`select base_height from index_start where not has_state`
  return start && height <= start.base_height + 1 ? [] : listPowersAt(sql, height)
}
