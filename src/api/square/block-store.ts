import type { SignedHeader } from '../../chain/signed-header.ts'
import type { BlockReader, RawBlock } from '../../chain/source.ts'
import type { ValidatorSet } from '../../chain/validator-set.ts'
import { ByteCache } from '../../lib/byte-cache.ts'
import { AstrolabeError, NodeFault } from '../../lib/errors.ts'
import { FairQueue } from '../../lib/fair-queue.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Db } from '../../store/db.ts'
import { findKeptTxs } from '../../store/read/tx/kept-txs.ts'
import { Unavailable } from '../http/errors.ts'
import { readSignedHeader } from './signed-header.ts'
import { squareThread } from './thread.ts'

/** An indexed block: a height alone may stand for another one after a fork. */
export type BlockRef = {
  height: number
  /** lower-case hex */
  hash: string
  /** bytes of its txs */
  bytes: number
}

/** Where the bytes of blocks are read from when a blob's content is asked for. */
export interface BlockStore {
  /** Txs of a block in order; undefined when the source does not have the height. */
  txs(block: BlockRef): Promise<Uint8Array[] | undefined>
  /** The header of an indexed block and its votes, which these validators must have given; undefined while nobody has the votes. */
  signedHeader?(block: BlockRef, validators: ValidatorSet): Promise<SignedHeader | undefined>
}

/** Looks for the txs of blocks among those that the indexer kept, which needs no node. */
export function withKeptTxs(blocks: BlockStore, db: Db): BlockStore {
  return { ...blocks, txs: async (block) => (await findKeptTxs(db, block)) ?? blocks.txs(block) }
}

/** Whoever asks for one blob of a block often asks for its neighbours and proofs too. */
const KEPT_BYTES = 32 * 2 ** 20
/** Bytes of blocks that are read at once: while a full block is read it takes several times its size. */
const READ_BYTES = 32 * 2 ** 20
/** More would not be read within the deadline of a request. */
const WAITING_BYTES = 256 * 2 ** 20
/** Nodes of one network may stand on different branches for a moment. */
const TRIES = 3

/**
 * Blocks of a recording or of a node, checked like those that are indexed; a blob is checked again by its commitment (blob-content.ts).
 * A block is fetched once for all who ask for it at the same time.
 */
export function readBlocksFrom(reader: BlockReader, chainId: () => string, timeoutMs = 8000): BlockStore {
  const kept = new ByteCache<Uint8Array[]>(KEPT_BYTES)
  const reading = new SingleFlight<Uint8Array[] | undefined>()
  const queue = new FairQueue(READ_BYTES)
  const read = async (block: BlockRef) => {
    if (queue.waiting + block.bytes > WAITING_BYTES) throw new Unavailable('overloaded', 'too many blocks are being read')
    const txs = await queue.run(block.hash, block.bytes, () => readTxs(reader, block, chainId(), timeoutMs))
    if (txs) kept.add(block.hash, txs, block.bytes)
    return txs
  }
  return {
    signedHeader: ({ height, hash }, validators) =>
      readSignedHeader(reader, { height, hash: hash.toUpperCase() }, validators, timeoutMs),
    txs: async (block) => kept.get(block.hash) ?? (await reading.run(block.hash, () => read(block))),
  }
}

async function readTxs(
  reader: BlockReader,
  block: BlockRef,
  chainId: string,
  timeoutMs: number,
): Promise<Uint8Array[] | undefined> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    for (let attempt = 1; ; attempt++) {
      const raw = await reader.readBlock(block.height, signal)
      if (!raw) return undefined
      const { height, origin } = raw
      try {
        return await takeTxs(raw, block, chainId)
      } catch (error) {
        if (!(error instanceof NodeFault)) throw error
        reader.reportFault(origin, new NodeFault(error.code, error.message, { ...error.facts, height }))
        if (attempt === TRIES) throw error
      }
    }
  } catch (error) {
    if (error instanceof Unavailable) throw error
    if (error instanceof AstrolabeError || error instanceof DOMException)
      throw new Unavailable('block_source_unavailable', 'the source of blocks does not answer', 5, error)
    throw error
  }
}

async function takeTxs(raw: RawBlock, block: BlockRef, chainId: string): Promise<Uint8Array[]> {
  const { hash, txs } = await squareThread.run('txs', { raw, chainId }, block.hash)
  if (hash.toLowerCase() !== block.hash)
    throw new NodeFault('other_branch', 'the node has another block at this height', { hash })
  return txs
}
