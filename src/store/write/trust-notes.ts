import type pg from 'pg'
import { type StateProof, saveStateProof } from './state-proof.ts'
import { findUnverified, type HeightRange, markRefuted, removeUnverified } from './unverified.ts'

/** What is known about the truth of what is committed. */
export class TrustNotes {
  readonly #client: pg.ClientBase

  constructor(client: pg.ClientBase) {
    this.#client = client
  }

  /** Records agree with the state of the chain after a height. */
  proven(proof: StateProof): Promise<void> {
    return saveStateProof(this.#client, proof)
  }

  /** The lowest heights whose txs are not verified and that have a block above them; undefined where there are none. */
  findUnverified(): Promise<HeightRange | undefined> {
    return findUnverified(this.#client)
  }

  /** The txs of these heights are those that their headers seal. */
  verified(range: HeightRange): Promise<void> {
    return removeUnverified(this.#client, range)
  }

  /** The txs of a height are false, and it cannot be taken back. */
  refuted(height: number, trouble: string): Promise<void> {
    return markRefuted(this.#client, height, trouble)
  }
}
