import { Worker } from 'node:worker_threads'
import { AstrolabeError, Invariant, NodeFault, type PlainError } from '../../lib/errors.ts'
import { FairQueue } from '../../lib/fair-queue.ts'
import { Unavailable } from '../http/errors.ts'
import { SQUARE_WORK, type WorkInput, type WorkName, type WorkOutput } from './work.ts'
import type { WorkReply, WorkRequest } from './worker.ts'

/** What is smaller takes a few milliseconds here and now; the way to the thread would cost as much. */
const SMALL_BYTES = 128 * 1024
/** A byte of a message takes several times as long as one of a blob: it becomes many small objects. */
const MESSAGE_WEIGHT = 8
/** Each may wait for those before it: what is behind so many bytes would not be done within the deadline of a request. */
const WAITING_BYTES = 256 * 2 ** 20
/** The thread and what it holds go when nobody has asked for so long. */
const IDLE_MS = 60_000

type Job = { resolve: (output: unknown) => void; reject: (error: Error) => void }

/** One thread for the work on large blobs and blocks, so that other requests are answered meanwhile. It starts with the first of them. */
export class SquareThread {
  readonly #jobs = new Map<number, Job>()
  /** one at a time, so that the order is decided here and not by who came first */
  readonly #queue = new FairQueue(0)
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #nextId = 0

  /** Whether the thread is there: it need not be. */
  get isRunning(): boolean {
    return this.#worker !== undefined
  }

  /** `group` names what the work is about: blocks take turns, so that one that many ask for does not hold up another. */
  async run<N extends WorkName>(name: N, input: WorkInput<N>, group: string): Promise<WorkOutput<N>> {
    const size = sizeOf(input)
    if (size < SMALL_BYTES) return (SQUARE_WORK[name] as (input: WorkInput<N>) => WorkOutput<N>)(input)
    if (this.#queue.waiting + size > WAITING_BYTES) throw new Unavailable('overloaded', 'too many large blobs are being read')
    return this.#queue.run(group, size, () => this.#post(name, input))
  }

  async #post<N extends WorkName>(name: N, input: WorkInput<N>): Promise<WorkOutput<N>> {
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    this.#worker.ref()
    const id = this.#nextId++
    const output = new Promise((resolve, reject) => this.#jobs.set(id, { resolve, reject }))
    this.#worker.postMessage({ id, name, input } satisfies WorkRequest<N>, ownMemory(input))
    return (await output) as WorkOutput<N>
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    if (!worker) return
    this.#fail(worker, new Error('closed'))
    await worker.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.js', import.meta.url))
    worker.on('message', (reply: WorkReply) => this.#finish(reply))
    worker.on('error', (error) => this.#fail(worker, error))
    worker.on('exit', () => this.#fail(worker, new Error('the thread ended')))
    return worker
  }

  #finish({ id, output, failure }: WorkReply): void {
    const job = this.#jobs.get(id)
    this.#jobs.delete(id)
    if (failure) job?.reject(toError(failure))
    else job?.resolve(output)
    if (this.#jobs.size > 0) return
    // Only work keeps a process alive.
    this.#worker?.unref()
    this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
  }

  /** Its jobs fail, the next one gets a new thread. */
  #fail(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    for (const job of this.#jobs.values()) job.reject(new Invariant('square_thread', 'a thread ended unexpectedly', {}, cause))
    this.#jobs.clear()
  }
}

/** All networks of a process share it: the work is done by one core in any case. */
export const squareThread = new SquareThread()

function toError({ name, message, code, facts }: PlainError): Error {
  if (code === undefined) return new Error(message)
  return name === NodeFault.name ? new NodeFault(code, message, facts) : new AstrolabeError(code, message, facts)
}

/** The text of a block is not needed here any more: it moves. Small texts may lie in memory that others use: they are copied. */
function ownMemory(input: WorkInput<WorkName>): ArrayBuffer[] {
  if (!('raw' in input)) return []
  const buffers = new Set([input.raw.block.buffer, input.raw.results.buffer])
  return [...buffers].filter((buffer) => buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) as ArrayBuffer[]
}

function sizeOf(input: WorkInput<WorkName>): number {
  if ('raw' in input) return input.raw.block.length + input.raw.results.length
  if ('value' in input) return input.value.length * MESSAGE_WEIGHT
  return 'txs' in input ? input.txs.reduce((sum, { length }) => sum + length, 0) : input.data.length
}
