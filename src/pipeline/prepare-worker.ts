import { parentPort, workerData } from 'node:worker_threads'
import type { RawBlock } from '../chain/source.ts'
import { type PlainError, toPlainError } from '../lib/errors.ts'
import type { KeptBlobs } from '../store/blob-files/keep-blobs.ts'
import { type PreparedBlock, prepareBlock, type RootChecks } from './prepare-block.ts'

export type DecodeRequest = { id: number; blocks: RawBlock[]; chainId: string; roots: RootChecks }

export type DecodeFailure = PlainError & { origin: string; height: number }

export type DecodeReply = { id: number; blocks: PreparedBlock[]; seconds: number; failure?: DecodeFailure; kept?: KeptBlobs }

export type DecodeWorkerData = { blobFolder?: string | undefined; keepTxs?: boolean | undefined }

const port = parentPort!
const { blobFolder, keepTxs } = workerData as DecodeWorkerData

port.on('message', ({ id, blocks, chainId, roots }: DecodeRequest) => {
  const startedAt = performance.now()
  const decoded: PreparedBlock[] = []
  let failure: DecodeFailure | undefined
  let kept: KeptBlobs | undefined
  const keeping =
    blobFolder === undefined ? undefined : { folder: blobFolder, onKept: (more: KeptBlobs) => (kept = add(kept, more)) }
  for (const raw of blocks) {
    try {
      decoded.push(prepareBlock(raw, chainId, roots, { keeping, keepTxs }))
    } catch (error) {
      failure = { ...toPlainError(error), origin: raw.origin, height: raw.height }
      break
    }
  }
  const seconds = (performance.now() - startedAt) / 1000
  port.postMessage({ id, blocks: decoded, seconds, ...(failure && { failure }), ...(kept && { kept }) } satisfies DecodeReply)
})

function add(kept: KeptBlobs | undefined, more: KeptBlobs): KeptBlobs {
  return { ...kept, ...more, bytes: (kept?.bytes ?? 0) + more.bytes }
}
