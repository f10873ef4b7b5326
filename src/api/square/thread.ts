import { Worker } from 'node:worker_threads'
import { memoryOf } from '../../chain/raw-memory.ts'
import { AstrolabeError, Invariant, NodeFault, type PlainError } from '../../lib/errors.ts'
import { finish } from '../../lib/finish.ts'
import { type Client, type Turn, TurnQueue } from '../../lib/turn-queue.ts'
import { AnsweringThread } from '../../runtime/answering-thread.ts'
import { Unavailable } from '../http/errors.ts'
import { stepsOf, type WorkInput, type WorkName, type WorkOutput } from './work.ts'
import type { WorkReply, WorkRequest } from './worker.ts'

/** Smaller work takes a few milliseconds here; the way to the thread would cost as much. */
const SMALL_BYTES = 128 * 1024
/** A byte of a message takes several times as long as one of a blob: it becomes many small objects. */
const MESSAGE_WEIGHT = 8
/** Each may wait for those before it: what is behind so many bytes would not be done within the deadline of a request. */
const WAITING_BYTES = 256 * 2 ** 20
/** Bytes that one client may have waiting, so that it leaves room for others. */
const CLIENT_BYTES = WAITING_BYTES / 2
/** The thread and what it holds go when nobody has asked for so long. */
const IDLE_MS = 60_000

type WorkThread = AnsweringThread<WorkRequest, WorkReply>

/** One thread for the work on large blobs and blocks, so that other requests are answered meanwhile. It starts with the first of them. */
export class SquareThread {
  /** one at a time, so that the order is decided here and not by who came first */
  readonly #queue = new TurnQueue()
  readonly #waiting = new Map<string, number>()
  /** jobs that are not done, which the thread sees too: it need not pause for nobody */
  readonly #present = new Int32Array(new SharedArrayBuffer(4))
  #thread: WorkThread | undefined
  #idle: NodeJS.Timeout | undefined
  #nextId = 0

  /** Whether the thread is there: it need not be. */
  get isRunning(): boolean {
    return this.#thread !== undefined && !this.#thread.isOver
  }

  /** Clients take turns, so that one who asks for much does not hold up another. */
  async run<N extends WorkName>(name: N, input: WorkInput<N>, client: Client): Promise<WorkOutput<N>> {
    const size = sizeOf(input)
    if (size < SMALL_BYTES) return finish(stepsOf(name, input, () => false))
    // A proof hashes some rows of a square that is known, whatever the size of its block.
    const weight = 'sealed' in input ? SMALL_BYTES : size
    this.#admit(client.name, weight)
    Atomics.add(this.#present, 0, 1)
    try {
      const id = this.#nextId++
      let request: WorkRequest<N> = { id, begin: { name, input } }
      // What paused continues where it began.
      let thread: WorkThread | undefined
      return await this.#queue.run(client, async () => {
        thread ??= this.#open()
        const turn = toTurn<WorkOutput<N>>(await this.#post(thread, request))
        request = { id }
        return turn
      })
    } finally {
      Atomics.sub(this.#present, 0, 1)
      this.#dismiss(client.name, weight)
    }
  }

  #admit(client: string, weight: number): void {
    const own = this.#waiting.get(client) ?? 0
    const all = [...this.#waiting.values()].reduce((sum, bytes) => sum + bytes, 0)
    // A client with nothing waiting yet finds room where others have filled theirs.
    const isFull = own === 0 ? all > 2 * WAITING_BYTES : own + weight > CLIENT_BYTES || all + weight > WAITING_BYTES
    if (isFull) throw new Unavailable('overloaded', 'too many large blobs are being read')
    this.#waiting.set(client, own + weight)
  }

  #dismiss(client: string, weight: number): void {
    const left = this.#waiting.get(client)! - weight
    if (left > 0) this.#waiting.set(client, left)
    else this.#waiting.delete(client)
  }

  async #post(thread: WorkThread, request: WorkRequest): Promise<WorkReply> {
    clearTimeout(this.#idle)
    const input = request.begin?.input
    // The text of a block is not needed here any more: it moves.
    const reply = await thread.ask(request, input && 'raw' in input ? memoryOf([input.raw]) : [])
    if (thread.waiting === 0) this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
    return reply
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#thread?.close()
  }

  /** One that ended is followed by another. */
  #open(): WorkThread {
    if (this.#thread && !this.#thread.isOver) return this.#thread
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: this.#present })
    this.#thread = new AnsweringThread(
      worker,
      (cause) => new Invariant('square_thread', 'a thread ended unexpectedly', {}, cause),
    )
    return this.#thread
  }
}

/** All networks of a process share it: the work is done by one core in any case. */
export const squareThread = new SquareThread()

function toTurn<T>(reply: WorkReply): Turn<T> {
  if (reply.state === 'failed') throw toError(reply.failure)
  const { cost } = reply
  return reply.state === 'done' ? { cost, isDone: true, value: reply.output as T } : { cost, isDone: false }
}

function toError({ name, message, code, facts }: PlainError): Error {
  if (code === undefined) return new Error(message)
  return name === NodeFault.name ? new NodeFault(code, message, facts) : new AstrolabeError(code, message, facts)
}

function sizeOf(input: WorkInput<WorkName>): number {
  if ('raw' in input) return input.raw.block.length + input.raw.results.length
  if ('value' in input) return input.value.length * MESSAGE_WEIGHT
  return 'rawTxs' in input ? input.rawTxs.reduce((sum, { length }) => sum + length, 0) : input.data.length
}
