import type { ProofOp } from '../../client/proof/state.ts'
import { keyOf, type StateRecord, type StateValue } from '../../client/proof/state-record.ts'
import { AstrolabeError, NodeFault } from '../../lib/errors.ts'
import type { ChainSource, StateRefusal } from '../source.ts'
import { isSameValue, readProvenRecord } from './verify.ts'

/** A record as the index has it; no value when it has none. */
export type Claim = { record: StateRecord; value: StateValue | undefined }

/** A claim with what the chain has, the proof of that, and the node that gave it. */
export type Verdict = {
  claim: Claim
  proven: StateValue | undefined
  /** as the chain keeps it */
  bytes: Uint8Array | undefined
  ops: readonly ProofOp[]
  agrees: boolean
  node: string
}

/** `unproven`: claims about which no node gave a proof that holds; `refusals`: what the nodes said to that. */
export type StateProofs = { verdicts: Verdict[]; unproven: Claim[]; refusals: { node: string; refusal: StateRefusal }[] }

/** The height whose state is asked for, and `app_hash` of the header above it, which its validators signed. */
export type StateRoot = { height: number; appHash: Uint8Array }

/**
 * Compares claims with the state of the chain. Nodes are asked one after the other for what is not proven yet. One whose proof does not
 * hold is reported; one that has no proofs is not at fault.
 */
export async function proveState(
  source: Pick<ChainSource, 'witnesses' | 'reportFault'>,
  claims: readonly Claim[],
  root: StateRoot,
  signal: AbortSignal,
): Promise<StateProofs> {
  const verdicts: Verdict[] = []
  const refusals: StateProofs['refusals'] = []
  let open: readonly Claim[] = claims
  for (const witness of source.witnesses()) {
    if (open.length === 0) break
    const left: Claim[] = []
    try {
      const answers = await witness.state(
        root.height,
        open.map(({ record }) => keyOf(record)),
        signal,
      )
      for (const [i, claim] of open.entries()) {
        const answer = answers[i]!
        if ('ops' in answer) {
          const { ops } = answer
          const { value: proven, bytes } = readProvenRecord(claim.record, ops, root) ?? {}
          verdicts.push({ claim, proven, bytes, ops, agrees: isSameValue(claim.value, proven), node: witness.origin })
        } else {
          left.push(claim)
          if (left.length === 1) refusals.push({ node: witness.origin, refusal: answer })
        }
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof AstrolabeError)) throw error
      if (error instanceof NodeFault) source.reportFault(witness.origin, error)
      refusals.push({ node: witness.origin, refusal: { missing: 'answer', reason: error.message } })
      const done = new Set(verdicts.map(({ claim }) => claim))
      open = open.filter((claim) => !done.has(claim))
      continue
    }
    open = left
  }
  return { verdicts, unproven: [...open], refusals }
}
