import { parentPort } from 'node:worker_threads'
import type { RawBlock } from '../chain/source.ts'
import { AstrolabeError } from '../lib/errors.ts'
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

export type DecodeReply = { id: number; blocks: DecodedBlock[]; failure?: DecodeFailure }

const port = parentPort!

port.on('message', ({ id, blocks, chainId }: DecodeRequest) => {
  const decoded: DecodedBlock[] = []
  let failure: DecodeFailure | undefined
  for (const raw of blocks) {
    try {
      decoded.push(decodeBlock(raw, chainId))
    } catch (error) {
      failure = describe(error, raw)
      break
    }
  }
  port.postMessage({ id, blocks: decoded, ...(failure && { failure }) } satisfies DecodeReply)
})

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
