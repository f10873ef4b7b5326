import { isSignedBy, parseSignedHeaderOf, type SignedHeader } from '../../chain/signed-header.ts'
import type { BlockReader, RawBlock } from '../../chain/source.ts'
import type { ValidatorSet } from '../../chain/validator-set.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { AstrolabeError, NodeFault } from '../../lib/errors.ts'
import { FairQueue } from '../../lib/fair-queue.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Client } from '../../lib/turn-queue.ts'
import type { Db } from '../../store/db.ts'
import { findKeptTxs } from '../../store/read/tx/tx.ts'
import { BadRequest, Unavailable } from '../http/errors.ts'
import type { BlockRef } from './block-ref.ts'
import { shareTxs } from './shared-txs.ts'
import { type ProveRecord, readProofsFrom } from './state-proofs.ts'
import { squareThread } from './thread.ts'

/** Where the bytes of blocks are read from when a blob's content is asked for. */
export interface BlockStore {
  /**
   * Gives `use` the txs of a block in order. They are not verified: when `use` finds them false (NodeFault) they are forgotten, the
   * node that gave them is put aside, and `use` gets them from another one. Undefined when nobody has the height.
   */
  read<T>(block: BlockRef, client: Client, use: (txs: Uint8Array[]) => Promise<T>): Promise<T | undefined>
  /** The header of an indexed block and its votes, which these validators must have given; undefined while nobody has the votes. */
  signedHeader?(block: BlockRef, validators: ValidatorSet): Promise<SignedHeader | undefined>
  /** Proofs of the chain's state, from nodes. */
  proveRecord?: ProveRecord
}

/** Bytes of txs that are kept: readers of one blob of a block often ask for its neighbours and proofs too. */
const KEPT_BYTES = 64 * 2 ** 20
/** Bytes of blocks that are read at once: while a full block is read it takes several times its size. */
const READ_BYTES = 32 * 2 ** 20
/** More would not be read within the deadline of a request. */
const WAITING_BYTES = 256 * 2 ** 20
/** Nodes of one network may stand on different branches for a moment. */
const TRIES = 3

/** Looks for the txs of blocks among those that the indexer kept, which needs no node. */
export function withKeptTxs(blocks: BlockStore, db: Db): BlockStore {
  const memory = new TxsMemory(async (block) => {
    const txs = await findKeptTxs(db, block)
    return txs && { txs: shareTxs(txs), bytes: block.bytes, refute: () => {} }
  })
  return {
    ...blocks,
    async read(block, client, use) {
      const found = await memory.read(block, client, use, 1).catch((error: unknown) => {
        // Damaged in the index; a node may have them.
        if (error instanceof NodeFault) return undefined
        throw error
      })
      return found ?? blocks.read(block, client, use)
    },
  }
}

/** Blocks of a recording or of a node, checked like those that are indexed. */
export function readBlocksFrom(reader: BlockReader, chainId: () => string, timeoutMs = 8000): BlockStore {
  const queue = new FairQueue(READ_BYTES)
  const memory = new TxsMemory((block, client) => {
    if (queue.waiting + block.bytes > WAITING_BYTES) throw new Unavailable('overloaded', 'too many blocks are being read')
    return queue.run(client.name, block.bytes, () => readTxs(reader, block, client, chainId(), timeoutMs))
  })
  return {
    signedHeader: ({ height, hash }, validators) =>
      readSignedHeader(reader, { height, hash: hash.toUpperCase() }, validators, timeoutMs),
    proveRecord: readProofsFrom(reader, timeoutMs),
    async read(block, client, use) {
      try {
        return await memory.read(block, client, use, TRIES + reader.witnesses().length)
      } catch (error) {
        if (error instanceof NodeFault) throw unavailable(error)
        throw error
      }
    },
  }
}

/** Txs as one source told them. */
type ToldTxs = {
  txs: Uint8Array[]
  bytes: number
  /** puts the source aside */
  refute: (fault: NodeFault) => void
}

/** Txs used last. A block is read once for all who ask for it at the same time, and forgotten when it turns out to be false. */
class TxsMemory {
  readonly #load: (block: BlockRef, client: Client) => Promise<ToldTxs | undefined>
  readonly #kept = new BoundedCache<string, ToldTxs>(KEPT_BYTES, ({ bytes }) => bytes)
  readonly #reading = new SingleFlight<ToldTxs | undefined>()
  readonly #refuted = new WeakSet<ToldTxs>()

  constructor(load: (block: BlockRef, client: Client) => Promise<ToldTxs | undefined>) {
    this.#load = load
  }

  async read<T>(block: BlockRef, client: Client, use: (txs: Uint8Array[]) => Promise<T>, tries: number): Promise<T | undefined> {
    for (let attempt = 1; ; attempt++) {
      const told = this.#kept.get(block.hash) ?? (await this.#reading.run(block.hash, () => this.#read(block, client)))
      if (!told) return undefined
      try {
        return await use(told.txs)
      } catch (error) {
        if (!(error instanceof NodeFault)) throw error
        this.#refute(block, told, error)
        if (attempt === tries) throw error
      }
    }
  }

  async #read(block: BlockRef, client: Client): Promise<ToldTxs | undefined> {
    const told = await this.#load(block, client)
    if (told) this.#kept.set(block.hash, told)
    return told
  }

  /** Several may find the same txs false; their source is blamed once. */
  #refute({ hash, height }: BlockRef, told: ToldTxs, { code, message, facts }: NodeFault): void {
    if (this.#kept.get(hash) === told) this.#kept.delete(hash)
    if (this.#refuted.has(told)) return
    this.#refuted.add(told)
    told.refute(new NodeFault(code, message, { ...facts, height }))
  }
}

async function readTxs(
  reader: BlockReader,
  block: BlockRef,
  client: Client,
  chainId: string,
  timeoutMs: number,
): Promise<ToldTxs | undefined> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    for (let attempt = 1; ; attempt++) {
      const raw = await reader.readBlock(block.height, signal)
      if (!raw) return undefined
      const { height, origin } = raw
      const refute = (fault: NodeFault) => reader.reportFault(origin, fault)
      try {
        return { txs: await takeTxs(raw, block, client, chainId), bytes: block.bytes, refute }
      } catch (error) {
        if (!(error instanceof NodeFault)) throw error
        refute(new NodeFault(error.code, error.message, { ...error.facts, height }))
        if (attempt === TRIES) throw error
      }
    }
  } catch (error) {
    if (error instanceof Unavailable) throw error
    if (error instanceof AstrolabeError || error instanceof DOMException) throw unavailable(error)
    throw error
  }
}

const unavailable = (cause: unknown) =>
  new Unavailable('block_source_unavailable', 'the source of blocks does not answer', 5, cause)

async function takeTxs(raw: RawBlock, block: BlockRef, client: Client, chainId: string): Promise<Uint8Array[]> {
  const { hash, txs } = await squareThread.run('txs', { raw, chainId }, client)
  if (hash.toLowerCase() !== block.hash)
    throw new NodeFault('other_branch', 'the node has another block at this height', { hash })
  return txs
}

/**
 * The header with this hash (upper-case hex) and its votes, checked as a client will check them. Whoever has them may give them, since
 * they prove themselves. Undefined when nobody has the votes yet.
 */
async function readSignedHeader(
  reader: BlockReader,
  block: { height: number; hash: string },
  validators: ValidatorSet,
  timeoutMs = 8000,
): Promise<SignedHeader | undefined> {
  const signal = AbortSignal.timeout(timeoutMs)
  let failure: unknown
  for (const witness of reader.witnesses()) {
    try {
      const answer = await witness.commit(block.height, signal)
      if (!answer) continue
      const signed = parseSignedHeaderOf(answer, block.hash)
      if (isSignedBy(signed, validators)) return signed
      throw new BadRequest(`the validators of block ${block.height} are not known`, 'height', 'validators_unknown')
    } catch (error) {
      if (error instanceof BadRequest || !(error instanceof AstrolabeError || error instanceof DOMException)) throw error
      if (error instanceof NodeFault) reader.reportFault(witness.origin, error)
      failure = error
    }
  }
  if (failure === undefined) return undefined
  throw new Unavailable('block_source_unavailable', 'the source of blocks does not answer', 5, failure)
}
