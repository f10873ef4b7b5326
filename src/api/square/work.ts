import { parseRawBlock } from '../../chain/parse.ts'
import type { RawBlock } from '../../chain/source.ts'
import { messageData } from '../../decode/message.ts'
import { buildSquare } from '../../decode/square/build-square.ts'
import { computeCommitment } from '../../decode/square/commitment.ts'
import { findSquare } from '../../decode/square/data-hash.ts'
import { type InclusionProof, proveInclusion, type Subject } from '../../decode/square/inclusion.ts'
import { layoutSquare } from '../../decode/square/layout.ts'
import type { RangeProof } from '../../decode/square/nmt.ts'
import { proveShareRange } from '../../decode/square/proof.ts'
import type { SquareBlob } from '../../decode/square/shares.ts'
import { toSquareTx } from '../../decode/square/square-tx.ts'
import { Invariant } from '../../lib/errors.ts'
import { writeJson } from '../http/write-json.ts'

export type ProofInput = { txs: Uint8Array[]; versionApp: number /** which blob of which tx */; tx: number; index: number }

/** Work on whole blobs, blocks and large messages: up to half a second of one core for 8 MiB, so it is done on a thread (thread.ts). */
export const SQUARE_WORK = {
  txs: readTxs,
  commitment: (blob: SquareBlob): Uint8Array => computeCommitment(blob),
  proofs: proveBlob,
  message: writeMessage,
  inclusion: proveSubject,
}

export type SquareWork = typeof SQUARE_WORK
export type WorkName = keyof SquareWork
export type WorkInput<N extends WorkName> = Parameters<SquareWork[N]>[0]
export type WorkOutput<N extends WorkName> = ReturnType<SquareWork[N]>

function readTxs({ raw, chainId }: { raw: RawBlock; chainId: string }): { hash: string; txs: Uint8Array[] } {
  const { hash, txs } = parseRawBlock(raw, { chainId })
  return { hash, txs: share(txs) }
}

/** `dataHash` is upper-case hex. */
export type InclusionInput = Subject & { txs: Uint8Array[]; versionApp: number; dataHash: string }

function proveSubject({ txs, versionApp, dataHash, ...subject }: InclusionInput): InclusionProof {
  const sealed = findSquare(txs, versionApp, dataHash)
  if (!sealed) throw new Invariant('data_hash', 'the source of blocks gave txs that the header does not seal')
  const proof = proveInclusion(sealed, subject)
  if (!proof) throw new Invariant('blob_content', 'the source of blocks gave a block without the indexed tx or blob')
  return proof
}

/** One proof per row of the square that the blob touches. */
function proveBlob({ txs, versionApp, tx, index }: ProofInput): RangeProof[] {
  const parts = txs.map((bytes) => toSquareTx(bytes, versionApp))
  const layout = layoutSquare(parts)
  const placed = layout.blobs.find((blob) => blob.tx === tx && blob.index === index)
  if (!placed) throw new Invariant('blob_content', 'the source of blocks gave a block without the indexed blob')
  return proveShareRange(buildSquare(parts, layout), placed.start, placed.start + placed.shares)
}

export type MessageInput = { typeUrl: string; value: Uint8Array; success: boolean }

/** `data` of a message as JSON. */
function writeMessage({ typeUrl, value, success }: MessageInput): string {
  return writeJson(messageData(typeUrl, value, { success })).trimEnd()
}

/** Copied once into memory that both threads see, so that a block goes there and back as often as it is asked for. */
function share(txs: Uint8Array[]): Uint8Array[] {
  const memory = new SharedArrayBuffer(txs.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  return txs.map((bytes) => {
    const copy = new Uint8Array(memory, end, bytes.length)
    copy.set(bytes)
    end += bytes.length
    return copy
  })
}
