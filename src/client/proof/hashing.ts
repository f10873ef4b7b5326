import type { Bytes } from './encoding.ts'
import { ProofError } from './failure.ts'

/** Numbers of the hash functions in ICS 23. */
export const HashOp = {
  none: 0,
  sha256: 1,
  sha512: 2,
  keccak256: 3,
  ripemd160: 4,
  bitcoin: 5,
  sha512_256: 6,
  blake2b512: 7,
  blake2s256: 8,
  blake3: 9,
} as const

export type HashStep = { op: number; preimage: Bytes }

/**
 * A computation that asks for its hashes one by one. Browsers only hash asynchronously, and a server that checks a million proofs
 * cannot afford to: the computation is written once, and each side answers its questions in its own way.
 */
export type Hashing<T> = Generator<HashStep, T, Uint8Array>

/** Runs to the end with the hash function that browsers have. */
export async function hashInBrowser<T>(hashing: Hashing<T>): Promise<T> {
  let step = hashing.next()
  while (!step.done) {
    demandSha256(step.value)
    step = hashing.next(new Uint8Array(await crypto.subtle.digest('SHA-256', step.value.preimage)))
  }
  return step.value
}

/** Runs to the end at once, with a hash function that answers at once. */
export function hashAtOnce<T>(hashing: Hashing<T>, sha256: (preimage: Uint8Array) => Uint8Array): T {
  let step = hashing.next()
  while (!step.done) {
    demandSha256(step.value)
    step = hashing.next(sha256(step.value.preimage))
  }
  return step.value
}

/** The trees of the chain's state know no other. */
function demandSha256({ op }: HashStep): void {
  if (op !== HashOp.sha256) throw new ProofError(`hash function ${op} is not SHA-256`)
}
