import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainSource } from '../../chain/source.ts'
import { describeRecord, describeValue } from '../../chain/state/describe.ts'
import type { StateProofs, StateRoot, Verdict } from '../../chain/state/prove.ts'
import { readStateRoot } from '../../chain/state/root.ts'
import { ValidatorSet } from '../../chain/validator-set.ts'
import type { NetworkConfig } from '../../config/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { proveIndex } from '../../pipeline/verify/prove-index.ts'
import type { AuditStep } from '../../store/audit/audit.ts'
import type { Reader } from '../../store/db.ts'
import { listRecords, sampleRecords } from '../../store/read/claims.ts'
import { findHead, type Head } from '../../store/read/head/head.ts'
import { listPowersAt } from '../../store/read/validator-set.ts'
import type { StateProof } from '../../store/write/state-proof.ts'
import { openSource } from '../wiring/source.ts'

const INVARIANT = 'I18'
/** Balances and delegations each, unless all are asked for. */
const SAMPLE = 1000
const MAX_DETAILS = 20
/** The block above the head, which has the root of the state after it, may not be there yet. */
const ROOT_TRIES = 60
const ROOT_PAUSE_MS = 500

export type StateAuditOptions = {
  all: boolean
  onProgress: (proven: number) => void
  onProven: (proof: StateProof) => Promise<void>
}

/** Compares the records of the index with proofs of the state after its head, which nodes give. `sql` is a snapshot. */
export async function auditState(network: NetworkConfig, sql: Reader, options: StateAuditOptions): Promise<AuditStep> {
  const head = await findHead(sql)
  if (head && !head.has_state)
    return { invariant: INVARIANT, name: 'the state is that of the chain', violations: [], isSkipped: true }
  if (!head || !network.rpc)
    throw new OperatorError('no_state_proofs', `network ${network.name} has no nodes, and only nodes prove the state of a chain`)
  const source = await openSource(network)
  const { signal } = new AbortController()
  try {
    await source.head(signal)
    const root = await waitForRoot(source, sql, head, signal)
    const startedAt = performance.now()
    const pages = options.all ? listRecords(sql) : [await sampleRecords(sql, SAMPLE)]
    const { proven, mismatches, unproven, refusals } = await proveIndex(source, pages, root, {
      signal,
      onProgress: options.onProgress,
    })
    if (proven === 0 && mismatches.length === 0) throw nobodyProves(root, refusals)
    const perSecond = Math.round((1000 * (proven + mismatches.length)) / (performance.now() - startedAt))
    const details = mismatches.slice(0, MAX_DETAILS).map((verdict) => describeMismatch(verdict, root))
    if (mismatches.length > MAX_DETAILS) details.push(`${mismatches.length - MAX_DETAILS} more records differ`)
    if (unproven > 0) details.push(`${unproven} records have no proof: ${listRefusals(refusals)}`)
    if (details.length === 0) await options.onProven({ height: root.height, records: proven })
    const scope = options.all ? 'all' : 'a sample of'
    return {
      invariant: INVARIANT,
      name: `${scope} ${proven} records agree with proofs of the state after height ${root.height} (${perSecond} per second)`,
      violations: details.map((detail) => ({ invariant: INVARIANT, check: 'state proofs', detail })),
    }
  } finally {
    await source.close()
  }
}

async function waitForRoot(source: ChainSource, sql: Reader, head: Head, signal: AbortSignal): Promise<StateRoot> {
  const block = { height: head.last_height, hash: head.last_hash.toUpperCase() }
  const validators = ValidatorSet.of(await listPowersAt(sql, block.height + 1))
  for (let attempt = 1; attempt <= ROOT_TRIES; attempt++) {
    const root = await readStateRoot(source, block, validators, signal)
    if (root) return root
    await sleep(ROOT_PAUSE_MS)
  }
  throw new OperatorError(
    'no_state_root',
    `no node has the signed header of block ${block.height + 1}, whose app_hash commits to the state after the indexed head`,
  )
}

function describeMismatch({ claim, proven, node }: Verdict, { height }: StateRoot): string {
  const values = `the index has ${describeValue(claim.value)}, the chain has ${describeValue(proven)}`
  return `${describeRecord(claim.record)}, height ${height}: ${values} (proven by ${node})`
}

function nobodyProves({ height }: StateRoot, refusals: StateProofs['refusals']): OperatorError {
  return new OperatorError('no_state_proofs', `no node proves the state after height ${height}: ${listRefusals(refusals)}`)
}

function listRefusals(refusals: StateProofs['refusals']): string {
  return refusals.map(({ node, refusal }) => `${node}: ${refusal.reason}`).join('; ') || 'no node answers'
}
