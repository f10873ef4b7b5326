/** Hashes of a header by the names that nodes and answers use, in the order in which the block hash covers them. */
export const HEADER_HASHES = [
  'last_commit_hash',
  'data_hash',
  'validators_hash',
  'next_validators_hash',
  'consensus_hash',
  'app_hash',
  'last_results_hash',
  'evidence_hash',
] as const

export type HeaderHash = (typeof HEADER_HASHES)[number]
export type HeaderHashes = Record<HeaderHash, string>

/** Every hash of a header, made from its name. */
export function mapHeaderHashes<T>(make: (name: HeaderHash) => T): Record<HeaderHash, T> {
  const made = {} as Record<HeaderHash, T>
  for (const name of HEADER_HASHES) made[name] = make(name)
  return made
}
