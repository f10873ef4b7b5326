import { Transient } from '../lib/errors.ts'
import type { DomainEntry, RelayerEntry } from '../store/read/offchain-documents.ts'
import type { Json } from '../types/effects.ts'

const MAX_ENTRIES = 10_000
const MAX_TEXT = 2048

/** `[{name, logo, contact, addresses}]` as it is published; entries are taken over field by field. */
export function parseRelayers(document: unknown): Json {
  if (!Array.isArray(document) || document.length > MAX_ENTRIES) throw refuse('relayers')
  return document.map((item) => {
    const { name, logo, contact, addresses } = asObject(item, 'relayers')
    const entry: RelayerEntry = {
      name: readText(name, 'relayers'),
      logo: readUrl(logo),
      addresses: Array.isArray(addresses) ? addresses.map((address) => readText(address, 'relayers')) : null,
    }
    const contacts = Object.entries((contact ?? {}) as Record<string, unknown>).filter(([, value]) => typeof value === 'string')
    if (contacts.length > 0) entry.contact = Object.fromEntries(contacts) as Record<string, string>
    return entry as unknown as Json
  })
}

/**
 * Chains of the Hyperlane registry, by any key, as `{domainId, displayName, blockExplorers, nativeToken}`; kept by domain. A chain that
 * lacks what we show is left out.
 */
export function parseDomains(document: unknown): Json {
  const chains = Object.entries(asObject(document, 'chains'))
  if (chains.length > MAX_ENTRIES) throw refuse('chains')
  const domains: Record<string, Json> = {}
  for (const [key, chain] of chains) {
    const found = parseDomain(key, chain)
    if (found) domains[found.domain] = found.entry as unknown as Json
  }
  // An answer without a single chain is no registry; the old one stays.
  if (chains.length > 0 && Object.keys(domains).length === 0) throw refuse('chains')
  return domains
}

type WireChain = {
  domainId?: unknown
  chainId?: unknown
  name?: unknown
  displayName?: unknown
  nativeToken?: { name?: unknown; symbol?: unknown; decimals?: unknown }
  blockExplorers?: { apiUrl?: unknown; family?: unknown; name?: unknown; url?: unknown }[]
}

function parseDomain(key: string, value: unknown): { domain: string; entry: DomainEntry } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { domainId, chainId, name, displayName, nativeToken, blockExplorers } = value as WireChain
  const domain = domainId ?? chainId ?? key
  const token = nativeToken ?? {}
  if (!/^\d{1,10}$/.test(String(domain)) || typeof token.decimals !== 'number' || !Number.isInteger(token.decimals))
    return undefined
  const text = (given: unknown) => (typeof given === 'string' ? given.slice(0, MAX_TEXT) : '')
  const entry: DomainEntry = {
    name: text(displayName) || text(name) || key,
    native_token: { name: text(token.name), symbol: text(token.symbol), decimals: token.decimals },
  }
  if (Array.isArray(blockExplorers) && blockExplorers.length > 0)
    entry.block_explorers = blockExplorers.map((explorer) => ({
      api_url: readUrl(explorer?.apiUrl),
      family: text(explorer?.family),
      name: text(explorer?.name),
      url: readUrl(explorer?.url),
    }))
  return { domain: String(domain), entry }
}

function asObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse(what)
  return value as Record<string, unknown>
}

function readText(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_TEXT || value.includes('\0')) throw refuse(what)
  return value
}

/** Shown as links and images: nothing that a browser would run. */
function readUrl(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_TEXT || !URL.canParse(value)) return ''
  return /^https?:$/.test(new URL(value).protocol) ? value : ''
}

function refuse(what: string): Transient {
  return new Transient('source_implausible', `the source gave no list of ${what}`)
}
