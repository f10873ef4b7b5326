import type { HeaderHashes } from '../client/proof/header-hashes.ts'

/** The JSON of the node's RPC, as far as it is read. Wire shapes stay in this folder: everything else sees ChainBlock. */

export type RpcBlockId = { hash: string; parts: { total: number; hash: string } }

export type RpcHeader = {
  version: { block: string; app: string }
  chain_id: string
  height: string
  time: string
  last_block_id: RpcBlockId
  proposer_address: string
} & HeaderHashes

export type RpcCommitSignature = {
  block_id_flag: number
  validator_address: string
  timestamp: string
  signature: string | null
}

export type RpcCommit = { height: string; round: number; block_id: RpcBlockId; signatures: RpcCommitSignature[] | null }

/** Result of `block`. */
export type RpcBlock = {
  block_id: RpcBlockId
  block: {
    header: RpcHeader
    data: { txs: string[] | null; square_size: string }
    evidence: { evidence: unknown[] | null }
    last_commit: RpcCommit
  }
}

export type RpcEvent = { type: string; attributes?: { key: string; value: string | null; index?: boolean }[] | null }

export type RpcTxResult = {
  code: number
  data: string | null
  log: string
  info: string
  gas_wanted: string
  gas_used: string
  events?: RpcEvent[] | null
  codespace: string
  signers?: string[] | null
}

export type RpcValidatorUpdate = {
  pub_key: { Sum: { type: string; value: { ed25519?: string; secp256k1?: string } } }
  power?: string
}

/** Result of `block_results`. Nodes of the 0.34 line have the begin and end lists, those of 0.38 the single one. */
export type RpcBlockResults = {
  height: string
  txs_results: RpcTxResult[] | null
  finalize_block_events?: RpcEvent[] | null
  begin_block_events?: RpcEvent[] | null
  end_block_events?: RpcEvent[] | null
  validator_updates: RpcValidatorUpdate[] | null
  consensus_param_updates: unknown
  app_hash?: string
}
