import type { BlockReader } from '../chain/source.ts'
import type { RpcBlock } from '../chain/wire.ts'
import { AstrolabeError } from '../lib/errors.ts'
import { Unavailable } from './errors.ts'

/** Where the bytes of blocks are read from when a blob's content is asked for. */
export interface BlockStore {
  /** Txs of a block in order; undefined when the source does not have the height. */
  txs(height: number): Promise<Uint8Array[] | undefined>
}

/** Whoever asks for one blob of a block often asks for its neighbours and proofs too. */
const KEPT_BYTES = 32 * 2 ** 20

/** Blocks of a recording or of a node. What they say is only believed where a commitment proves it (blob-content.ts). */
export function readBlocksFrom(reader: BlockReader, timeoutMs = 8000): BlockStore {
  const kept = new Map<number, Uint8Array[]>()
  let bytes = 0
  return {
    async txs(height) {
      const known = kept.get(height)
      if (known) return known
      const txs = await readTxs(reader, height, timeoutMs)
      if (!txs) return undefined
      bytes += sizeOf(txs)
      kept.set(height, txs)
      for (const [oldest, old] of kept) {
        if (bytes <= KEPT_BYTES || oldest === height) break
        kept.delete(oldest)
        bytes -= sizeOf(old)
      }
      return txs
    },
  }
}

async function readTxs(reader: BlockReader, height: number, timeoutMs: number): Promise<Uint8Array[] | undefined> {
  try {
    const raw = await reader.readBlock(height, AbortSignal.timeout(timeoutMs))
    if (!raw) return undefined
    const { block } = JSON.parse(Buffer.from(raw.block.buffer, raw.block.byteOffset, raw.block.byteLength).toString()) as RpcBlock
    return (block.data.txs ?? []).map((tx) => Buffer.from(tx, 'base64'))
  } catch (error) {
    if (error instanceof AstrolabeError || error instanceof DOMException || error instanceof SyntaxError)
      throw new Unavailable('block_source_unavailable', 'the source of blocks does not answer', 5, error)
    throw error
  }
}

function sizeOf(txs: Uint8Array[]): number {
  return txs.reduce((sum, tx) => sum + tx.length, 0)
}
