import type { HeaderHashes } from '../client/proof/header-hashes.ts'

/** One height as a node serves it, checked and in plain units: base64, hex and the event encodings of the node generations are gone. */

/** Attribute values are always text; a `null` value of the node reads as the empty string. Order and repeated keys are kept. */
export type ChainEvent = { type: string; attributes: [key: string, value: string][] }

export type TxResult = {
  code: number
  codespace: string
  gasWanted: bigint
  gasUsed: bigint
  log: string
  events: ChainEvent[]
  /** Account addresses as the node lists them (app 6 and later), else empty. */
  signers: string[]
}

export type CommitSignature = {
  /** 1 absent, 2 commit, 3 nil */
  flag: number
  /** upper-case hex, empty for an absent signature */
  validatorAddress: string
  timestamp: string
}

/** Double-sign evidence inside the block; the state effects come as `slash` events. */
export type BlockEvidence = { kind: string; validatorAddress: string; height: number; time: string }

export type ConsensusParamUpdates = {
  block?: { maxBytes: string; maxGas: string }
  evidence?: { maxAgeNumBlocks: string; maxAgeDurationNs: string; maxBytes: string }
  validator?: { pubKeyTypes: string[] }
  versionApp?: number
}

/**
 * `power` 0 means removal from the active set; `consAddress` upper-case hex; `publicKey` an ed25519 key in lower-case hex, left out for
 * a key of another kind, which the chain does not admit.
 */
export type ValidatorUpdate = { consAddress: string; power: bigint; publicKey?: string }

/** Hashes are upper-case hex, empty when the node gives none (genesis, first parent). */
export type ChainBlock = {
  height: number
  chainId: string
  /** RFC 3339 UTC as the node gave it, up to nanoseconds */
  time: string
  versionBlock: number
  versionApp: number
  hash: string
  parentHash: string
  hashes: HeaderHashes
  /** consensus address of the proposer, upper-case hex */
  proposerAddress: string
  txs: Uint8Array[]
  squareSize: number
  lastCommit: { height: number; signatures: CommitSignature[] }
  evidence: BlockEvidence[]
  /** Same length as `txs`. */
  txResults: TxResult[]
  /** Block-level events without any repeated tx events: the first `beginEventsCount` belong to the begin part. */
  events: ChainEvent[]
  beginEventsCount: number
  consensusParamUpdates?: ConsensusParamUpdates
  /** They count two heights later. */
  validatorUpdates: ValidatorUpdate[]
}
