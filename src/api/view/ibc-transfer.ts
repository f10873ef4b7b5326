import type { Static } from 'typebox'
import { encodeAddress } from '../../lib/encoding/bech32.ts'
import type { Reader } from '../../store/db.ts'
import type { IbcTransferRow } from '../../store/read/ibc/transfer.ts'
import { type RelayerEntry, readRelayers } from '../../store/read/offchain-documents.ts'
import { toSafeInteger } from '../http/write-json.ts'
import type { IbcTransfer } from '../schema/bridge/ibc.ts'
import { toShortAddressOr } from './account.ts'

export function toIbcTransfer(row: IbcTransferRow, relayers: Map<string, RelayerEntry>): Static<typeof IbcTransfer> {
  return {
    id: row.id,
    time: row.time,
    height: row.height,
    channel_id: row.channel_id,
    connection_id: row.connection_id,
    port: row.port_id,
    amount: row.amount,
    denom: row.denom,
    memo: row.memo || undefined,
    timeout: row.timeout ?? undefined,
    timeout_height: row.timeout_height === '0' ? undefined : toSafeInteger(row.timeout_height),
    tx_hash: row.tx_hash ?? '',
    sequence: toSafeInteger(row.sequence),
    chain_id: row.chain_id,
    sender: toShortAddressOr(row.sender, { hash: row.sender_text }),
    receiver: toShortAddressOr(row.receiver, { hash: row.receiver_text }),
    relayer: row.relayer === null ? undefined : relayers.get(encodeAddress('celestia', row.relayer)),
  }
}

/** Known relayers by the accounts they sign with; not asked for when no row has one. */
export async function findRelayers(sql: Reader, rows: IbcTransferRow[]): Promise<Map<string, RelayerEntry>> {
  if (rows.every((row) => row.relayer === null)) return new Map()
  const relayers = await readRelayers(sql)
  return new Map(relayers.flatMap((relayer) => (relayer.addresses ?? []).map((address) => [address, relayer])))
}
