import type { Static } from 'typebox'
import { positionOf } from '../../store/pack/id.ts'
import type { SignedTxRow, TxRow } from '../../store/read/tx/tx.ts'
import { messageTypeName } from '../../types/message-type.ts'
import { toSafeInteger } from '../http/write-json.ts'
import type { Tx } from '../schema/tx.ts'
import { toShortAddress } from './account.ts'

/** A tx without its signers: as it stands inside messages and blobs, and in lists of one signer. */
export function toTx(row: TxRow): Static<typeof Tx> {
  return {
    id: row.tx_id,
    height: row.height,
    position: positionOf(row.tx_id),
    gas_wanted: toSafeInteger(row.tx_gas_wanted),
    gas_used: toSafeInteger(row.tx_gas_used),
    timeout_height: toSafeInteger(row.tx_timeout_height),
    events_count: row.tx_events_count,
    messages_count: row.tx_messages_count,
    hash: row.tx_hash ?? '',
    fee: row.tx_fee,
    error: row.tx_error || undefined,
    codespace: row.tx_codespace || undefined,
    memo: row.tx_memo || undefined,
    time: row.time,
    message_types: toMessageTypes(row.tx_message_types),
    status: row.tx_success ? 'success' : 'failed',
  }
}

export function toSignedTx(row: SignedTxRow): Static<typeof Tx> {
  return Object.assign(toTx(row), { signers: (row.signers ?? []).map(toShortAddress) })
}

/** Stored in the order of the enum. */
export function toMessageTypes(types: number[]) {
  return types.map(messageTypeName)
}
