import { createAggregates } from '../aggregate/aggregates.ts'
import type { State } from '../state/state.ts'
import { createAccountsFamily } from './accounts.ts'
import { createBlobsFamily } from './blobs.ts'
import { createChainRowsFamily } from './chain-rows.ts'
import { createConstantsFamily } from './constants.ts'
import type { Family } from './family.ts'
import { createForwardingFamily } from './forwarding.ts'
import { createGovFamily } from './gov.ts'
import { createGrantsFamily } from './grants.ts'
import { createHyperlaneFamily } from './hyperlane.ts'
import { createIbcFamily } from './ibc.ts'
import { createRollupsFamily, type RollupRegistry } from './rollups.ts'
import { createSignalFamily } from './signal.ts'
import { createStakingFamily } from './staking.ts'
import { createTotalsFamily } from './totals.ts'
import { createVestingFamily } from './vesting.ts'
import { createZkIsmFamily } from './zkism.ts'

/** The order of per-block work. Totals come last: the others still see the head of the block before. */
export function createFamilies(state: State, registry: () => RollupRegistry): Family[] {
  return [
    createConstantsFamily(state),
    createAccountsFamily(state),
    createStakingFamily(state),
    createGovFamily(state),
    createGrantsFamily(state),
    createVestingFamily(state),
    createIbcFamily(state),
    createHyperlaneFamily(state),
    createForwardingFamily(state),
    createZkIsmFamily(state),
    createSignalFamily(state),
    createBlobsFamily(state),
    createRollupsFamily(state, registry),
    createChainRowsFamily(state),
    ...createAggregates(state, registry),
    createTotalsFamily(state),
  ]
}
