import { Worker } from 'node:worker_threads'
import { memoryOf } from '../chain/raw-memory.ts'
import type { RawBlock } from '../chain/source.ts'
import { Invariant, NodeFault } from '../lib/errors.ts'
import { AnsweringThread } from '../runtime/answering-thread.ts'
import { collectSooner, limitInlining } from '../runtime/engine-settings.ts'
import type { BlockChecks, PreparedBlock } from './prepare-block.ts'
import type { DecodeFailure, DecodeReply, DecodeRequest, DecodeWorkerData } from './prepare-worker.ts'

/** A block failed on its way from JSON to rows; `good` are the heights before it. */
export class BlockRefused extends NodeFault {
  readonly origin: string
  readonly height: number
  readonly good: PreparedBlock[]
  constructor(failure: DecodeFailure, good: PreparedBlock[]) {
    super(codeOf(failure), failure.message, { ...failure.facts, height: failure.height, origin: failure.origin })
    this.origin = failure.origin
    this.height = failure.height
    this.good = good
  }
}

/** Most of what a block makes dies with it. Four times this room makes no difference beyond the noise (docs/decisions/0100-memory-of-processes.md) and takes up to 50 MB more. */
const WORKER_MEMORY = { maxYoungGenerationSizeMb: 24 }

export type PoolOptions = {
  /** bulky bytes are kept apart and the txs of blocks with them, until they are in a segment */
  forSegments?: boolean | undefined
  /** hears how long a thread worked on each chunk */
  onDecode?: (seconds: number) => void
}

/** Threads that parse, check, decode and derive. Jobs go to the thread with the least to do; one that ended gets no more. */
export class PreparePool {
  readonly #threads: AnsweringThread<DecodeRequest, DecodeReply>[]
  readonly #options: PoolOptions
  #nextId = 0

  constructor(threads: number, options: PoolOptions = {}) {
    limitInlining()
    collectSooner()
    this.#options = options
    this.#threads = Array.from({ length: threads }, () => this.#start())
  }

  get threads(): number {
    return this.#threads.length
  }

  async decode(blocks: RawBlock[], chainId: string, checks: BlockChecks): Promise<PreparedBlock[]> {
    const loads = this.#threads.map(({ isOver, waiting }) => (isOver ? Number.POSITIVE_INFINITY : waiting))
    const thread = this.#threads[loads.indexOf(Math.min(...loads))]!
    const reply = await thread.ask({ id: this.#nextId++, blocks, chainId, checks }, memoryOf(blocks))
    this.#options.onDecode?.(reply.seconds)
    if (reply.failure) throw toError(reply.failure, reply.blocks)
    return reply.blocks
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  #start(): AnsweringThread<DecodeRequest, DecodeReply> {
    const worker = new Worker(new URL('./prepare-worker.js', import.meta.url), {
      resourceLimits: WORKER_MEMORY,
      workerData: { forSegments: this.#options.forSegments } satisfies DecodeWorkerData,
    })
    return new AnsweringThread(worker, (cause) => new Invariant('decode_thread', 'a decode thread ended unexpectedly', {}, cause))
  }
}

function toError(failure: DecodeFailure, good: PreparedBlock[]): Error {
  // Only a fault of the node may be blamed on it; anything else is a bug of ours and stops the process.
  if (failure.name === 'NodeFault') return new BlockRefused(failure, good)
  return new Invariant(codeOf(failure), failure.message, { ...failure.facts, height: failure.height })
}

const codeOf = ({ code = 'decode_failed' }: DecodeFailure): string => code
