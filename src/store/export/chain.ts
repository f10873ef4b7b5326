import { messageData } from '../../decode/message.ts'
import { encodeAddress } from '../../lib/encoding/bech32.ts'
import { messageTypeName, typeUrlOf } from '../../types/message-type.ts'
import { unpackEvents } from '../pack/event-pack.ts'
import { unsealedBytes } from '../segments/sealed.ts'
import { type Dataset, HEIGHT, placeId, type Row, TIME } from './dataset.ts'

const typeNames = (types: unknown) => JSON.stringify((types as number[]).map(messageTypeName))

export const blocks: Dataset = {
  name: 'blocks',
  about: 'headers and totals of blocks; height 0 is the genesis document',
  needsState: false,
  columns: {
    height: ['int64', 'height of the block; 0 is the genesis document'],
    time: ['time', 'time in the header of the block'],
    hash: ['hex', 'hash of the block'],
    parent_hash: ['hex', 'hash of the block before'],
    data_hash: ['hex', 'root of the data square'],
    app_hash: ['hex', 'root of the application state after the block before'],
    validators_hash: ['hex', 'hash of the validator set that signs this block'],
    version_app: ['int64', 'version of the application'],
    proposer_id: ['int64?', 'validator that proposed the block (validators.id); null for the genesis document'],
    proposer_cons_address: ['hex?', 'consensus address of the proposer'],
    tx_count: ['int64', 'transactions in the block'],
    messages_count: ['int64', 'messages of all transactions'],
    events_count: ['int64', 'events of the block and of its transactions'],
    blobs_count: ['int64', 'blobs in the block'],
    blobs_size: ['int64', 'bytes of all blobs'],
    gas_limit: ['int64', 'gas that the transactions asked for'],
    gas_used: ['int64', 'gas that the transactions used'],
    fee: ['decimal', 'fees of all transactions in utia'],
    supply_change: ['decimal', 'utia minted less utia burned'],
    inflation_rate: ['fraction', 'yearly inflation rate of the block; 0.08 is 8 %'],
    rewards: ['fraction', 'utia that validators and delegators earned'],
    commissions: ['fraction', 'utia of the rewards that validators keep as commission'],
    bytes_in_block: ['int64', 'bytes of the transactions with their blobs'],
    square_size: ['int64', 'side of the original data square in shares'],
    block_time: ['int64', 'milliseconds since the block before'],
    message_types: ['list', 'names of the message types in the block, each once'],
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
  toRows: ({ message_types, ...row }) => [{ ...(row as Row), message_types: typeNames(message_types) }],
}

export const txs: Dataset = {
  name: 'txs',
  about: 'transactions; those of the genesis document have no hash',
  needsState: false,
  columns: {
    height: HEIGHT,
    id: placeId('transaction'),
    time: TIME,
    hash: ['hex?', 'hash of the transaction; null in the genesis document'],
    success: ['boolean', 'whether the transaction took effect'],
    code: ['int64', 'result code; 0 is success'],
    codespace: ['text?', 'module that the result code belongs to'],
    error: ['text?', 'why the transaction failed'],
    gas_wanted: ['int64', 'gas limit of the transaction'],
    gas_used: ['int64', 'gas that the transaction used'],
    fee: ['decimal', 'fee in utia'],
    fee_other: ['text?', 'fee in other denominations, as coins'],
    timeout_height: ['decimal', 'height after which the transaction is invalid; 0 is never'],
    memo: ['text?', 'memo of the transaction'],
    messages_count: ['int64', 'messages in the transaction'],
    events_count: ['int64', 'events of the transaction'],
    blobs_count: ['int64', 'blobs of the transaction'],
    message_types: ['list', 'names of the message types, each once'],
    signers: [
      'list',
      'addresses of the signers (accounts.address): those of its messages in order of appearance, then the fee payer',
    ],
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
  toRows: ({ message_types, signers, ...row }) => [
    {
      ...(row as Row),
      message_types: typeNames(message_types),
      signers: JSON.stringify(((signers as string[] | null) ?? []).map((address) => encodeAddress('celestia', address))),
    },
  ],
}

export const messages: Dataset = {
  name: 'messages',
  about: 'messages of transactions with their decoded content',
  needsState: false,
  columns: {
    height: HEIGHT,
    id: placeId('message'),
    tx_id: ['int64', 'transaction that holds the message (txs.id)'],
    time: TIME,
    position: ['int64', 'position of the message in its transaction, from 0'],
    type: ['text', 'name of the message type, such as MsgPayForBlobs'],
    type_url: ['text', 'full name of the message type, such as /celestia.blob.v1.MsgPayForBlobs'],
    size: ['int64', 'bytes of the encoded message'],
    success: ['boolean', 'whether its transaction took effect'],
    data: ['json', 'decoded content of the message'],
  },
  select: (sql, { from, to }) => sql`
    select m.height, m.id, m.tx_id, m.time, m.position, m.type, m.type_url, m.size, t.success,
           ${unsealedBytes(sql, 'message')} as value
    from message m
    join tx t on t.height = m.height and t.id = m.tx_id
    where m.height between ${from} and ${to}
    order by m.height, m.id`,
  sealed: { column: 'value', kindOf: () => 'message' },
  toRows: ({ type, type_url, value, ...row }) => {
    const typeUrl = (type_url as string | null) ?? typeUrlOf(type as number)
    const data = messageData(typeUrl, value as Buffer, { success: row.success as boolean })
    return [{ ...(row as Row), type: messageTypeName(type as number), type_url: typeUrl, data: JSON.stringify(data) }]
  },
}

export const events: Dataset = {
  name: 'events',
  about: 'events of blocks and of transactions',
  needsState: false,
  columns: {
    height: HEIGHT,
    time: TIME,
    tx_id: ['int64?', 'transaction that caused the event (txs.id); null for an event of the block itself'],
    position: ['int64', 'position among the events of its transaction, or of the block, from 0'],
    type: ['text', 'name of the event, such as coin_received'],
    attributes: ['json', 'list of [key, value] in the order of the chain; a key may come more than once'],
  },
  select: (sql, { from, to }) => sql`
    select b.height, b.time, 0::bigint as id, ${unsealedBytes(sql, 'block')} as events
    from block b
    where b.height between ${from} and ${to} and b.events_count > 0
    union all
    select t.height, t.time, t.id, ${unsealedBytes(sql, 'tx')}
    from tx t
    where t.height between ${from} and ${to} and t.events_count > 0
    order by height, id`,
  sealed: { column: 'events', kindOf: ({ id }) => (id === 0 ? 'block' : 'tx') },
  toRows: ({ height, time, id, events: packed }) =>
    unpackEvents(packed as Buffer).map(({ type, attributes }, position) => ({
      height: height as number,
      time: time as string,
      tx_id: id === 0 ? null : (id as number),
      position,
      type,
      attributes: JSON.stringify(attributes),
    })),
}

export const blobs: Dataset = {
  name: 'blobs',
  about: 'blobs without their content',
  needsState: false,
  columns: {
    height: HEIGHT,
    id: placeId('blob'),
    time: TIME,
    tx_id: ['int64', 'transaction that paid for the blob (txs.id)'],
    message_id: ['int64', 'MsgPayForBlobs of the blob (messages.id)'],
    position: ['int64', 'position of the blob in its transaction, from 0'],
    size: ['int64', 'bytes of the blob'],
    share_version: ['int64', 'version of the share format'],
    namespace: ['base64', 'namespace with its version: 29 bytes'],
    namespace_id: ['int64', 'number of the namespace (namespaces.id)'],
    commitment: ['base64', 'share commitment of the blob'],
    content_type: ['text', 'kind of content as told from its first bytes'],
    fee: ['fraction', 'share of the fee of its transaction in utia, by size'],
    signer: ['address', 'account that paid (accounts.address)'],
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
