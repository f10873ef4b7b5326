import { parentPort, workerData } from 'node:worker_threads'
import type { RawBlock } from '../chain/source.ts'
import { AstrolabeError } from '../lib/errors.ts'
import type { KeptBlobs } from '../store/blob-files/keep-blobs.ts'
import { type DecodedBlock, decodeBlock } from './decode-block.ts'

export type DecodeRequest = { id: number; blocks: RawBlock[]; chainId: string }

/** Errors cross the thread border as data: a class would lose its prototype. */
export type DecodeFailure = {
  kind: string
  code: string
  message: string
  facts: Record<string, unknown>
  origin: string
  height: number
}

export type DecodeReply = { id: number; blocks: DecodedBlock[]; seconds: number; failure?: DecodeFailure; kept?: KeptBlobs }

export type DecodeWorkerData = { blobFolder?: string | undefined }

const port = parentPort!
const { blobFolder } = workerData as DecodeWorkerData

port.on('message', ({ id, blocks, chainId }: DecodeRequest) => {
  const startedAt = performance.now()
  const decoded: DecodedBlock[] = []
  let failure: DecodeFailure | undefined
  let kept: KeptBlobs | undefined
  const keeping =
    blobFolder === undefined ? undefined : { folder: blobFolder, onKept: (more: KeptBlobs) => (kept = add(kept, more)) }
  for (const raw of blocks) {
    try {
      decoded.push(decodeBlock(raw, chainId, keeping))
    } catch (error) {
      failure = describe(error, raw)
      break
    }
  }
  const seconds = (performance.now() - startedAt) / 1000
  port.postMessage({ id, blocks: decoded, seconds, ...(failure && { failure }), ...(kept && { kept }) } satisfies DecodeReply)
})

function add(kept: KeptBlobs | undefined, more: KeptBlobs): KeptBlobs {
  return { ...kept, ...more, bytes: (kept?.bytes ?? 0) + more.bytes }
}

function describe(error: unknown, raw: RawBlock): DecodeFailure {
  const known = error instanceof AstrolabeError ? error : undefined
  return {
    kind: known?.name ?? 'Error',
    code: known?.code ?? 'decode_failed',
    message: error instanceof Error ? (known ? error.message : (error.stack ?? error.message)) : String(error),
    facts: known?.facts ?? {},
    origin: raw.origin,
    height: raw.height,
  }
}
