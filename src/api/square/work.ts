import { parseRawBlock } from '../../chain/parse.ts'
import type { RawBlock } from '../../chain/source.ts'
import { messageData } from '../../decode/message.ts'
import { computeCommitment } from '../../decode/square/commitment.ts'
import { findSquare, type SealedSquare } from '../../decode/square/data-hash.ts'
import { type ProvenBlock, proveInclusion, proveRanges, type Subject } from '../../decode/square/inclusion.ts'
import type { SquareBlob } from '../../decode/square/shares.ts'
import { NodeFault } from '../../lib/errors.ts'
import { writeJson } from '../http/write-json.ts'
import { toShareProof } from '../view/proof.ts'
import type { BlockRef } from './block-ref.ts'
import { shareTxs } from './shared-txs.ts'
import { writeShareProof } from './write-proof.ts'

/** Whether work that can pause should, because others wait. */
export type IsTurnOver = () => boolean

/** Work on whole blobs, blocks and large messages: up to 2.5 s of one core for the largest square, so it is done on a thread (thread.ts). */
export const SQUARE_WORK = {
  txs: readTxs,
  commitment: (blob: SquareBlob): Uint8Array => computeCommitment(blob),
  seal: sealSquare,
  ranges: ({ subject, ...proven }: ProofInput) => proveRanges(proven, subject),
  inclusion: writeInclusion,
  message: writeMessage,
}

type SquareWork = typeof SQUARE_WORK
export type WorkName = keyof SquareWork
export type WorkInput<N extends WorkName> = Parameters<SquareWork[N]>[0]
export type WorkOutput<N extends WorkName> =
  ReturnType<SquareWork[N]> extends Generator<void, infer Output> ? Output : ReturnType<SquareWork[N]>

/** Work of any kind as steps; only what takes long has several. */
export function* stepsOf<N extends WorkName>(
  name: N,
  input: WorkInput<N>,
  isTurnOver: IsTurnOver,
): Generator<void, WorkOutput<N>> {
  const work = SQUARE_WORK[name] as (input: WorkInput<N>, isTurnOver: IsTurnOver) => unknown
  const begun = work(input, isTurnOver)
  return (isPaused(begun) ? yield* begun : begun) as WorkOutput<N>
}

function isPaused(begun: unknown): begun is Generator<void, unknown> {
  return typeof begun === 'object' && begun !== null && 'next' in begun
}

function readTxs({ raw, chainId }: { raw: RawBlock; chainId: string }): { hash: string; txs: Uint8Array[] } {
  const { hash, txs } = parseRawBlock(raw, { chainId })
  return { hash, txs: shareTxs(txs) }
}

export type SealInput = { rawTxs: Uint8Array[]; versionApp: number; dataHash: string }
export type Sealing = { sealed: SealedSquare; hashedShares: number }

function* sealSquare({ rawTxs, ...seal }: SealInput, isTurnOver: IsTurnOver): Generator<void, Sealing> {
  const { sealed, hashedShares } = yield* findSquare(rawTxs, seal, isTurnOver)
  if (!sealed) throw new NodeFault('data_hash', 'the txs of the block are not those that its header seals')
  return { sealed, hashedShares }
}

type ProofInput = ProvenBlock & { rawTxs: Uint8Array[]; subject: Subject }

/** An answer with more shares is written here, and not where all requests are answered. */
const FEW_SHARES = 128

/** The answer as a value, or written where it is large; undefined as of `proveInclusion`. */
function writeInclusion({ subject, block, ...proven }: ProofInput & { block: BlockRef }) {
  const proof = proveInclusion(proven, subject)
  if (!proof) return undefined
  const { start, end, hashedShares } = proof
  return { answer: end - start > FEW_SHARES ? writeShareProof(block, proof) : toShareProof(block, proof), hashedShares }
}

export type MessageInput = { typeUrl: string; value: Uint8Array; success: boolean }

/** `data` of a message as JSON. */
function writeMessage({ typeUrl, value, success }: MessageInput): string {
  return writeJson(messageData(typeUrl, value, { success })).trimEnd()
}
