/**
 * Facts of one block for the tables, as plain data: made by `derive` (pure, on a worker thread), kept by `store`.
 * Nothing here knows row ids: those are given by the writer in the order of first appearance.
 */
import type { HeaderHashes } from '../client/proof/header-hashes.ts'
import type { Cause } from './balance-change.ts'
import type { ChainEvent } from './chain.ts'

/** Lower-case hex of the address bytes (20 or 32 bytes): one account per bytes, whatever prefix the chain wrote. */
export type AddressHex = string & { readonly [ACCOUNT]?: never }

/** Marks the texts that are accounts: any text may stand for one, but the types can tell which fields do. */
declare const ACCOUNT: unique symbol

/** The fields of a record that hold one account. */
export type AccountFieldOf<T> = T extends unknown
  ? { [F in keyof T]-?: typeof ACCOUNT extends keyof NonNullable<T[F]> ? F : never }[keyof T]
  : never

/** Lower-case hex of version byte + 28-byte id. */
export type NamespaceHex = string

/** Decimal with 18 fraction digits as an integer (value x 10^18). */
export type Dec = bigint

export type HeaderFacts = {
  height: number
  /** RFC 3339 UTC cut to microseconds: `2026-11-15T02:26:34.966225Z` */
  time: string
  versionBlock: number
  versionApp: number
  /** upper-case hex; empty when absent */
  hash: string
  parentHash: string
  hashes: HeaderHashes
  /** upper-case hex consensus address; empty at genesis */
  proposer: string
  /** Consensus addresses (upper-case hex) with a commit signature (flag 2) for height - 1, in the order of the commit. */
  signedBy: string[]
}

export type BlockStats = {
  txCount: number
  /** block-level events only */
  eventsCount: number
  blobsCount: number
  blobsSize: number
  gasLimit: bigint
  gasUsed: bigint
  feeUtia: bigint
  supplyChange: bigint
  inflationRate: Dec
  rewards: Dec
  commissions: Dec
  bytesInBlock: number
  squareSize: number
}

/** Gas prices of one block in utia per gas (docs/rules.md R39); 0 for a block without paying txs. */
export type GasPrices = { slow: number; median: number; fast: number }

export type BlobFacts = {
  namespace: NamespaceHex
  signer: AddressHex
  sizeBytes: number
  commitment: Uint8Array
  shareVersion: number
  contentType: string
  /** position of the blob in its tx */
  index: number
  /** share of the tx fee, 18 digits; the shares of a tx sum up to the fee exactly */
  fee: Dec
}

export type MessageFacts = {
  /** index of the tx in the block */
  tx: number
  /** index inside the tx */
  position: number
  /** index in the list of message type names (0 = MsgUnknown) */
  type: number
  typeUrl: string
  /** the bytes of the Any value: `data` is decoded from them when it is read */
  value: Uint8Array
  /** (address, role index), unique, in order of appearance; MsgExec carries those of its inner messages too */
  links: [address: AddressHex, role: number][]
  /** operators named by the message (and by inner messages), each once */
  validators: AddressHex[]
  /** namespaces of a successful PFB with the bytes the message put there, each once */
  namespaces: [namespace: NamespaceHex, sizeBytes: number][]
}

export type TxFacts = {
  position: number
  /** lower-case hex, empty for genesis txs */
  hash: string
  gasWanted: bigint
  gasUsed: bigint
  feeUtia: bigint
  /** coins of the fee other than utia, as coins text; empty when none */
  feeOther: string
  timeoutHeight: bigint
  memo: string
  success: boolean
  code: number
  codespace: string
  error: string
  /** ascending, each once */
  messageTypes: number[]
  messagesCount: number
  signers: AddressHex[]
  /** fee payer named by the tx, when it is not the first signer */
  feePayer?: AddressHex
  events: ChainEvent[]
  blobs: BlobFacts[]
  /** the tx bytes as they stood in the block, only when they could not be decoded */
  raw?: Uint8Array
}

/** A movement of one denomination on one account; `tx` is the index of the tx that made it, where one did. */
export type CoinDelta = { address: AddressHex; denom: string; delta: bigint; cause: Cause; tx?: number }

/** Coins that were made or destroyed. */
export type SupplyChange = { denom: string; delta: bigint; cause: Cause }

/** Distribution module: what a validator was allocated in this block. */
export type ValidatorReward = { operator: AddressHex; rewards: Dec; commission: Dec }
