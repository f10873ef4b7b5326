import type pg from 'pg'
import { type StateProof, saveStateProof } from './state-proof.ts'
import { findUnverified, type HeightRange, markRefuted, removeUnverified } from './unverified.ts'

/** What is known about the truth of what is committed, on the connection of the writer's lock: it is not busy with blocks. */
export class TrustNotes {
  readonly #client: pg.ClientBase
  #last: Promise<unknown> = Promise.resolve()

  constructor(client: pg.ClientBase) {
    this.#client = client
  }

  /** Records agree with the state of the chain after a height. */
  proven(proof: StateProof): Promise<void> {
    return this.inTurn((client) => saveStateProof(client, proof))
  }

  /** The lowest heights whose txs are not verified and that have a block above them; undefined where there are none. */
  findUnverified(): Promise<HeightRange | undefined> {
    return this.inTurn(findUnverified)
  }

  /** The txs of these heights are those that their headers seal. */
  verified(range: HeightRange): Promise<void> {
    return this.inTurn((client) => removeUnverified(client, range))
  }

  /** The txs of a height are false, and it cannot be taken back. */
  refuted(height: number, trouble: string): Promise<void> {
    return this.inTurn((client) => markRefuted(client, height, trouble))
  }

  /** Several use the connection, one after the other. */
  inTurn<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    const run = this.#last.then(() => work(this.#client))
    this.#last = run.catch(() => {})
    return run
  }
}
