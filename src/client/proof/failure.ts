/** An answer that does not prove what it claims. */
export class ProofError extends Error {
  override readonly name = 'ProofError'
}

export function demand(condition: unknown, message: string): asserts condition {
  if (!condition) throw new ProofError(message)
}
