/** A PFB of a failed tx still paid and its blobs still lie in the square, but no blob row, namespace or counter comes of it. */
import {
  type MsgPayForBlobs,
  MsgPayForBlobsSchema,
  MsgUpdateBlobParamsSchema,
  ParamsSchema,
} from '../../decode/gen/celestia/blob/v1/types_pb.ts'
import { type CoinMoves, handler, type MessageTable, type PaidBlob } from './handler.ts'
import { updateModuleParams } from './update-params.ts'

/** Its fee is all that it costs. */
const NO_MOVES: CoinMoves = { spent: [], received: [] }

export const blobMessages: MessageTable = {
  '/celestia.blob.v1.MsgPayForBlobs': handler(MsgPayForBlobsSchema, (msg, success) => ({
    signers: [msg.signer],
    links: [['signer', msg.signer]],
    blobs: success ? listBlobs(msg) : [],
    moves: NO_MOVES,
  })),
  '/celestia.blob.v1.MsgUpdateBlobParams': updateModuleParams('blob', MsgUpdateBlobParamsSchema, ParamsSchema),
}

/** The chain refuses lists of different length, but share versions are absent in the oldest txs. */
function listBlobs(msg: MsgPayForBlobs): PaidBlob[] {
  const blobs: PaidBlob[] = []
  for (let i = 0; i < msg.namespaces.length; i++) {
    const namespace = msg.namespaces[i]!
    const sizeBytes = msg.blobSizes[i]
    const commitment = msg.shareCommitments[i]
    if (sizeBytes === undefined || commitment === undefined || namespace.length !== 29) continue
    blobs.push({ namespace, sizeBytes, commitment, shareVersion: msg.shareVersions[i] ?? 0 })
  }
  return blobs
}
