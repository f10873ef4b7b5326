import { parentPort, workerData } from 'node:worker_threads'
import { freeRawBlock } from '../chain/raw-memory.ts'
import type { RawBlock } from '../chain/source.ts'
import { type PlainError, toPlainError } from '../lib/errors.ts'
import { type BlockChecks, type PreparedBlock, prepareBlock } from './prepare-block.ts'

export type DecodeRequest = { id: number; blocks: RawBlock[]; chainId: string; checks: BlockChecks }

export type DecodeFailure = PlainError & { origin: string; height: number }

export type DecodeReply = { id: number; blocks: PreparedBlock[]; seconds: number; failure?: DecodeFailure }

export type DecodeWorkerData = { forSegments?: boolean | undefined }

const port = parentPort!
const { forSegments } = workerData as DecodeWorkerData

port.on('message', ({ id, blocks, chainId, checks }: DecodeRequest) => {
  const startedAt = performance.now()
  const decoded: PreparedBlock[] = []
  let failure: DecodeFailure | undefined
  for (const raw of blocks) {
    try {
      decoded.push(prepareBlock(raw, chainId, checks, forSegments))
    } catch (error) {
      failure = { ...toPlainError(error), origin: raw.origin, height: raw.height }
      break
    }
  }
  const seconds = (performance.now() - startedAt) / 1000
  port.postMessage({ id, blocks: decoded, seconds, ...(failure && { failure }) } satisfies DecodeReply)
  for (const raw of blocks) freeRawBlock(raw)
})
