/** Append-only tables and the columns that COPY fills, in order. Rows of all of them are removed by height on a rollback. */
export const APPEND_ONLY = {
  block: [
    'height',
    'time',
    'version_block',
    'version_app',
    'hash',
    'parent_hash',
    'last_commit_hash',
    'data_hash',
    'validators_hash',
    'next_validators_hash',
    'consensus_hash',
    'app_hash',
    'last_results_hash',
    'evidence_hash',
    'message_types',
    'tx_count',
    'messages_count',
    'events_count',
    'tx_events_count',
    'blobs_count',
    'blobs_size',
    'gas_limit',
    'gas_used',
    'fee',
    'supply_change',
    'inflation_rate',
    'rewards',
    'commissions',
    'bytes_in_block',
    'square_size',
    'gas_slow',
    'gas_median',
    'gas_fast',
    'ods',
    'events',
    'proposer_id',
    'block_time',
    'signers',
  ],
  tx: [
    'height',
    'id',
    'time',
    'hash',
    'gas_wanted',
    'gas_used',
    'fee',
    'fee_other',
    'timeout_height',
    'memo',
    'success',
    'code',
    'codespace',
    'error',
    'messages_count',
    'events_count',
    'blobs_count',
    'message_types',
    'events',
    'raw',
    'signer_ids',
  ],
  message: ['height', 'id', 'tx_id', 'time', 'position', 'type', 'type_url', 'size', 'value'],
  tx_message_type: ['type', 'tx_id'],
  blob: [
    'height',
    'id',
    'time',
    'tx_id',
    'message_id',
    'position',
    'size',
    'share_version',
    'commitment',
    'content_type',
    'fee',
    'namespace_id',
    'signer_id',
  ],
  signer: ['address_id', 'tx_id'],
  message_address: ['address_id', 'message_id', 'role', 'type'],
  message_namespace: ['namespace_id', 'message_id', 'size'],
  message_validator: ['validator_id', 'message_id'],
  blob_rollup: ['rollup_id', 'blob_id', 'size'],
  jail: ['height', 'id', 'validator_id', 'time', 'reason', 'burned'],
  staking_log: ['height', 'id', 'validator_id', 'address_id', 'type', 'amount', 'time'],
  ibc_transfer: [
    'height',
    'id',
    'time',
    'tx_id',
    'direction',
    'channel_id',
    'port_id',
    'connection_id',
    'chain_id',
    'amount',
    'denom',
    'memo',
    'sender_id',
    'sender',
    'receiver_id',
    'receiver',
    'timeout',
    'timeout_height',
    'sequence',
    'relayer_id',
  ],
  hl_transfer: [
    'height',
    'id',
    'time',
    'tx_id',
    'direction',
    'mailbox',
    'token_id',
    'domain',
    'counterparty',
    'address_id',
    'relayer_id',
    'amount',
    'denom',
    'version',
    'nonce',
    'body',
    'metadata',
    'message_id',
  ],
  hl_gas_payment: ['height', 'id', 'time', 'tx_id', 'igp_id', 'message_id', 'domain', 'gas_amount', 'amount', 'denom'],
  signal_version: ['height', 'id', 'time', 'tx_id', 'validator_id', 'version', 'voting_power'],
  forwarding: [
    'height',
    'id',
    'time',
    'tx_id',
    'address_id',
    'dest_domain',
    'dest_recipient',
    'token_id',
    'amount',
    'denom',
    'message_id',
  ],
  zkism_update: ['height', 'id', 'time', 'tx_id', 'ism_id', 'signer_id', 'state'],
  zkism_message: ['height', 'id', 'time', 'tx_id', 'ism_id', 'signer_id', 'state_root', 'message_id'],
} as const satisfies Record<string, readonly string[]>

export type AppendOnlyTable = keyof typeof APPEND_ONLY

/** COPY text of a batch, table by table. */
export class RowSink {
  readonly #texts = new Map<AppendOnlyTable, string[]>()
  #counts = new Map<AppendOnlyTable, number>()
  rows = 0
  chars = 0

  /** One or more finished lines. */
  lines(table: AppendOnlyTable, text: string, rows: number): void {
    if (rows === 0) return
    const texts = this.#texts.get(table)
    if (texts) texts.push(text)
    else this.#texts.set(table, [text])
    this.rows += rows
    this.chars += text.length
  }

  /** One row of values that need no escaping beyond `copyText`; null becomes `\N`. */
  row(table: AppendOnlyTable, values: (string | number | bigint | null)[]): void {
    this.lines(table, `${values.map((value) => (value === null ? '\\N' : value)).join('\t')}\n`, 1)
    this.#counts.set(table, (this.#counts.get(table) ?? 0) + 1)
  }

  /** How many rows a table got in the present block: the position in the id of the next one. */
  position(table: AppendOnlyTable): number {
    return this.#counts.get(table) ?? 0
  }

  beginBlock(): void {
    this.#counts = new Map()
  }

  *entries(): Generator<[table: AppendOnlyTable, texts: string[]]> {
    yield* this.#texts
  }
}
