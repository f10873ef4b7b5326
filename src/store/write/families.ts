import type { EffectKind } from '../../types/effects.ts'
import { createBlockAggregates, createStateAggregates } from '../aggregate/aggregates.ts'
import { createAccountsFamily } from '../families/accounts.ts'
import { createBlobsFamily } from '../families/blobs.ts'
import { createChainRowsFamily } from '../families/chain-rows.ts'
import { createConsensusFamily, createValidatorSetsFamily } from '../families/consensus.ts'
import { createConstantsFamily } from '../families/constants.ts'
import type { Family } from '../families/family.ts'
import { createForwardingFamily } from '../families/forwarding.ts'
import { createGovFamily } from '../families/gov.ts'
import { createGrantsFamily } from '../families/grants.ts'
import { createHistoryFamily } from '../families/history.ts'
import { createHyperlaneFamily } from '../families/hyperlane.ts'
import { createIbcFamily } from '../families/ibc.ts'
import { createRollupsFamily, type RollupRegistry } from '../families/rollups.ts'
import { createSignalFamily } from '../families/signal.ts'
import { createTotalsFamily } from '../families/totals.ts'
import { createVestingFamily } from '../families/vesting.ts'
import { createZkIsmFamily } from '../families/zkism.ts'
import { createStakingFamily } from '../staking/staking.ts'
import type { State } from '../state/state.ts'

/**
 * Kinds of effects that no family applies. An effect that nobody applies would be lost without a word, so the list of families
 * compiles only while this is `never`.
 */
type Unapplied<Families extends readonly Family[]> = Exclude<
  EffectKind,
  Families[number] extends infer F ? (F extends { effects: infer Handlers } ? keyof Handlers : never) : never
>

/** The families as they are; refuses to compile, and names the kind, when one is applied by none of them. */
export function applyEveryKind<const Families extends readonly Family[]>(
  families: Families & Record<`nobody applies ${Unapplied<Families>}`, never>,
): Families {
  return families
}

/** Families by what they need; each list is in the order of per-block work. Totals come last: the others still see the head of the block before. */
export type Families = {
  /** of an index that knows the state before its first block */
  whole: readonly Family[]
  /** of one that does not: what blocks hold by themselves, and who signs them */
  stateless: readonly Family[]
  /** of the pseudo-block of such an index */
  start: readonly Family[]
}

/** A family that changes what was there before belongs to the first list, one that only adds what a block holds to the third. */
export function createFamilies(state: State, registry: () => RollupRegistry): Families {
  const ofState = [
    createConstantsFamily(state),
    createAccountsFamily(state),
    createStakingFamily(state),
    createHistoryFamily(state),
    createGovFamily(state),
    createGrantsFamily(state),
    createVestingFamily(state),
    createIbcFamily(state),
    createHyperlaneFamily(state),
    createForwardingFamily(state),
    createZkIsmFamily(state),
    createSignalFamily(state),
  ] as const
  const ofConsensus = [createConsensusFamily(state), createValidatorSetsFamily(state)] as const
  const ofBlocks = [createBlobsFamily(state), createRollupsFamily(state, registry), createChainRowsFamily(state)] as const
  const subjects = applyEveryKind([...ofState, ...ofConsensus, ...ofBlocks])
  const series = createBlockAggregates(state, registry)
  const totals = createTotalsFamily(state)
  return {
    whole: [...subjects, ...series, ...createStateAggregates(state), totals],
    stateless: [...ofConsensus, ...ofBlocks, ...series, totals],
    start: [...ofConsensus, totals],
  }
}
