import type { Db } from '../store/db.ts'
import { listSourceStates } from '../store/offchain/report.ts'
import { findHead } from '../store/read/head/head.ts'
import { findSourceHead } from '../store/read/head/source-head.ts'
import { findVerified } from '../store/read/head/verified.ts'
import type { IndexerFacts } from '../types/indexer-facts.ts'

export type StatusNetwork = {
  name: string
  schema: string
  db: Db
  /** given where this process indexes the network */
  indexer?: () => IndexerFacts
}

/** How a network stands: what the database says, and what the indexer knows where it runs in this process. */
export async function readStatus({ name, schema, db, indexer }: StatusNetwork) {
  const [head, source, sources, verified] = await Promise.all([
    findHead(db),
    findSourceHead(db),
    listSourceStates(db),
    findVerified(db),
  ])
  return {
    network: name,
    chain_id: head?.chain_id ?? null,
    height: head?.last_height ?? null,
    verified_height: verified?.height ?? null,
    time: head?.last_time ?? null,
    node_height: source?.height ?? null,
    node_seen_at: source?.seen_at ?? null,
    lag_blocks: head && source ? Math.max(0, source.height - head.last_height) : null,
    sources: sources
      .filter(({ network }) => network === schema)
      .map(({ source, checked_at, error }) => ({ source, checked_at, error })),
    indexer: indexer?.() ?? null,
  }
}

export type OperatorStatus = Awaited<ReturnType<typeof readStatus>>
