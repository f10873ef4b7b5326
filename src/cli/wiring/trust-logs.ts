import type { Logger } from 'pino'
import type { RunOptions } from '../../pipeline/run.ts'

/** A node that keeps no old state or gives no proofs is not at fault: that is said once for each. */
export class RefusalLog {
  readonly #log: Logger
  readonly #told = new Set<string>()

  constructor(log: Logger) {
    this.#log = log
  }

  tellOnce(height: number, refusals: Parameters<NonNullable<RunOptions['onUnproven']>>[1]): void {
    for (const { node, refusal } of refusals) {
      if (this.#told.has(`${node} ${refusal.missing}`)) continue
      this.#told.add(`${node} ${refusal.missing}`)
      this.#log.warn(
        { node, height, reason: refusal.reason },
        'the node proves no state, which stays unproven unless another does',
      )
    }
  }
}

/** Heights that no node tells truly are tried again all the time: the first of them is named once. */
export class UnverifiableLog {
  readonly #log: Logger
  #height: number | undefined

  constructor(log: Logger) {
    this.#log = log
  }

  tell(height: number, reason: string): void {
    if (this.#height === height) return
    this.#height = height
    this.#log.warn({ height, reason }, 'comparing txs with the data root failed: the height stays unverified and is tried again')
  }
}
