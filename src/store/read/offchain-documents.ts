import type { Reader } from '../db.ts'

/** One entry of the document `relayers`, in the API's own form: an array of them, keyed by the addresses that sign. */
export type RelayerEntry = {
  name: string
  logo: string
  /** bech32 accounts of this chain, among those of others */
  addresses: string[] | null
  contact?: Record<string, string>
}

/** One entry of the document `hyperlane`: an object keyed by domain id. */
export type DomainEntry = {
  name: string
  block_explorers?: { api_url: string; family: string; name: string; url: string }[]
  native_token: { decimals: number; name: string; symbol: string }
}

/** A registry that was never loaded is an empty one: off-chain data is an addition (I11). */
export async function readRelayers(sql: Reader): Promise<RelayerEntry[]> {
  const [row] = await sql<{ document: RelayerEntry[] }[]>`select document from registry where name = 'relayers'`
  return row?.document ?? []
}

export async function readDomains(sql: Reader): Promise<Record<string, DomainEntry>> {
  const [row] = await sql<{ document: Record<string, DomainEntry> }[]>`select document from registry where name = 'hyperlane'`
  return row?.document ?? {}
}

/** Metadata of a few domains only: the whole document describes every chain of the Hyperlane registry. */
export async function findDomains(sql: Reader, domains: number[]): Promise<Map<number, DomainEntry>> {
  if (domains.length === 0) return new Map()
  const rows = await sql<{ domain: number; entry: DomainEntry }[]>`
    select d.domain, r.document -> d.domain::text as entry
    from registry r, unnest(${domains}::bigint[]) as d(domain)
    where r.name = 'hyperlane' and r.document ? d.domain::text`
  return new Map(rows.map(({ domain, entry }) => [domain, entry]))
}
