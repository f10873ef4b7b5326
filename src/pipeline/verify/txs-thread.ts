import { Worker } from 'node:worker_threads'
import { memoryOf } from '../../chain/raw-memory.ts'
import type { RawBlock } from '../../chain/source.ts'
import { Transient } from '../../lib/errors.ts'
import { AnsweringThread } from '../../runtime/answering-thread.ts'
import type { VerifyReply, VerifyRequest, VerifyWorkerData } from './txs-worker.ts'
import type { TxsVerdict } from './verify-txs.ts'

/** A thread of the lowest priority that compares heights with blocks of nodes. It starts with the first and is closed when there are none. */
export class TxsThread {
  readonly #where: VerifyWorkerData
  readonly #onVerify: (seconds: number) => void
  #thread: AnsweringThread<VerifyRequest, VerifyReply> | undefined
  #nextId = 0

  constructor(where: VerifyWorkerData, onVerify: (seconds: number) => void = () => {}) {
    this.#where = where
    this.#onVerify = onVerify
  }

  /** The memory of the block moves to the thread. */
  async verify(raw: RawBlock, chainId: string): Promise<TxsVerdict> {
    if (!this.#thread || this.#thread.isOver) this.#thread = this.#start()
    const reply = await this.#thread.ask({ id: this.#nextId++, raw, chainId }, memoryOf([raw]))
    this.#onVerify(reply.seconds)
    if ('verdict' in reply) return reply.verdict
    throw new Transient('txs_unverified', reply.failure.message, reply.failure.facts)
  }

  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.close()
  }

  #start(): AnsweringThread<VerifyRequest, VerifyReply> {
    const worker = new Worker(new URL('./txs-worker.js', import.meta.url), { workerData: this.#where })
    return new AnsweringThread(worker, ({ message }) => new Transient('txs_unverified', message))
  }
}
