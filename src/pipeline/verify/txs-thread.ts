import { Worker } from 'node:worker_threads'
import type { RawBlock } from '../../chain/source.ts'
import { Transient } from '../../lib/errors.ts'
import type { VerifyReply, VerifyRequest, VerifyWorkerData } from './txs-worker.ts'
import type { TxsVerdict } from './verify-txs.ts'

type Job = { resolve: (verdict: TxsVerdict) => void; reject: (error: Error) => void }

/** A thread of the lowest priority that compares heights with blocks of nodes. It starts with the first and is closed when there are none. */
export class TxsThread {
  readonly #where: VerifyWorkerData
  readonly #onVerify: (seconds: number) => void
  readonly #jobs = new Map<number, Job>()
  #worker: Worker | undefined
  #nextId = 0

  constructor(where: VerifyWorkerData, onVerify: (seconds: number) => void = () => {}) {
    this.#where = where
    this.#onVerify = onVerify
  }

  verify(raw: RawBlock, chainId: string): Promise<TxsVerdict> {
    const worker = (this.#worker ??= this.#start())
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#jobs.set(id, { resolve, reject })
      worker.postMessage({ id, raw, chainId } satisfies VerifyRequest)
    })
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    this.#fail('the thread was closed')
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./txs-worker.js', import.meta.url), { workerData: this.#where })
    worker.on('message', (reply: VerifyReply) => this.#finish(reply))
    const end = (reason: string) => {
      if (worker !== this.#worker) return
      this.#worker = undefined
      this.#fail(reason)
    }
    worker.on('error', (error) => end(error.message))
    worker.on('exit', () => end('the thread ended'))
    worker.unref()
    return worker
  }

  #finish(reply: VerifyReply): void {
    const job = this.#jobs.get(reply.id)
    if (!job) return
    this.#jobs.delete(reply.id)
    this.#onVerify(reply.seconds)
    if ('verdict' in reply) job.resolve(reply.verdict)
    else job.reject(new Transient('txs_unverified', reply.failure.message, reply.failure.facts))
  }

  #fail(reason: string): void {
    for (const { reject } of this.#jobs.values()) reject(new Transient('txs_unverified', reason))
    this.#jobs.clear()
  }
}
