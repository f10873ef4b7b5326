import type { ChainSource } from '../chain/source.ts'
import type { Writer } from '../store/write/writer.ts'
import { toValidatorSet } from './known-chain.ts'
import { type LearnedValidators, learnValidators } from './learn-validators.ts'

type ValidatorRow = Parameters<Writer['adoptValidators']>[0][number]

/**
 * Whether the validators of the next height are known, so that commits can be verified. An index that an older release made has none and
 * learns them from nodes, which need the next height for it. An exported state names those who sign its second block: where the
 * first has others, they are learned too. A genesis that names nobody stays without.
 */
export async function ensureValidators(source: ChainSource, writer: Writer, signal: AbortSignal): Promise<boolean> {
  const { chain_id: chainId, last_height: last, last_hash: lastHash } = writer.head!
  const rows = writer.validators()
  const isBeginning = lastHash === ''
  if (isBeginning ? rows.length === 0 || last === 0 : rows.length > 0) return rows.length > 0
  const at = { height: last + 1, chainId, parentHash: lastHash.toUpperCase() }
  const learned = await learnValidators(source, at, signal)
  if (!learned) return rows.length > 0
  const isOfExport = learned.nextValidators.hash === toValidatorSet(rows, 'next_power').hash
  const isKnown = learned.validators.hash === toValidatorSet(rows).hash
  if (rows.length === 0 || (isOfExport && !isKnown)) await writer.adoptValidators(toRows(learned))
  return true
}

function toRows({ validators, nextValidators }: LearnedValidators): ValidatorRow[] {
  const members = [...validators.list(), ...nextValidators.list()]
  const keys = new Map(members.map(({ address, publicKey }) => [address, publicKey]))
  return Array.from(keys, ([address, publicKey]) => ({
    address: address.toLowerCase(),
    public_key: publicKey,
    power: validators.find(address)?.power ?? 0n,
    next_power: nextValidators.find(address)?.power ?? 0n,
  }))
}
