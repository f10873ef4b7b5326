/** Facts that only the process that indexes a network knows. Times are ISO 8601. */
export type IndexerFacts = {
  status: 'starting' | 'syncing' | 'live' | 'stalled' | 'halted'
  role: 'writer' | 'standby' | 'none'
  nodes: { node: string; quarantined: string | null; failures: number }[]
  /** since the process started */
  rollbacks: { count: number; last: { at: string; from: number; to: number } | null }
  /** the last sample of the invariants; null before the first */
  audit: { at: string; from: number; to: number; violations: string[] } | null
}
