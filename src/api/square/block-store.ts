import type { BlockReader } from '../../chain/source.ts'
import type { SquareBlob } from '../../decode/square/shares.ts'
import { equalBytes } from '../../lib/bytes.ts'
import { AstrolabeError } from '../../lib/errors.ts'
import { readBlobFile } from '../../store/blob-files/blob-file.ts'
import { Unavailable } from '../http/errors.ts'
import { squareThread } from './thread.ts'

/** Where the bytes of blocks are read from when a blob's content is asked for. */
export interface BlockStore {
  /** Txs of a block in order; undefined when the source does not have the height. */
  txs(height: number): Promise<Uint8Array[] | undefined>
  /** A blob that is kept apart from its block and has this commitment. */
  blob?(height: number, commitment: Uint8Array): Promise<SquareBlob | undefined>
}

/** Looks for blobs in a folder of the indexer first, which needs no node. */
export function withBlobFolder(blocks: BlockStore, folder: string): BlockStore {
  return {
    txs: (height) => blocks.txs(height),
    blob: async (height, commitment) => {
      const blob = await readBlobFile(folder, height, commitment)
      return blob && equalBytes(await squareThread.run('commitment', blob), commitment) ? blob : undefined
    },
  }
}

/** Whoever asks for one blob of a block often asks for its neighbours and proofs too. */
const KEPT_BYTES = 32 * 2 ** 20

/** Blocks of a recording or of a node, checked like those that are indexed; a blob is checked again by its commitment (blob-content.ts). */
export function readBlocksFrom(reader: BlockReader, chainId: () => string, timeoutMs = 8000): BlockStore {
  const kept = new Map<number, Uint8Array[]>()
  let bytes = 0
  return {
    async txs(height) {
      const known = kept.get(height)
      if (known) return known
      const txs = await readTxs(reader, height, chainId(), timeoutMs)
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

async function readTxs(
  reader: BlockReader,
  height: number,
  chainId: string,
  timeoutMs: number,
): Promise<Uint8Array[] | undefined> {
  try {
    const raw = await reader.readBlock(height, AbortSignal.timeout(timeoutMs))
    return raw && (await squareThread.run('txs', { raw, chainId }))
  } catch (error) {
    if (error instanceof Unavailable) throw error
    if (error instanceof AstrolabeError || error instanceof DOMException)
      throw new Unavailable('block_source_unavailable', 'the source of blocks does not answer', 5, error)
    throw error
  }
}

function sizeOf(txs: Uint8Array[]): number {
  return txs.reduce((sum, tx) => sum + tx.length, 0)
}
