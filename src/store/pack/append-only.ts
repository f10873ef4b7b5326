import { mapHeaderHashes } from '../../client/proof/header-hashes.ts'
import { amount, bool, bytes, cappedInt8, dec, emptyAsNull, float, hex, int, ints, orNull, text, time } from './copy-column.ts'
import { copyTable, packedTable } from './copy-table.ts'

const intOrNull = orNull(int)

/** The append-only tables: columns and rows of each are defined here and nowhere else. */
export const APPEND_ONLY = {
  block: packedTable(
    {
      height: int,
      time,
      version_block: int,
      version_app: int,
      hash: hex,
      parent_hash: hex,
      ...mapHeaderHashes(() => hex),
      message_types: ints,
      tx_count: int,
      messages_count: int,
      events_count: int,
      tx_events_count: int,
      blobs_count: int,
      blobs_size: int,
      gas_limit: cappedInt8,
      gas_used: cappedInt8,
      fee: amount,
      supply_change: amount,
      inflation_rate: dec,
      rewards: dec,
      commissions: dec,
      bytes_in_block: int,
      square_size: int,
      gas_slow: float,
      gas_median: float,
      gas_fast: float,
      ods: bytes,
      events: orNull(bytes),
    },
    { proposer_id: orNull(int), block_time: int, signers: bytes },
  ),
  tx: packedTable(
    {
      height: int,
      id: int,
      time,
      hash: emptyAsNull(hex),
      gas_wanted: cappedInt8,
      gas_used: cappedInt8,
      fee: amount,
      fee_other: emptyAsNull(text),
      timeout_height: amount,
      memo: emptyAsNull(text),
      success: bool,
      code: int,
      codespace: emptyAsNull(text),
      error: emptyAsNull(text),
      messages_count: int,
      events_count: int,
      blobs_count: int,
      message_types: ints,
      events: orNull(bytes),
      raw: orNull(bytes),
    },
    { signer_ids: ints },
  ),
  tx_hash: copyTable({ columns: { id: int, height: int, hash: hex } }),
  message: copyTable({
    columns: {
      height: int,
      id: int,
      tx_id: int,
      time,
      position: int,
      type: int,
      type_url: orNull(text),
      size: int,
      value: orNull(bytes),
    },
  }),
  tx_message_type: copyTable({
    columns: { type: int, tx_id: int },
    link: { owner: 'type', id: 'tx_id', owners: 'messageTypes' },
  }),
  blob: packedTable(
    {
      height: int,
      id: int,
      time,
      tx_id: int,
      message_id: int,
      position: int,
      size: int,
      share_version: int,
      commitment: bytes,
      content_type: text,
      fee: dec,
    },
    { namespace_id: int, signer_id: int },
  ),
  signer: copyTable({
    columns: { address_id: int, tx_id: int },
    link: { owner: 'address_id', id: 'tx_id', owners: 'addresses' },
  }),
  message_address: copyTable({
    columns: { address_id: int, message_id: int, role: int, type: int },
    link: { owner: 'address_id', id: 'message_id', owners: 'addresses' },
  }),
  message_namespace: copyTable({
    columns: { namespace_id: int, message_id: int, size: int },
    link: { owner: 'namespace_id', id: 'message_id', owners: 'namespaces' },
  }),
  message_validator: copyTable({
    columns: { validator_id: int, message_id: int },
    link: { owner: 'validator_id', id: 'message_id', owners: 'validators' },
  }),
  blob_rollup: copyTable({
    columns: { rollup_id: int, blob_id: int, size: int },
    link: { owner: 'rollup_id', id: 'blob_id', owners: 'rollups' },
  }),
  unsealed: copyTable({ columns: { height: int, kind: int, id: int, bytes } }),
  block_txs: copyTable({ columns: { height: int, txs: bytes } }),
  jail: copyTable({
    columns: { height: int, id: int, validator_id: int, time, reason: text, burned: amount },
  }),
  balance_change: copyTable({
    columns: { id: int, address_id: int, type_id: int, tx: intOrNull, amount, balance: amount },
    link: { owner: 'address_id', id: 'id', owners: 'holders', within: { column: 'type_id', values: 'changeTypes' } },
  }),
  stake_change: copyTable({
    columns: { id: int, validator_id: int, amount, stake: amount },
    link: { owner: 'validator_id', id: 'id', owners: 'stakedValidators' },
  }),
  validator_state: copyTable({ columns: { height: int, id: int, time, validator_id: int, jailed: bool } }),
  proposal_state: copyTable({ columns: { height: int, id: int, time, proposal_id: int, status: text } }),
  consensus_power: copyTable({ columns: { height: int, key_id: int, power: amount } }),
  staking_log: copyTable({
    columns: { height: int, id: int, validator_id: int, address_id: orNull(int), type: text, amount, time },
  }),
  ibc_transfer: copyTable({
    columns: {
      height: int,
      id: int,
      time,
      tx_id: orNull(int),
      direction: text,
      channel_id: text,
      port_id: text,
      connection_id: text,
      chain_id: text,
      amount,
      denom: text,
      memo: emptyAsNull(text),
      sender_id: orNull(int),
      sender: text,
      receiver_id: orNull(int),
      receiver: text,
      timeout: orNull(time),
      timeout_height: amount,
      sequence: amount,
      relayer_id: orNull(int),
    },
  }),
  hl_transfer: copyTable({
    columns: {
      height: int,
      id: int,
      time,
      tx_id: orNull(int),
      direction: text,
      mailbox: text,
      token_id: text,
      domain: int,
      counterparty: text,
      address_id: orNull(int),
      relayer_id: orNull(int),
      amount,
      denom: text,
      version: int,
      nonce: int,
      body: bytes,
      metadata: bytes,
      message_id: text,
    },
  }),
  hl_gas_payment: copyTable({
    columns: {
      height: int,
      id: int,
      time,
      tx_id: orNull(int),
      igp_id: text,
      message_id: text,
      domain: int,
      gas_amount: amount,
      amount,
      denom: text,
    },
  }),
  signal_version: copyTable({
    columns: { height: int, id: int, time, tx_id: orNull(int), validator_id: int, version: int, voting_power: amount },
  }),
  forwarding: copyTable({
    columns: {
      height: int,
      id: int,
      time,
      tx_id: orNull(int),
      address_id: int,
      dest_domain: int,
      dest_recipient: text,
      token_id: text,
      amount,
      denom: text,
      message_id: text,
    },
  }),
  zkism_update: copyTable({
    columns: { height: int, id: int, time, tx_id: orNull(int), ism_id: text, signer_id: orNull(int), state: text },
  }),
  zkism_message: copyTable({
    columns: {
      height: int,
      id: int,
      time,
      tx_id: orNull(int),
      ism_id: text,
      signer_id: orNull(int),
      state_root: text,
      message_id: text,
    },
  }),
}

export type AppendOnlyTable = keyof typeof APPEND_ONLY

/** Values that the writer gives to a row: all of them, or those that complete a packed one. */
export type RowOf<T extends AppendOnlyTable> = Parameters<(typeof APPEND_ONLY)[T]['line']>[0]

/** Tables whose rows the worker thread begins. */
export type PackedTable = {
  [T in AppendOnlyTable]: (typeof APPEND_ONLY)[T] extends { pack: unknown } ? T : never
}[AppendOnlyTable]
