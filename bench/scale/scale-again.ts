import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { answerOf } from '../harness/answer-of.ts'
import type { ReadTarget } from './scale-reads.ts'
import type { Stretch } from './scale-run.ts'

type ScaleSize = { blocks: number; threads: number; folder: string | undefined }

export type AgainOrder = { until: number } | { seal: true }

/**
 * A second index of the same chain, in its own process, that begins when the long one is nearly done. What both do in turns meets the same
 * machine, whose speed an hour earlier tells little.
 */
export class FirstTenthAgain {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start({ blocks, threads, folder }: ScaleSize): Promise<FirstTenthAgain> {
    const args = [String(blocks), String(threads), ...(folder === undefined ? [] : [folder])]
    const child = fork(new URL('./scale-again-process.js', import.meta.url), args)
    await answerOf(child)
    return new FirstTenthAgain(child)
  }

  indexTo(until: number): Promise<Stretch> {
    return this.#ask({ until })
  }

  /** Moves everything that is final into segments. */
  seal(): Promise<ReadTarget> {
    return this.#ask({ seal: true })
  }

  async stop(): Promise<void> {
    this.#child.disconnect()
    await once(this.#child, 'exit')
  }

  #ask<T>(order: AgainOrder): Promise<T> {
    const answer = answerOf<T>(this.#child)
    this.#child.send(order)
    return answer
  }
}
