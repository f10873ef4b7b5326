import type { Static } from 'typebox'
import { toBase64 } from '../../lib/encoding/bytes.ts'
import type { HlTransferRow } from '../../store/read/hyperlane/transfer.ts'
import type { DomainEntry } from '../../store/read/offchain-documents.ts'
import type { HyperlaneTransfer } from '../schema/bridge/hyperlane.ts'
import { toShortAddressOr } from './account.ts'
import { toChainMetadata } from './chain-metadata.ts'

/** The amount is called `received` whatever the direction, as clients know it (docs/rules.md R35). */
export const toHyperlaneTransfer = (row: HlTransferRow, domains: Map<number, DomainEntry>): Static<typeof HyperlaneTransfer> => ({
  id: row.id,
  height: row.height,
  time: row.time,
  tx_hash: row.tx_hash ?? undefined,
  mailbox: row.mailbox,
  token_id: row.token_id,
  type: row.direction,
  version: row.version,
  nonce: row.nonce,
  body: toBase64(row.body) || undefined,
  metadata: toBase64(row.metadata) || undefined,
  received: row.amount,
  denom: row.denom,
  address: toShortAddressOr(row.address, undefined),
  relayer: toShortAddressOr(row.relayer, undefined),
  gas_payment: toGasPayment(row.gas_payment),
  counterparty: { hash: row.counterparty, domain: row.domain || undefined, chain_metadata: toChainMetadata(row.domain, domains) },
})

function toGasPayment(payment: HlTransferRow['gas_payment']) {
  if (payment === null) return undefined
  const [amount, gas_amount, igp_id] = payment
  return { amount, gas_amount, igp_id }
}
