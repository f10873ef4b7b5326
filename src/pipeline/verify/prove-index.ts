import type { ChainSource } from '../../chain/source.ts'
import { type Claim, proveState, type StateProofs, type StateRoot, type Verdict } from '../../chain/state/prove.ts'

/** Records of one question to a node, and questions under way at a time: enough to keep a node near by busy. */
const CLAIMS_AT_ONCE = 50
const QUESTIONS = 8

export type IndexProof = { proven: number; mismatches: Verdict[]; unproven: number; refusals: StateProofs['refusals'] }

/** Compares pages of records with the state of the chain. Mismatches are told, not thrown. */
export async function proveIndex(
  source: Pick<ChainSource, 'witnesses' | 'reportFault'>,
  pages: AsyncIterable<readonly Claim[]> | Iterable<readonly Claim[]>,
  root: StateRoot,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (proven: number) => void },
): Promise<IndexProof> {
  const result: IndexProof = { proven: 0, mismatches: [], unproven: 0, refusals: [] }
  for await (const page of pages) {
    const parts: (readonly Claim[])[] = []
    for (let i = 0; i < page.length; i += CLAIMS_AT_ONCE) parts.push(page.slice(i, i + CLAIMS_AT_ONCE))
    const work = async () => {
      for (let part = parts.shift(); part; part = parts.shift()) add(result, await proveState(source, part, root, signal))
    }
    await Promise.all(Array.from({ length: QUESTIONS }, work))
    onProgress?.(result.proven)
    // Without a single proof in a whole page there is nobody to ask.
    if (result.proven === 0 && result.mismatches.length === 0 && result.unproven > 0) break
  }
  return result
}

function add(result: IndexProof, { verdicts, unproven, refusals }: StateProofs): void {
  for (const verdict of verdicts) {
    if (verdict.agrees) result.proven++
    else result.mismatches.push(verdict)
  }
  result.unproven += unproven.length
  for (const refusal of refusals) if (!result.refusals.some(({ node }) => node === refusal.node)) result.refusals.push(refusal)
}
