import { Worker } from 'node:worker_threads'
import type { RawBlock } from '../chain/source.ts'
import { Invariant, NodeFault } from '../lib/errors.ts'
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

type Job = { resolve: (blocks: PreparedBlock[]) => void; reject: (error: Error) => void; worker: number }

export type PoolOptions = {
  /** bulky bytes are kept apart and the txs of blocks with them, until they are in a segment */
  forSegments?: boolean | undefined
  /** hears how long a thread worked on each chunk */
  onDecode?: (seconds: number) => void
}

/** Threads that parse, check, decode and derive. Jobs go to the thread with the least to do. */
export class PreparePool {
  readonly #workers: Worker[]
  readonly #load: number[]
  readonly #options: PoolOptions
  readonly #jobs = new Map<number, Job>()
  #nextId = 0
  #closed = false

  constructor(threads: number, options: PoolOptions = {}) {
    limitInlining()
    collectSooner()
    this.#options = options
    this.#load = Array.from({ length: threads }, () => 0)
    this.#workers = this.#load.map((_, index) => this.#start(index))
  }

  get threads(): number {
    return this.#workers.length
  }

  decode(blocks: RawBlock[], chainId: string, checks: BlockChecks): Promise<PreparedBlock[]> {
    const worker = this.#load.indexOf(Math.min(...this.#load))
    const id = this.#nextId++
    this.#load[worker]!++
    return new Promise((resolve, reject) => {
      this.#jobs.set(id, { resolve, reject, worker })
      this.#workers[worker]!.postMessage({ id, blocks, chainId, checks } satisfies DecodeRequest, transferable(blocks))
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#workers.map((worker) => worker.terminate()))
    for (const job of this.#jobs.values()) job.reject(new Error('decode pool closed'))
    this.#jobs.clear()
  }

  #start(index: number): Worker {
    const worker = new Worker(new URL('./prepare-worker.js', import.meta.url), {
      resourceLimits: WORKER_MEMORY,
      workerData: { forSegments: this.#options.forSegments } satisfies DecodeWorkerData,
    })
    worker.on('message', (reply: DecodeReply) => this.#finish(reply))
    worker.on('error', (error) => this.#fail(index, error))
    worker.on('exit', () => {
      if (!this.#closed) this.#fail(index, new Error('decode thread ended'))
    })
    worker.unref()
    return worker
  }

  #finish({ id, blocks, seconds, failure }: DecodeReply): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.#jobs.delete(id)
    this.#load[job.worker]!--
    this.#options.onDecode?.(seconds)
    if (failure) job.reject(toError(failure, blocks))
    else job.resolve(blocks)
  }

  /** A thread died: its jobs fail, the next ones go to the others. */
  #fail(index: number, cause: unknown): void {
    for (const [id, job] of this.#jobs) {
      if (job.worker !== index) continue
      this.#jobs.delete(id)
      job.reject(new Invariant('decode_thread', 'a decode thread ended unexpectedly', {}, cause))
    }
    this.#load[index] = Number.POSITIVE_INFINITY
  }
}

function toError(failure: DecodeFailure, good: PreparedBlock[]): Error {
  // Only a fault of the node may be blamed on it; anything else is a bug of ours and stops the process.
  if (failure.name === 'NodeFault') return new BlockRefused(failure, good)
  return new Invariant(codeOf(failure), failure.message, { ...failure.facts, height: failure.height })
}

const codeOf = ({ code = 'decode_failed' }: DecodeFailure): string => code

/** Chunks of a recording are views on one buffer: it moves once. Pooled buffers cannot be moved and are copied. */
function transferable(blocks: RawBlock[]): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>()
  for (const { block, results } of blocks) {
    for (const { buffer } of [block, results])
      if (buffer instanceof ArrayBuffer && buffer.byteLength > 65_536) buffers.add(buffer)
  }
  return [...buffers]
}
