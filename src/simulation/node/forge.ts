import { hash } from 'node:crypto'
import { hashCommit } from '../../chain/commit-hash.ts'
import { hashHeader } from '../../chain/header-hash.ts'
import { hashResults } from '../../chain/results-hash.ts'
import type { RawBlock } from '../../chain/source.ts'
import type {
  RpcBlock,
  RpcBlockId,
  RpcBlockResults,
  RpcCommitSignature,
  RpcEvent,
  RpcTxResult,
  RpcValidatorUpdate,
} from '../../chain/wire.ts'
import { layoutSquare } from '../../decode/square/layout.ts'
import { toSquareTx } from '../../decode/square/square-tx.ts'

/**
 * Blocks that never were, but pass every check that a reader can make: hashes, parent links and results are sealed as the chain
 * does it. Nobody signed them: `sign.ts` does that for chains whose keys it made.
 */
export type ForgedBlock = { height: number; block: RpcBlock; results: RpcBlockResults }

export type BlockSpec = {
  chainId: string
  height: number
  time: string
  txs?: Uint8Array[]
  /** One per tx; what is left out is a success without gas and events. */
  txResults?: Partial<RpcTxResult>[]
  /** Block-level events; give them an attribute `mode` as nodes do. */
  events?: RpcEvent[]
  validatorUpdates?: RpcValidatorUpdate[]
  consensusParamUpdates?: unknown
  evidence?: { list: unknown[]; hash: string }
  signatures?: RpcCommitSignature[]
  proposer?: string
  appVersion?: number
  squareSize?: number
  /** Root of the data square; without one an empty block has the right root and any other a made-up one. */
  dataHash?: string
  appHash?: string
}

/** Root of the smallest square, which holds one share of padding. */
const EMPTY_DATA_HASH = '3D96B7D238E7E0456F6AF8E7CDF0A67BD6CF9C2089ECB559C659DCAA1F880353'
const EMPTY_ID: RpcBlockId = { hash: '', parts: { total: 0, hash: '' } }
const EMPTY_ROOT = hash('sha256', '', 'hex').toUpperCase()

/** One block from nothing that continues `parent`, or starts a chain. */
export function forgeBlock(spec: BlockSpec, parent?: ForgedBlock): ForgedBlock {
  const forged = layOutBlock(spec)
  sealBlock(forged, parent)
  return forged
}

/** Block without links and hashes, to be changed before it is sealed. */
export function layOutBlock(spec: BlockSpec): ForgedBlock {
  const txs = spec.txs ?? []
  return {
    height: spec.height,
    block: {
      block_id: EMPTY_ID,
      block: {
        header: {
          version: { block: '11', app: String(spec.appVersion ?? 9) },
          chain_id: spec.chainId,
          height: String(spec.height),
          time: spec.time,
          last_block_id: EMPTY_ID,
          last_commit_hash: EMPTY_ROOT,
          data_hash: spec.dataHash ?? (txs.length === 0 ? EMPTY_DATA_HASH : hashUpper(Buffer.concat(txs))),
          validators_hash: hashUpper('validators'),
          next_validators_hash: hashUpper('validators'),
          consensus_hash: hashUpper('consensus'),
          app_hash: spec.appHash ?? hashUpper(`state before ${spec.height}`),
          last_results_hash: EMPTY_ROOT,
          evidence_hash: spec.evidence?.hash ?? EMPTY_ROOT,
          proposer_address: spec.proposer ?? hashUpper('proposer').slice(0, 40),
        },
        data: {
          txs: txs.map((tx) => Buffer.from(tx).toString('base64')),
          square_size: String(spec.squareSize ?? sideOf(txs, spec.appVersion ?? 9)),
        },
        evidence: { evidence: spec.evidence?.list ?? [] },
        last_commit: { height: String(spec.height - 1), round: 0, block_id: EMPTY_ID, signatures: spec.signatures ?? [] },
      },
    },
    results: {
      height: String(spec.height),
      txs_results: txs.length === 0 ? null : txs.map((_, i) => fillTxResult(spec.txResults?.[i])),
      finalize_block_events: spec.events ?? null,
      validator_updates: spec.validatorUpdates ?? null,
      consensus_param_updates: spec.consensusParamUpdates ?? null,
      app_hash: '',
    },
  }
}

function sideOf(txs: readonly Uint8Array[], appVersion: number): number {
  return layoutSquare(txs.map((tx) => toSquareTx(tx, appVersion))).size
}

function fillTxResult(given: Partial<RpcTxResult> = {}): RpcTxResult {
  return {
    code: 0,
    data: null,
    log: '',
    info: '',
    gas_wanted: '0',
    gas_used: '0',
    events: [],
    codespace: '',
    signers: [],
    ...given,
  }
}

/** Brings links and hashes of a changed block in order; without a parent its links stay as they are. */
export function sealBlock(forged: ForgedBlock, parent?: ForgedBlock): void {
  const { header, last_commit: commit } = forged.block.block
  if (parent) {
    header.last_block_id = parent.block.block_id
    header.last_results_hash = hashResultsOf(parent.results)
    commit.height = String(parent.height)
    commit.block_id = parent.block.block_id
  }
  header.last_commit_hash = hashCommit(commit.signatures ?? [])
  const blockHash = hashHeader(header)
  // The hash over the block's parts would need the block in protobuf; nobody can check it from the RPC answer.
  forged.block.block_id = { hash: blockHash, parts: { total: 1, hash: hashUpper(blockHash) } }
}

/**
 * Another history: copies of `blocks` (consecutive) of which the first is changed by `change` and all following are linked to it.
 * The first keeps its own parent.
 */
export function forgeBranch(blocks: readonly ForgedBlock[], change: (first: ForgedBlock) => void): ForgedBlock[] {
  const branch = structuredClone(blocks) as ForgedBlock[]
  for (const [i, forged] of branch.entries()) {
    if (i === 0) change(forged)
    sealBlock(forged, branch[i - 1])
  }
  return branch
}

/** A change that gives a block another hash and nothing else: `forgeBranch(blocks, divertAppHash('b'))`. */
export function divertAppHash(name: string): (first: ForgedBlock) => void {
  return (first) => {
    first.block.block.header.app_hash = hashUpper(`branch ${name}`)
  }
}

export function toForgedBlock(raw: RawBlock): ForgedBlock {
  return { height: raw.height, block: parseText<RpcBlock>(raw.block), results: parseText<RpcBlockResults>(raw.results) }
}

/** Each text has memory of its own, so that it can be moved to another thread. */
export function toRawBlock(forged: ForgedBlock, origin = 'forged'): RawBlock {
  return { height: forged.height, block: toBytes(forged.block), results: toBytes(forged.results), origin }
}

function hashResultsOf(results: RpcBlockResults): string {
  return hashResults(
    (results.txs_results ?? []).map((result) => ({
      code: result.code,
      data: result.data ?? '',
      gasWanted: BigInt(result.gas_wanted),
      gasUsed: BigInt(result.gas_used),
    })),
  )
}

function parseText<T>(bytes: Uint8Array): T {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) as T
}

function toBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

function hashUpper(input: string | Uint8Array): string {
  return hash('sha256', input, 'hex').toUpperCase()
}
