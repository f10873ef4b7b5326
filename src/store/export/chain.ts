import { messageData } from '../../decode/message.ts'
import { encodeAddress } from '../../lib/encoding/bech32.ts'
import { messageTypeName, typeUrlOf } from '../../types/message-type.ts'
import { unsealedBytes } from '../segments/sealed.ts'
import type { Dataset, Row } from './dataset.ts'

const typeNames = (types: unknown) => JSON.stringify((types as number[]).map(messageTypeName))

export const blocks: Dataset = {
  name: 'blocks',
  about: 'headers and totals of blocks; height 0 is the genesis document',
  needsState: false,
  columns: {
    height: 'int32',
    time: 'time',
    hash: 'hex',
    parent_hash: 'hex',
    data_hash: 'hex',
    app_hash: 'hex',
    validators_hash: 'hex',
    version_app: 'int64',
    proposer_id: 'int32?',
    proposer_cons_address: 'hex?',
    tx_count: 'int32',
    messages_count: 'int32',
    events_count: 'int32',
    blobs_count: 'int32',
    blobs_size: 'int64',
    gas_limit: 'decimal',
    gas_used: 'decimal',
    fee: 'decimal',
    supply_change: 'decimal',
    inflation_rate: 'fraction',
    rewards: 'fraction',
    commissions: 'fraction',
    bytes_in_block: 'int64',
    square_size: 'int32',
    block_time: 'int64',
    message_types: 'json',
  },
  select: (sql, { from, to }) => sql`
    select b.height, b.time, b.hash, b.parent_hash, b.data_hash, b.app_hash, b.validators_hash, b.version_app, b.proposer_id,
           v.cons_address as proposer_cons_address, b.tx_count, b.messages_count, b.events_count + b.tx_events_count as events_count,
           b.blobs_count, b.blobs_size, b.gas_limit::numeric, b.gas_used::numeric, b.fee, b.supply_change, b.inflation_rate, b.rewards,
           b.commissions, b.bytes_in_block, b.square_size, b.block_time, b.message_types
    from block b
    left join validator v on v.id = b.proposer_id
    where b.height between ${from} and ${to}
    order by b.height`,
  toRow: ({ message_types, ...row }) => ({ ...(row as Row), message_types: typeNames(message_types) }),
}

export const txs: Dataset = {
  name: 'txs',
  about: 'transactions; those of the genesis document have no hash',
  needsState: false,
  columns: {
    height: 'int32',
    id: 'int64',
    time: 'time',
    hash: 'hex?',
    success: 'boolean',
    code: 'int64',
    codespace: 'text?',
    error: 'text?',
    gas_wanted: 'decimal',
    gas_used: 'decimal',
    fee: 'decimal',
    fee_other: 'text?',
    timeout_height: 'decimal',
    memo: 'text?',
    messages_count: 'int32',
    events_count: 'int32',
    blobs_count: 'int32',
    message_types: 'json',
    signers: 'json',
  },
  select: (sql, { from, to }) => sql`
    select t.height, t.id, t.time, t.hash, t.success, t.code, t.codespace, t.error, t.gas_wanted::numeric, t.gas_used::numeric, t.fee,
           t.fee_other, t.timeout_height, t.memo, t.messages_count, t.events_count, t.blobs_count, t.message_types,
           (select json_agg(encode(a.address, 'hex') order by s.position)
            from unnest(t.signer_ids) with ordinality as s (id, position)
            join address a on a.id = s.id) as signers
    from tx t
    where t.height between ${from} and ${to}
    order by t.height, t.id`,
  toRow: ({ message_types, signers, ...row }) => ({
    ...(row as Row),
    message_types: typeNames(message_types),
    signers: JSON.stringify(((signers as string[] | null) ?? []).map((address) => encodeAddress('celestia', address))),
  }),
}

export const messages: Dataset = {
  name: 'messages',
  about: 'messages of transactions with their decoded content',
  needsState: false,
  columns: {
    height: 'int32',
    id: 'int64',
    tx_id: 'int64',
    time: 'time',
    position: 'int32',
    type: 'text',
    type_url: 'text',
    size: 'int32',
    success: 'boolean',
    data: 'json',
  },
  select: (sql, { from, to }) => sql`
    select m.height, m.id, m.tx_id, m.time, m.position, m.type, m.type_url, m.size, t.success,
           ${unsealedBytes(sql, 'message')} as value
    from message m
    join tx t on t.height = m.height and t.id = m.tx_id
    where m.height between ${from} and ${to}
    order by m.height, m.id`,
  sealed: { column: 'value', kind: 'message' },
  toRow: ({ type, type_url, value, ...row }) => {
    const typeUrl = (type_url as string | null) ?? typeUrlOf(type as number)
    const data = messageData(typeUrl, value as Buffer, { success: row.success as boolean })
    return { ...(row as Row), type: messageTypeName(type as number), type_url: typeUrl, data: JSON.stringify(data) }
  },
}

export const blobs: Dataset = {
  name: 'blobs',
  about: 'blobs without their content',
  needsState: false,
  columns: {
    height: 'int32',
    id: 'int64',
    time: 'time',
    tx_id: 'int64',
    message_id: 'int64',
    position: 'int32',
    size: 'int32',
    share_version: 'int32',
    namespace: 'base64',
    namespace_id: 'int32',
    commitment: 'base64',
    content_type: 'text',
    fee: 'fraction',
    signer: 'address',
  },
  select: (sql, { from, to }) => sql`
    select b.height, b.id, b.time, b.tx_id, b.message_id, b.position, b.size, b.share_version,
           set_byte('\\x00'::bytea, 0, n.version) || n.namespace_id as namespace, b.namespace_id, b.commitment, b.content_type, b.fee,
           a.address as signer
    from blob b
    join namespace n on n.id = b.namespace_id
    join address a on a.id = b.signer_id
    where b.height between ${from} and ${to}
    order by b.height, b.id`,
}
