import { Type } from 'typebox'
import { Base64, Bech32, Bool, Decimal, DecimalInteger, HexUpper, Integer, Maybe, Model, Nullable, Text } from './values.ts'

/** A row of the extended square that proven shares touch. */
export const RowProof = Model('RowProof', {
  row: Integer,
  root: Base64,
  start: Integer,
  end: Integer,
  nodes: Type.Array(Base64),
  aunts: Type.Array(Base64),
})

export const ShareProof = Model('ShareProof', {
  height: Integer,
  hash: HexUpper,
  data_hash: HexUpper,
  square_size: Integer,
  namespace: Base64,
  start: Integer,
  end: Integer,
  shares: Type.Array(Base64),
  rows: Type.Array(RowProof),
})

const NodeBlockId = Model('NodeBlockId', { hash: HexUpper, parts: Model('NodePartSet', { total: Integer, hash: HexUpper }) })

/** As a node prints it, so that any light client reads it: numbers that may be large are text. */
const NodeHeader = Model('NodeHeader', {
  version: Model('NodeVersion', { block: DecimalInteger, app: DecimalInteger }),
  chain_id: Text,
  height: DecimalInteger,
  time: Text,
  last_block_id: NodeBlockId,
  last_commit_hash: HexUpper,
  data_hash: HexUpper,
  validators_hash: HexUpper,
  next_validators_hash: HexUpper,
  consensus_hash: HexUpper,
  app_hash: HexUpper,
  last_results_hash: HexUpper,
  evidence_hash: HexUpper,
  proposer_address: HexUpper,
})

const NodeVote = Model('NodeVote', {
  block_id_flag: Integer,
  validator_address: HexUpper,
  timestamp: Text,
  signature: Nullable(Base64),
})

export const BlockProof = Model('BlockProof', {
  header: NodeHeader,
  commit: Model('NodeCommit', {
    height: DecimalInteger,
    round: Integer,
    block_id: NodeBlockId,
    signatures: Type.Array(NodeVote),
  }),
  validators: Type.Array(
    Model('NodeValidator', {
      address: HexUpper,
      pub_key: Model('NodePublicKey', { type: Text, value: Base64 }),
      voting_power: DecimalInteger,
    }),
  ),
})

const StateProofFields = {
  /** the state after this block */
  height: Integer,
  store: Text,
  key: Base64,
  value: Nullable(Base64),
  ops: Type.Array(Model('StateProofOp', { type: Text, key: Base64, data: Base64 })),
  block: BlockProof,
}

export const BalanceProof = Model('BalanceProof', { address: Bech32, denom: Text, amount: DecimalInteger, ...StateProofFields })

export const SupplyProof = Model('SupplyProof', { denom: Text, amount: DecimalInteger, ...StateProofFields })

/** The last four are absent when the chain has no such validator any more. */
export const ValidatorProof = Model('ValidatorProof', {
  operator: Bech32,
  tokens: Maybe(DecimalInteger),
  shares: Maybe(Decimal),
  jailed: Maybe(Bool),
  bonded: Maybe(Bool),
  ...StateProofFields,
})
