import type { Cause } from '../../types/balance-change.ts'
import type { Effect } from '../../types/effects.ts'
import type { BlockStats, Dec, GasPrices, SupplyChange } from '../../types/facts.ts'

export type PackedTx = {
  /** COPY text up to `signer_ids` */
  row: string
  /** indexes into `addresses` */
  signers: number[]
  success: boolean
  gasWanted: bigint
  gasUsed: bigint
  feeUtia: bigint
  timeoutHeight: bigint
  eventsCount: number
  messagesCount: number
}

export type PackedBlob = {
  /** COPY text up to `namespace_id` */
  row: string
  /** index into `namespaces` */
  namespace: number
  /** index into `addresses` */
  signer: number
  tx: number
  message: number
  size: number
  fee: Dec
}

/** A movement of coins: `address` is an index into `addresses`, `tx` is null outside of txs. */
export type PackedCoins = { address: number; denom: string; delta: bigint; cause: Cause; tx: number | null }

export type PackedBlock = {
  height: number
  time: string
  hash: string
  parentHash: string
  /** hash over the tx results; the next header states it. A genesis has none. */
  resultsHash?: string
  versionApp: number
  proposer: string
  signedBy: string[]
  stats: BlockStats
  gasPrices: GasPrices
  /** COPY text up to `proposer_id` */
  blockRow: string
  txs: PackedTx[]
  /** finished COPY text */
  messageRows: string
  /** finished COPY text of the bytes that were left out of the rows */
  unsealedRows: string
  /** finished COPY text of the block's txs, where they are kept */
  keptTxsRow?: string
  messagesCount: number
  txEventsCount: number
  /** finished COPY text of (type, tx_id) */
  txTypeRows: string
  /** finished COPY text of (id, height, hash), for an index whose txs are partitioned */
  txHashRows: string
  /** [type, count] of the messages */
  messageTypeCounts: [type: number, count: number][]
  addresses: string[]
  namespaces: string[]
  blobs: PackedBlob[]
  /** flat fours: address index, message index, role, type of the message */
  addressLinks: number[]
  /** flat triples: namespace index, message index, bytes */
  namespaceLinks: number[]
  /** operator hex and message index */
  validatorLinks: [operator: string, message: number][]
  coins: PackedCoins[]
  supply: SupplyChange[]
  rewards: { operator: string; rewards: Dec; commission: Dec }[]
  effects: Effect[]
  unknownMessages: { typeUrl: string; count: number }[]
  undecodableTxs: number
}
