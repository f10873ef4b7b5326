import type { ProofOp } from '../client/proof/state.ts'
import type { StateKey } from '../client/proof/state-record.ts'
import type { NodeFault } from '../lib/errors.ts'
import type { ConsensusValidator } from './validator-set.ts'

/** Where a source stands. `time` is the time of the block at `height`. */
export type SourceHead = {
  chainId: string
  height: number
  time: string
  earliest: number
  catchingUp: boolean
  /** As the node names itself, when it does. */
  nodeVersion?: string
}

/**
 * One height as JSON text, unparsed: parsing costs milliseconds on a full block and is done on worker threads.
 * `block` and `results` are the `result` objects of the RPC methods `block` and `block_results`. Blocks of one chunk may be views on
 * one ArrayBuffer, blocks of different chunks never are, so the memory of a chunk can be moved to another thread.
 */
export type RawBlock = { height: number; block: Uint8Array; results: Uint8Array; origin: string }

/** Why there is no proof: the node does not have the state of the height (pruned, or not there yet), gives no proofs, or did not answer. */
export type StateRefusal = { missing: 'state' | 'proof' | 'answer'; reason: string }

/** Proof of what the state has under a key, or that it has nothing: unverified. */
export type StateAnswer = { ops: ProofOp[] } | StateRefusal

/** One origin of blocks by itself, whatever the others say: to prove a block, to follow a branch, to hear another opinion. */
export interface Witness {
  readonly origin: string
  /** The genesis document as JSON text. */
  genesis(signal: AbortSignal): Promise<Uint8Array>
  /** Undefined when it does not have the height. */
  block(height: number, signal: AbortSignal): Promise<RawBlock | undefined>
  /** Answer of the RPC method `block_results`; undefined when it does not have the height. */
  results(height: number, signal: AbortSignal): Promise<Uint8Array | undefined>
  /** Answer of the RPC method `commit`, header and votes; undefined when there can be none, as for the last block of a recording. */
  commit(height: number, signal: AbortSignal): Promise<Uint8Array | undefined>
  /** Validators of a height as the source states them, to be checked against a header. Undefined where the source has none, as a recording. */
  validators(height: number, signal: AbortSignal): Promise<ConsensusValidator[] | undefined>
  /** Proofs of keys in the state after a height, in their order: to be checked against the header above it. */
  state(height: number, keys: readonly StateKey[], signal: AbortSignal): Promise<StateAnswer[]>
}

/** The whole contract between the pipeline and a place that has blocks. */
export interface ChainSource {
  readonly name: string
  head(signal: AbortSignal): Promise<SourceHead>
  /** The genesis document as JSON text. */
  genesis(signal: AbortSignal): Promise<Uint8Array>
  /**
   * Heights `from`..`to` in ascending order without gaps, in chunks bounded by count and bytes; several are fetched ahead. Ends early
   * when nobody has the next height, although somebody claimed it: `head` tells what is left.
   */
  blocks(from: number, to: number, signal: AbortSignal): AsyncGenerator<RawBlock[]>
  /** A block of `origin` failed a check after it was handed out: the origin is put aside and the height is asked elsewhere. */
  reportFault(origin: string, fault: NodeFault): void
  /** All origins that are not put aside. */
  witnesses(): Witness[]
  /** Resolves when the head may have moved beyond `height`, or after a poll interval; recordings resolve when aborted. */
  waitForHead(height: number, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Single heights in any order, to serve blob contents from; both kinds of source can. */
export interface BlockReader {
  /** Undefined when the source does not have the height. Unverified like any RawBlock; its memory belongs to the caller. */
  readBlock(height: number, signal: AbortSignal): Promise<RawBlock | undefined>
  /** As of a ChainSource. */
  reportFault(origin: string, fault: NodeFault): void
  witnesses(): Witness[]
}
