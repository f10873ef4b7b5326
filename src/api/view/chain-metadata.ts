import type { Static } from 'typebox'
import type { DomainEntry } from '../../store/read/offchain-documents.ts'
import type { ChainMetadata } from '../schema/chain-metadata.ts'

/** A chain that no registry names is called by its domain: explorers read the name without asking whether there is one. */
export function toChainMetadata(domain: number, domains: Map<number, DomainEntry>): Static<typeof ChainMetadata> {
  return domains.get(domain) ?? { name: String(domain), native_token: { decimals: 0, name: '', symbol: '' } }
}
